"""Versions of a bot: uploading, the report of the check, activating."""

from typing import Any

from django.db.models import QuerySet
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.idempotency import answer_once
from aurum_league.common.api.operations import operation
from aurum_league.common.api.scopes import person_of
from aurum_league.common.api.views import LeagueList, LeagueView
from bots.api.examples import BOT, VERSION
from bots.api.serializers import BotSerializer, UploadForm, VersionSerializer
from bots.models import BotVersion
from bots.selectors.bots import find_own_bot, find_public_bot, list_versions
from bots.services.activation import activate_version
from bots.services.qualify import ask_again
from bots.services.uploads import add_version


class BotVersions(LeagueList):
    scope = "bots"
    serializer_class = VersionSerializer
    filter_backends = ()
    parser_classes = (MultiPartParser,)
    orderings = ("number",)

    def get_queryset(self) -> QuerySet[BotVersion]:
        bot = find_public_bot(self.kwargs["slug"], self.request.user)
        return list_versions(bot, self.request.user).select_related("bot__player")

    @operation(
        id="list_versions",
        summary="Versions of a bot; those that are not qualified, notes and reports are its author's",
        answer=VersionSerializer(many=True),
        example=VERSION,
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.list(request)

    @operation(
        id="add_version",
        summary="Upload a version of your bot",
        description="It is checked soon after; look at its `state` and `report`. Sent as multipart/form-data.",
        answer=VersionSerializer,
        example={**VERSION, "state": "new", "report": {}, "checked_at": None},
        status=201,
        request={"multipart/form-data": UploadForm},
    )
    @answer_once
    def post(self, request: Request, slug: str) -> Response:
        bot = find_own_bot(slug, person_of(request))
        sent = self.read_body(request, UploadForm)
        upload = sent["upload"].read()
        version = add_version(bot_id=bot.pk, owner=person_of(request), upload=upload, note=sent["note"])
        return Response(VersionSerializer(version, context={"request": request}).data, status=201)


class VersionActivation(LeagueView):
    scope = "bots"

    @operation(
        id="activate_version",
        summary="Let a qualified version play from now on",
        answer=BotSerializer,
        example=BOT,
        is_once=True,
    )
    @answer_once
    def post(self, request: Request, slug: str, number: int) -> Response:
        bot = find_own_bot(slug, person_of(request))
        activated = activate_version(bot_id=bot.pk, owner=person_of(request), number=number)
        return Response(BotSerializer(activated, context={"request": request}).data)


class VersionCheck(LeagueView):
    scope = "bots"

    @operation(
        id="check_version",
        summary="Ask for the check of a version again",
        answer=VersionSerializer,
        example=VERSION,
        is_once=True,
    )
    @answer_once
    def post(self, request: Request, slug: str, number: int) -> Response:
        bot = find_own_bot(slug, person_of(request))
        version = ask_again(bot_id=bot.pk, owner=person_of(request), number=number)
        return Response(VersionSerializer(version, context={"request": request}).data)
