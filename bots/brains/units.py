"""The size of the learnt bots' nets, and what their whole numbers count."""

HIDDEN = 128
SECOND = 32
ONE_UNIT = 256
"""An activation of one."""

WEIGHT_UNIT = 256
"""A weight of one in the second and the last layer."""

VALUE_UNIT = ONE_UNIT * WEIGHT_UNIT
"""A value of one, as a net answers it."""
