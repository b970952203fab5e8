"""Never reads and never answers."""

import select

select.select([], [], [], 600)
