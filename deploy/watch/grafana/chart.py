"""Panels of a dashboard as one picture, SVG: where the dashboard has them, or one below the other for a telephone."""
import time
from html import escape

COLUMN, ROW, GAP = 50, 34, 8
NARROW = 390
# The width of a letter, of its height, in the widest of the fonts that may be there.
LETTER = 0.66
PALETTES = {
    "light": {
        "ground": "#eef1f4", "panel": "#ffffff", "edge": "#d3d9e0", "text": "#1d2630", "quiet": "#566270",
        "grid": "#e3e7ec",
        "series": ("#2563a8", "#b4540a", "#2c7a4b", "#8a3fa0", "#b02a45", "#6b6400", "#0b7285", "#5b4bc4"),
    },
    "dark": {
        "ground": "#11161c", "panel": "#1a2129", "edge": "#323c47", "text": "#e6ebf0", "quiet": "#a3aeba",
        "grid": "#2a333d",
        "series": ("#7ab4f0", "#f0a35e", "#7fd09b", "#d29be6", "#f08a97", "#d8cf6a", "#66cfdc", "#a99cf5"),
    },
}


def number(value, unit):
    """A number in its unit, in few letters."""
    if unit == "percentunit":
        return f"{value * 100:.1f} %" if value < 0.1 and value else f"{value * 100:.0f} %"
    if unit == "bytes":
        for name in ("B", "KiB", "MiB", "GiB"):
            if abs(value) < 1024 or name == "GiB":
                return f"{value:.0f} {name}" if value >= 10 or value == int(value) else f"{value:.1f} {name}"
            value /= 1024
    if unit == "ms":
        value, unit = value / 1000, "s"
    if unit == "s":
        if value == 0:
            return "0 s"
        if abs(value) < 0.001:
            return f"{value * 1e6:.0f} µs"
        if abs(value) < 1:
            return f"{value * 1000:.3g} ms"
        return f"{value:.3g} s" if abs(value) < 120 else f"{value / 60:.3g} min"
    text = f"{value / 1000:.3g}k" if abs(value) >= 1000 else f"{value:.0f}" if abs(value) >= 10 else f"{value:.3g}"
    return text + (" /s" if unit in ("reqps", "ops") else "")


def text(x, y, words, size, fill, more=""):
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" fill="{fill}"{more}>{escape(words)}</text>'


