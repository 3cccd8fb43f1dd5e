"""Charts of curves and points as small SVG files, in the look of `sinew plot`."""

import math

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 620, 340, 74, 20, 52, 52
COLORS = {"right": "#1c2430", "sinew": "#2f6fd0", "other": "#d9662b", "second": "#8a94a3"}
STYLE = """<style>
  text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; fill: #556070; }
  .title { font-size: 14px; font-weight: 600; fill: #1c2430; }
  .key { fill: #1c2430; }
  .grid { stroke: #e6eaf0; }
  .curve { fill: none; stroke-width: 1.5; stroke-linejoin: round; }
  .mark { fill: #fff; stroke-width: 1.8; }
</style>"""


def ticks(low, high, log):
    """Places of grid lines."""
    if log:
        decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        size = math.log10(high / low)
        factors = (1, 2, 3, 4, 5, 7) if size < 1 else (1, 2, 5) if size < 2.5 else (1,)
        return [f * 10.0**d for d in decades for f in factors if low * 0.999 <= f * 10.0**d <= high * 1.001]
    raw = (high - low) / 6
    step = 10.0**math.floor(math.log10(raw))
    step *= next(f for f in (1, 2, 5, 10) if f * step >= raw)
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]


def written(value):
    return f"{value:.6g}".replace("-", "−")


class Axis:
    """Maps values to pixels."""

    def __init__(self, values, pixels, log):
        self.log, self.pixels = log, pixels
        low, high = min(values), max(values)
        if not log:
            margin = 0.05 * (high - low or 1)
            low, high = low - margin * (low != 0), high + margin
        else:
            low, high = low / (high / low)**0.05, high * (high / low)**0.05
        self.low, self.high = low, high

    def __call__(self, value):
        a, b, v = (math.log10(x) for x in (self.low, self.high, value)) if self.log else (self.low, self.high, value)
        return self.pixels[0] + (v - a) / (b - a) * (self.pixels[1] - self.pixels[0])


def mark(kind, x, y, color):
    if kind == "cross":
        return (f'<path class="mark" stroke="{color}" d="M{x - 5:.1f},{y - 5:.1f}l10,10M{x - 5:.1f},{y + 5:.1f}l10,-10"/>')
    return f'<circle class="mark" stroke="{color}" cx="{x:.1f}" cy="{y:.1f}" r="4"/>'


def panel(x_label, y_label, series, top, logs=("", "")):
    """Lines of a chart. A series is (label or "", kind, color, xs, ys); kinds are line, dashed, circle, cross."""
    xs = [float(x) for _, _, _, row, _ in series for x in row]
    ys = [float(y) for _, _, _, _, row in series for y in row]
    across = Axis(xs, (LEFT, WIDTH - RIGHT), "x" in logs)
    up = Axis(ys, (top + HEIGHT - BOTTOM, top + TOP), "y" in logs)
    lines, begin = [], LEFT
    for label, kind, color, _, _ in series:
        if not label:
            continue
        y = top + TOP - 18
        if kind in ("line", "dashed"):
            dashes = ' stroke-dasharray="5 4"' if kind == "dashed" else ""
            lines.append(f'<path class="curve" stroke="{COLORS[color]}"{dashes} d="M{begin},{y}h24"/>')
        else:
            lines.append(mark(kind, begin + 12, y, COLORS[color]))
        lines.append(f'<text x="{begin + 30}" y="{y + 4}" class="key">{label}</text>')
        begin += 52 + 6.4 * len(label)
    for value in ticks(across.low, across.high, across.log):
        x = across(value)
        lines.append(f'<line class="grid" x1="{x:.1f}" y1="{up.pixels[1]}" x2="{x:.1f}" y2="{up.pixels[0]}"/>')
        lines.append(f'<text x="{x:.1f}" y="{up.pixels[0] + 17}" text-anchor="middle">{written(value)}</text>')
    for value in ticks(up.low, up.high, up.log):
        y = up(value)
        lines.append(f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}"/>')
        lines.append(f'<text x="{LEFT - 7}" y="{y + 4:.1f}" text-anchor="end">{written(value)}</text>')
    for _, kind, color, row, values in series:
        points = [(across(float(x)), up(float(y))) for x, y in zip(row, values)]
        if kind in ("line", "dashed"):
            dashes = ' stroke-dasharray="5 4"' if kind == "dashed" else ""
            path = "L".join(f"{x:.1f},{y:.1f}" for x, y in points)
            lines.append(f'<path class="curve" stroke="{COLORS[color]}"{dashes} d="M{path}"/>')
        else:
            lines += [mark(kind, x, y, COLORS[color]) for x, y in points]
    middle = (up.pixels[0] + up.pixels[1]) / 2
    lines.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{up.pixels[0] + 38}" text-anchor="middle">{x_label}</text>')
    lines.append(f'<text x="18" y="{middle}" text-anchor="middle" transform="rotate(-90 18 {middle})">{y_label}</text>')
    return lines


def chart(path, title, *panels):
    """Writes panels (x label, y label, series[, logs]) below each other; logs: x, y or xy for logarithmic axes."""
    height = HEIGHT * len(panels)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}">',
             STYLE, '<rect width="100%" height="100%" rx="6" fill="#fff"/>',
             f'<text x="{LEFT}" y="22" class="title">{title}</text>']
    for k, (x_label, y_label, series, *logs) in enumerate(panels):
        lines += panel(x_label, y_label, series, k * HEIGHT, logs[0] if logs else "")
    path.write_text("\n".join([*lines, "</svg>", ""]))
