"""One look for all plots of the studies."""

import matplotlib
import matplotlib.ticker

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

# Colours that stay apart in grey and for colour-blind readers (Okabe, Ito 2008), and one marker each.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"]
MARKERS = ["o", "s", "^", "D", "v", "P", "x"]

pyplot.rcParams.update({
    "font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.alpha": 0.3,
    "axes.prop_cycle": matplotlib.cycler(color=COLOURS), "legend.frameon": False, "figure.dpi": 100, "svg.hashsalt": "sinew",
})


def axes(count=1, width=4.2, height=3.0):
    """A figure and its axes: one, or a list of several side by side."""
    figure, made = pyplot.subplots(1, count, figsize=(width * count, height), constrained_layout=True)
    return figure, made


def lines(ax, series, x="", y="", log="", title=""):
    """Draws {label: [(x, y), ...]}; `log` names the logarithmic axes: "x", "y" or "xy"."""
    for index, (label, points) in enumerate(series.items()):
        points = [point for point in points if point[1] is not None]
        marker = MARKERS[index % len(MARKERS)] if len(points) <= 40 else None
        ax.plot([p[0] for p in points], [p[1] for p in points], marker=marker, markersize=4, linewidth=1.3, label=label)
    if "x" in log:
        ax.set_xscale("log")
    if "y" in log:
        ax.set_yscale("log")
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.set_title(title, fontsize=9)
    if len(series) > 1:
        ax.legend(fontsize=8)


def bars(ax, labels, series, y="", title="", log=False):
    """Draws {label: [value of each of `labels`]} as grouped bars."""
    width = 0.8 / len(series)
    for index, (label, values) in enumerate(series.items()):
        places = [place + (index - (len(series) - 1) / 2) * width for place in range(len(labels))]
        ax.bar(places, values, width, label=label)
    ax.set_xticks(range(len(labels)))
    ax.set_xticklabels(labels, rotation=30 if max(map(len, labels)) > 6 else 0, ha="right" if max(map(len, labels)) > 6 else "center")
    if log:
        ax.set_yscale("log")
    ax.set_ylabel(y)
    ax.set_title(title, fontsize=9)
    if len(series) > 1:
        ax.legend(fontsize=8)


def save(figure, path):
    figure.savefig(path, metadata={"Software": None})
    pyplot.close(figure)


def whole_steps(ax):
    """Ticks of the x-axis at whole numbers."""
    ax.xaxis.get_major_locator().set_params(integer=True)


def ticks(ax, x=None, y=None):
    """Ticks at these values alone, written as numbers."""
    for axis, values in ((ax.xaxis, x), (ax.yaxis, y)):
        if values is not None:
            axis.set_major_locator(matplotlib.ticker.FixedLocator(list(values)))
            axis.set_major_formatter(matplotlib.ticker.FuncFormatter(lambda value, _: f"{value:g}"))
            axis.set_minor_locator(matplotlib.ticker.NullLocator())