def ticks(top, unit):
    """Where lines go between nothing and `top`, at most five."""
    if unit == "bytes":
        scale = 1024 ** max(0, (int(top).bit_length() - 1) // 10)
        return [tick * scale for tick in ticks(top / scale, "short")]
    step = 10 ** len(str(int(top))) / 10 if top >= 1 else 10.0 ** -3
    while top / step > 4.5:
        step *= 2 if str(step).lstrip("0.")[0] in "15" else 2.5
    while top / step < 2:
        step /= 2
    return [step * place for place in range(int(top / step * 1.001) + 1)]


def fitted(words, width, size):
    """Words that have room, cut where they have not."""
    most = int(width / (size * LETTER))
    return words if len(words) <= most else words[:most - 1] + "…"


def stat(shown, unit, box, colours):
    x, y, width, height = box
    if len(shown) == 1 and shown[0][0] and unit == "short" and shown[0][1][-1][1] == 1:
        # A fact whose number says nothing, such as a version.
        words = shown[0][0]
    else:
        words = number(shown[0][1][-1][1], unit)
    size = min(34, height * 0.45, (width - 8) / max(len(words), 1) / LETTER)
    return [text(x + width / 2, y + height / 2 + size * 0.35, words, round(size, 1), colours["text"],
                 ' text-anchor="middle" font-weight="600"')]


def bars(shown, unit, box, colours):
    x, y, width, height = box
    top = max(points[-1][1] for _, points in shown) or 1
    step = height / len(shown)
    label, value = 110, 50
    parts = []
    for place, (name, points) in enumerate(shown):
        middle = y + step * (place + 0.5)
        length = (width - label - value) * points[-1][1] / top
        parts += [
            text(x, middle + 4, name, 12, colours["text"]),
            f'<rect x="{x + label:.0f}" y="{middle - step * 0.3:.0f}" width="{max(length, 1):.0f}" '
            f'height="{step * 0.6:.0f}" rx="2" fill="{colours["series"][0]}"/>',
            text(x + label + length + 6, middle + 4, number(points[-1][1], unit), 12, colours["text"]),
        ]
    return parts


def lines(shown, unit, box, colours, span):
    x, y, width, height = box
    # Those that stay at nothing would hide the others behind their names.
    busy = [one for one in shown if any(value for _, value in one[1])]
    quiet = len(shown) - len(busy)
    if quiet > 1:
        shown = busy + [(f"{quiet} more stay 0" if busy else f"all {quiet} stay 0",
                         next(points for name, points in shown if (name, points) not in busy))]
    # Names stand below the lines, in rows.
    rows, left = [[]], width
    for place, (name, _) in enumerate(shown):
        name = fitted(name or "value", width - 20, 11)
        needed = 28 + len(name) * 11 * LETTER
        if needed > left and rows[-1]:
            rows.append([])
            left = width
        rows[-1].append((place, name, width - left))
        left -= needed
    height -= 18 + 16 * len(rows)
    top = max(value for _, points in shown for _, value in points) or 1
    start, end = span
    axis = 52
    parts = []
    for tick in ticks(top, unit):
        line = y + height - height * tick / top
        parts.append(f'<path d="M{x + axis} {line:.1f}h{width - axis:.0f}" stroke="{colours["grid"]}"/>')
        parts.append(text(x + axis - 6, line + 4, number(tick, unit), 11, colours["quiet"], ' text-anchor="end"'))
    for part in (0, 0.5, 1):
        moment = time.strftime("%H:%M:%S", time.gmtime(start + (end - start) * part))
        anchor = ("start", "middle", "end")[int(part * 2)]
        parts.append(text(x + axis + (width - axis) * part, y + height + 15, moment, 11, colours["quiet"],
                          f' text-anchor="{anchor}"'))
    for place, (_, points) in enumerate(shown):
        steps = " ".join(
            f"{x + axis + (width - axis) * (moment - start) / (end - start):.1f},{y + height - height * value / top:.1f}"
            for moment, value in points)
        colour = colours["series"][place % len(colours["series"])]
        parts.append(f'<polyline points="{steps}" fill="none" stroke="{colour}" stroke-width="1.8" '
                     'stroke-linejoin="round"/>')
    for row, names in enumerate(rows):
        line = y + height + 32 + 16 * row
        for place, name, offset in names:
            colour = colours["series"][place % len(colours["series"])]
            parts.append(f'<rect x="{x + offset:.0f}" y="{line - 6:.0f}" width="12" height="4" rx="1" fill="{colour}"/>')
            parts.append(text(x + offset + 17, line, name, 11, colours["text"]))
    return parts


def panel(definition, shown, place, colours, span):
    x, y, width, height = place
    unit = definition["fieldConfig"]["defaults"].get("unit", "short")
    title = definition["title"]
    size = round(max(10, min(13, (width - 20) / len(title) / LETTER)), 1)
    parts = [
        f'<rect x="{x + 0.5}" y="{y + 0.5}" width="{width - 1}" height="{height - 1}" rx="4" fill="{colours["panel"]}" '
        f'stroke="{colours["edge"]}"/>',
        text(x + 12, y + 21, fitted(title, width - 20, size), size, colours["text"], ' font-weight="600"'),
    ]
    box = (x + 12, y + 34, width - 24, height - 46)
    if not shown:
        return parts + [text(x + width / 2, y + height / 2 + 8, "none", 14, colours["quiet"], ' text-anchor="middle"')]
    if definition["type"] == "stat":
        return parts + stat(shown, unit, box, colours)
    if definition["type"] == "bargauge":
        return parts + bars(shown, unit, box, colours)
    return parts + lines(shown, unit, box, colours, span)


def dashboard(title, panels, span, scheme, is_narrow):
    """The whole picture. `panels` are pairs of a panel's definition and what it shows; `span` is from when to when."""
    colours = PALETTES[scheme]
    parts, bottom = [], 0
    if is_narrow:
        for definition, shown in panels:
            height = max(definition["gridPos"]["h"] * 26, 90)
            place = (GAP, bottom + GAP, NARROW - 2 * GAP, height)
            parts += panel(definition, shown, place, colours, span)
            bottom += height + GAP
        width = NARROW
    else:
        for definition, shown in panels:
            at = definition["gridPos"]
            place = (at["x"] * COLUMN + GAP, at["y"] * ROW + GAP, at["w"] * COLUMN - GAP, at["h"] * ROW - GAP)
            parts += panel(definition, shown, place, colours, span)
            bottom = max(bottom, (at["y"] + at["h"]) * ROW)
        width = 24 * COLUMN + GAP
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{bottom + GAP}" '
        f'viewBox="0 0 {width} {bottom + GAP}" font-family="system-ui, \'DejaVu Sans\', sans-serif" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="100%" height="100%" fill="{colours["ground"]}"/>', *parts, "</svg>", ""])
