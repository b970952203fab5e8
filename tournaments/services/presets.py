"""Presets in the reader's language; what they are made of stands with the rules."""

from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from tournaments.rules.presets import PRESETS as PLAIN_PRESETS
from tournaments.rules.presets import spec_from_preset

__all__ = ["PRESETS", "Preset", "spec_from_preset"]


@dataclass(frozen=True, slots=True)
class Preset:
    title: Promise
    description: Promise
    spec: dict[str, Any]


PRESETS = {
    code: Preset(gettext_lazy(preset.title), gettext_lazy(preset.description), preset.spec)
    for code, preset in PLAIN_PRESETS.items()
}
