"""Papers, their items (figures, tables, claims) and what sinew makes of each."""

import dataclasses
import importlib
import re

# What a verdict says: our result against the paper's.
VERDICTS = {
    "same": "our result agrees with the paper's",
    "better": "our result is better",
    "differs": "our result disagrees; the reason follows",
    "shown": "our picture or scene stands for theirs; there is no number to compare",
    "drawing": "a drawing that explains the method; nothing to repeat",
    "not done": "not repeated; the reason follows",
}


@dataclasses.dataclass
class Verdict:
    word: str  # a key of VERDICTS
    ours: str  # our result, in one sentence or a few numbers
    because: str = ""  # of "differs" and "not done"

    def __post_init__(self):
        if self.word not in VERDICTS:
            raise ValueError(f"verdict: found {self.word}, expected one of {', '.join(VERDICTS)}")
        if self.word in ("differs", "not done") and not self.because:
            raise ValueError(f"verdict: {self.word} needs a reason")


@dataclasses.dataclass
class Table:
    """A table of a study; `note` stands below its title."""
    title: str
    heads: list
    rows: list
    note: str = ""


@dataclasses.dataclass
class Item:
    name: str  # "Figure 8", "Table 2", "Section 3.6: ..."
    theirs: str  # what the paper shows, with its numbers
    verdict: Verdict | None = None  # of an item without measurement
    file: str = ""  # the module, if not figure_8 or table_2; two items may share one
    size: str = "small"  # of the kept result

    @property
    def key(self):
        """figure_8, table_2: the name of the module and of the result."""
        return self.file or re.sub(r"\W+", "_", self.name.lower()).strip("_")


@dataclasses.dataclass
class Paper:
    key: str  # folder in studies/, page in docs/papers/
    short: str  # the paper's short name in docs/theory.md
    title: str
    cite: str
    about: str  # the page's first paragraph
    items: list
    more: tuple = ()  # further pages: modules of the folder whose page() is the text of docs/papers/MODULE.md

    def module(self, item):
        """The module that measures an item. It has
            measure(engine) -> numbers    calls sinew; numbers go to JSON
            verdict(numbers) -> Verdict   judges them
        and, where there is something to show,
            draw(numbers, plots) -> figure
            tables(numbers) -> [Table]."""
        return importlib.import_module(f"studies.{self.key}.{item.key}")

    def measured(self):
        """Items with a module, each module once."""
        seen = {}
        for item in self.items:
            if item.verdict is None:
                seen.setdefault(item.key, item)
        return list(seen.values())
