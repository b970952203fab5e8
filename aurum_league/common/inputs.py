"""What people type on a page is what the API takes: a form's fields are made from a serializer's.

A serializer says type, bounds, choices and what may be left out. The page adds its own words: label, help, widget.
"""

from typing import Any

from django import forms
from rest_framework import serializers
from rest_framework.fields import empty

SHOWN_AS: tuple[tuple[type[serializers.Field], type[forms.Field]], ...] = (
    (serializers.ChoiceField, forms.ChoiceField),
    (serializers.BooleanField, forms.BooleanField),
    (serializers.IntegerField, forms.IntegerField),
    (serializers.FloatField, forms.FloatField),
    (serializers.DateTimeField, forms.DateTimeField),
    (serializers.FileField, forms.FileField),
    # A short name that nobody can have is refused by the service, in words that say what such a name is.
    (serializers.CharField, forms.CharField),
)
BOUNDS = ("max_length", "min_length", "min_value", "max_value")


def shown_field(serializer: type[serializers.Serializer], name: str, **words: Any) -> Any:
    """The form field for a field of the API, or for one item of a list; `words` are the page's own.

    What the API has a default for stands in the form already. Only texts, times and ticks may be left out there.
    """
    taken = serializer().fields[name]
    if isinstance(taken, serializers.ListField):
        taken = taken.child
    kind = next(shown for declared, shown in SHOWN_AS if isinstance(taken, declared))
    if isinstance(taken, serializers.ChoiceField):
        words = {"choices": list(taken.choices.items()), **words}
        if {str(value) for value, _label in words["choices"]} != {str(value) for value in taken.choices}:
            raise ValueError(f"{serializer.__name__}.{name} takes other choices than the page shows.")
    if taken.default is not empty and taken.default:
        words = {"initial": taken.default, **words}
    bounds = {bound: getattr(taken, bound) for bound in BOUNDS if getattr(taken, bound, None) is not None}
    if twice := bounds.keys() & words.keys():
        raise ValueError(f"{serializer.__name__}.{name} says itself: {', '.join(sorted(twice))}.")
    return kind(**{"required": _is_needed(taken)} | bounds | words)


def _is_needed(taken: serializers.Field) -> bool:
    return not (isinstance(taken, serializers.BooleanField) or getattr(taken, "allow_blank", False) or taken.allow_null)
