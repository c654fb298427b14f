"""How the text of a column becomes values: a value of its own, which a model keeps to read later rows the same way."""

from __future__ import annotations

from dataclasses import dataclass, replace

from likely.core.date_layouts import DATE_LAYOUTS, DURATION_LAYOUTS, THAI

WORDS, WHOLE, NUMBER, TRUTH, DATE, TIME, DURATION, ANGLE, RAW = FORMS = (
    "words",
    "whole",
    "number",
    "truth",
    "date",
    "time",
    "duration",
    "angle",  # degrees of latitude or longitude
    "raw",  # text as it stands, blanks and marks and all
)
SEPARATORS = ((".", ","), (",", "."), (".", " "), (",", " "), (".", "'"), (",", "'"))  # (decimal, thousands)
MOST_UNIT_LETTERS = 20
MOST_MARK_LETTERS = 200


@dataclass(frozen=True)
class Reading:
    """What the cells of a column are, and how they are written.

    >>> print(Reading("number", before="¥", thousands=","))
    numbers (¥ in front, thousands parted by ',')
    """

    form: str = WORDS
    layout: str = ""  # of dates: the order of year, month and day, and what stands between them
    all_marks: bool = False  # whether a dash or a point is a missing value: where the others are no words
    decimal: str = "."  # of numbers: what stands before their fraction
    thousands: str = ""  # of numbers: what parts the thousands; a blank is any blank
    before: str = ""  # of numbers: a currency in front of them
    after: str = ""  # of numbers: a currency or unit behind them
    words: tuple[str, ...] = ()  # of truth values: the word for no, the word for yes; none for true and false
    doubt: str = ""  # another reading that all cells allow; of numbers, two spellings of one, as in 1.1 and 1.10
    scaled: bool = False  # of numbers: whether K, M and the like behind them multiply
    footnotes: bool = False  # of numbers: whether marks of footnotes may stand behind them
    marks: tuple[str, ...] = ()  # further marks of missing values
    spared: tuple[str, ...] = ()  # marks that are words here, as NA is among the codes of countries
    doubted: bool = False  # of numbers: whether how far they may be off stands behind them, which is left out
    ledger: bool = False  # of numbers: whether those with DR behind them, and not CR, are below zero

    @property
    def plain(self) -> bool:
        """Whether cells of this form are as a program writes them: nothing is to be said or kept."""
        return self == Reading(self.form, all_marks=self.all_marks) and self.form in (WORDS, WHOLE, NUMBER)

    @property
    def sound(self) -> bool:
        """Whether it is a reading that text can be read by."""
        layouts = {**dict.fromkeys((DATE, TIME), ("", *DATE_LAYOUTS)), DURATION: DURATION_LAYOUTS}
        return (
            self.form in FORMS
            and self.layout in layouts.get(self.form, ("",))
            and (self.decimal, self.thousands) in {*SEPARATORS, (".", ""), (",", "")}
            and len(self.words) in (0, 2)
            and max(map(len, (self.before, self.after, self.doubt))) <= MOST_UNIT_LETTERS
            and all(isinstance(mark, str) and len(mark) <= MOST_MARK_LETTERS for mark in (*self.marks, *self.spared))
        )

    @property
    def kept(self) -> Reading | None:
        """What a model keeps to read later rows the same way, where that is not plain from its columns."""
        if self.plain:
            return None
        return replace(self, form=NUMBER) if self.form == WHOLE else self

    def __str__(self) -> str:
        missing = f"missing: {', '.join(map(repr, self.marks))}" if self.marks else ""
        spared = f"{', '.join(map(repr, self.spared))} is one of them" if self.spared else ""
        if self.form in (WHOLE, NUMBER):
            told = (
                f"{self.before} in front" if self.before else "",
                f"{self.after} behind" if self.after else "",
                f"thousands parted by {_parting(self.thousands)}" if self.thousands else "",
                f"{self.decimal!r} before the fraction" if self.decimal != "." else "",
                "K, M and the like multiply" if self.scaled else "",
                "below 0 with DR behind" if self.ledger else "",
                "what stands behind ± left out" if self.doubted else "",
                "marks of footnotes left out" if self.footnotes else "",
                f"{self.doubt} are one" if self.doubt else "",
                missing,
            )
            return _with("numbers", told)
        if self.form in (DATE, TIME):
            doubt = f"{self.doubt} would fit as well" if self.doubt else ""
            buddhist = "years of the Buddhist era: 2567 is 2024" if self.layout.startswith(THAI) else ""
            return _with("dates with times" if self.form == TIME else "dates", (self.layout, buddhist, doubt, missing))
        if self.form == TRUTH:
            return _with(f"{self.words[1]} or {self.words[0]}" if self.words else "true or false", (missing,))
        if self.form == ANGLE:
            return _with("degrees", ("S and W below 0", missing))
        return _with("durations, in hours" if self.form == DURATION else "words", (missing, spared))


def _parting(thousands: str) -> str:
    return "blanks" if thousands == " " else repr(thousands)


def _with(what: str, told: tuple[str, ...]) -> str:
    more = ", ".join(filter(None, told))
    return f"{what} ({more})" if more else what
