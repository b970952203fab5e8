"""The filters that lists are narrowed by; in one place because the library brings no types."""

from django_filters import (  # type: ignore[import-untyped]
    BooleanFilter,
    CharFilter,
    ChoiceFilter,
    FilterSet,
    IsoDateTimeFilter,
    NumberFilter,
)

__all__ = ["BooleanFilter", "CharFilter", "ChoiceFilter", "FilterSet", "IsoDateTimeFilter", "NumberFilter"]
