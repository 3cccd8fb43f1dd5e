"""Plots of lines and of counts as small SVG files, for the documents."""

import html
import math

WIDTH, HEIGHT = 520, 320
LEFT, RIGHT, TOP, BOTTOM = 64, 12, 30, 46
COLORS = ("#1f5fa8", "#c8501e", "#2d8a4e", "#7a4fa3", "#8a8a8a", "#b8921a")


def text(x, y, words, anchor="middle", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{html.escape(str(words))}</text>'


def number(value):
    if value == 0 or 1e-3 <= abs(value) < 1e6:
        return f"{value:.6g}"
    return f"{value:.3g}".replace("e-0", "e-").replace("e+0", "e")


def ticks(low, high, log):
    if log:
        decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        steps = (1, 2, 5) if len(decades) < 4 else (1,)
        return [s * 10.0**d for d in decades for s in steps if low * 0.999 <= s * 10.0**d <= high * 1.001]
    raw = (high - low) / 5
    step = min((s * 10.0**math.floor(math.log10(raw)) for s in (1, 2, 5, 10)), key=lambda s: abs(s - raw))
    return [step * k for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def frame(title, x_label, y_label):
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'font-family="sans-serif" font-size="11">', f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        text((LEFT + WIDTH - RIGHT) / 2, 18, title, more=' font-size="13"'),
        text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, x_label),
        text(14, (TOP + HEIGHT - BOTTOM) / 2, y_label, more=f' transform="rotate(-90 14 {(TOP + HEIGHT - BOTTOM) / 2:.1f})"')
    ]


def scale(low, high, begin, end, log):
    map_ = math.log10 if log else float
    return lambda v: begin + (map_(v) - map_(low)) / (map_(high) - map_(low)) * (end - begin)


def legend(parts, names, at_left):
    x = LEFT + 10 if at_left else WIDTH - RIGHT - 158
    parts.append(f'<rect x="{x - 4}" y="{TOP + 2}" width="160" height="{15 * len(names) + 4}" fill="white" fill-opacity="0.85"/>')
    for k, name in enumerate(names):
        y = TOP + 14 + 15 * k
        parts.append(f'<rect x="{x}" y="{y - 8}" width="12" height="8" fill="{COLORS[k]}"/>')
        parts.append(text(x + 17, y, name, "start"))


def write(path, parts):
    path.write_text("\n".join(parts) + "\n</svg>\n")


def lines(path, title, x_label, y_label, series, log_x=False, log_y=False, markers=True, legend_at_left=False):
    """series: name -> pairs of x and y."""
    xs = [x for pairs in series.values() for x, _ in pairs]
    ys = [y for pairs in series.values() for _, y in pairs]
    x_range, y_range = (min(xs), max(xs)), (min(ys) if log_y else min(0, *ys), max(ys))
    if log_y:
        y_range = (y_range[0] / 1.3, y_range[1] * 1.3)
    if x_range[0] == x_range[1]:  # a single place
        x_range = (0.9 * x_range[0], 1.1 * x_range[0] or 1)
    x_of = scale(*x_range, LEFT, WIDTH - RIGHT, log_x)
    y_of = scale(*y_range, HEIGHT - BOTTOM, TOP, log_y)
    parts = frame(title, x_label, y_label)
    for tick in ticks(*x_range, log_x):
        parts.append(f'<path d="M{x_of(tick):.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/>')
        parts.append(text(x_of(tick), HEIGHT - BOTTOM + 15, number(tick)))
    for tick in ticks(*y_range, log_y):
        parts.append(f'<path d="M{LEFT} {y_of(tick):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(text(LEFT - 5, y_of(tick) + 4, number(tick), "end"))
    for color, pairs in zip(COLORS, series.values()):
        points = [f"{x_of(x):.1f} {y_of(y):.1f}" for x, y in pairs]
        parts.append(f'<path d="M{"L".join(points)}" fill="none" stroke="{color}" stroke-width="1.6"/>')
        if markers:
            parts += [f'<circle cx="{p.split()[0]}" cy="{p.split()[1]}" r="2.4" fill="{color}"/>' for p in points]
    legend(parts, series, legend_at_left)
    write(path, parts)


def bars(path, title, x_label, y_label, labels, series):
    """series: name -> a number for each label."""
    top = max(max(values) for values in series.values())
    y_of = scale(0, top, HEIGHT - BOTTOM, TOP, False)
    slot = (WIDTH - RIGHT - LEFT) / len(labels)
    width = 0.8 * slot / len(series)
    parts = frame(title, x_label, y_label)
    for tick in ticks(0, top, False):
        parts.append(f'<path d="M{LEFT} {y_of(tick):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(text(LEFT - 5, y_of(tick) + 4, number(tick), "end"))
    every = math.ceil(len(labels) / 11)
    for k, label in enumerate(labels):
        if k % every == 0:
            parts.append(text(LEFT + (k + 0.5) * slot, HEIGHT - BOTTOM + 15, label))
    for s, values in enumerate(series.values()):
        for k, value in enumerate(values):
            x, y = LEFT + (k + 0.1) * slot + s * width, y_of(value)
            parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{HEIGHT - BOTTOM - y:.1f}" fill="{COLORS[s]}"/>')
    if len(series) > 1:
        legend(parts, series, False)
    write(path, parts)
