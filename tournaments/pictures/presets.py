"""A small picture of each preset: tables as dots and who goes where as lines; for cards to choose from."""

from math import cos, pi, sin

from django.utils.safestring import SafeString

WIDTH, HEIGHT = 160, 72
Point = tuple[float, float]


def draw_preset(code: str) -> SafeString:
    """Nothing of it comes from anybody's text."""
    drawn = PICTURES[code]()
    return SafeString(
        f'<svg class="preset" viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true" focusable="false">{drawn}</svg>'
    )


def _dot(point: Point, radius: float = 5, *, kind: str = "") -> str:
    return f'<circle class="dot {kind}" cx="{point[0]:.1f}" cy="{point[1]:.1f}" r="{radius:g}"/>'


def _line(first: Point, second: Point) -> str:
    return f'<line x1="{first[0]:.1f}" y1="{first[1]:.1f}" x2="{second[0]:.1f}" y2="{second[1]:.1f}"/>'


def _ring(count: int, centre: Point = (80, 36), radius: float = 28) -> list[Point]:
    turns = (2 * pi * number / count - pi / 2 for number in range(count))
    return [(centre[0] + radius * cos(turn), centre[1] + radius * sin(turn)) for turn in turns]


def _everybody() -> str:
    points = _ring(7)
    lines = [_line(one, other) for number, one in enumerate(points) for other in points[:number]]
    return "".join([*lines, *map(_dot, points)])


def _equals() -> str:
    """Rows that sort themselves from matchday to matchday."""
    columns = [[(20 + 40 * day, 10 + 13 * row) for row in range(5)] for day in range(4)]
    paths = ((1, 0, 3, 2, 4), (0, 2, 1, 4, 3), (0, 1, 3, 2, 4))
    steps = [(day, row, goes) for day, path in enumerate(paths) for row, goes in enumerate(path)]
    lines = [_line(columns[day][row], columns[day + 1][goes]) for day, row, goes in steps]
    return "".join([*lines, *(_dot(point, 4) for column in columns for point in column)])


def _rotating() -> str:
    tables = []
    for centre in ((32, 36), (80, 36), (128, 36)):
        points = _ring(4, centre, 18)
        tables += [_line(points[0], points[2]), _line(points[1], points[3]), *(_dot(point) for point in points)]
    return "".join(tables)


def _bracket() -> str:
    first = [(16, 8 + 18.6 * row) for row in range(4)]
    second, last = [(72, 17.3), (72, 54.5)], (128, 36)
    lines = [_line(one, second[number // 2]) for number, one in enumerate(first)] + [_line(one, last) for one in second]
    return "".join([*lines, *map(_dot, [*first, *second]), _dot(last, 8, kind="is-best")])


def _teams() -> str:
    pairs = [((24.0, y), (40.0, y)) for y in (12, 36, 60)], [((120.0, y), (136.0, y)) for y in (12, 36, 60)]
    lines = [_line(one[1], other[0]) for one in pairs[0] for other in pairs[1]]
    dots = [_dot(point) for side in pairs for pair in side for point in pair]
    return "".join([*lines, *(_line(*pair) for side in pairs for pair in side), *dots])


def _groups() -> str:
    parts = []
    for centre in ((26, 14), (26, 38), (26, 62)):
        points = _ring(3, centre, 9)
        parts += [*(_line(points[n], points[n - 1]) for n in range(3)), *(_dot(point, 3.5) for point in points)]
        parts.append(_line((40, centre[1]), (88, 36)))
    return "".join([*parts, _line((88, 36), (132, 36)), _dot((88, 36)), _dot((132, 36), 8, kind="is-best")])


def _ladder() -> str:
    steps = [_line((60, y), (100, y)) for y in (10, 23, 36, 49, 62)]
    sides = [_line((60, 2), (60, 70)), _line((100, 2), (100, 70))]
    dots = [_dot((80, y), 5, kind="is-best" if y == 10 else "") for y in (10, 36, 49)]
    return "".join([*sides, *steps, *dots])


PICTURES = {
    "bot_league": _everybody,
    "swiss_weekend": _equals,
    "whist_evening": _rotating,
    "knockout_cup": _bracket,
    "team_league": _teams,
    "groups_then_knockout": _groups,
    "ladder": _ladder,
}
