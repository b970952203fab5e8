"""Instruments, no part of the product: what measures its speed and breaks it on purpose, behind `aurum bench NAME`.

A new instrument is a module with one function that takes its options by keyword and answers a `report.Survey`, and one
line in `registry.INSTRUMENTS`:

    Instrument("luck", "how far luck decides", "luck:measure_luck", (Knob("matches", 1000, "so many"),)),

The function's module is imported when the instrument is asked for, not before: it may import Django's models only
inside functions, after `site.own_services` or `django.setup()`. Lines that tell how far it is go to `report.tell`.
"""
