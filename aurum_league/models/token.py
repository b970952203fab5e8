"""An AccessToken: named, scoped, stored as a hash; the token itself is shown once."""

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from knox.models import AbstractAuthToken


class AccessToken(AbstractAuthToken):
    """`handle` names it in addresses, so that no page holds its digest."""

    handle = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(max_length=60)
    scopes = ArrayField(models.CharField(max_length=12))
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created",)

    def __str__(self) -> str:
        return self.name
