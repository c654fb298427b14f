"""Numbers as people write them: currencies, units, thousands, decimal commas, parentheses for what is owed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from likely.core.currencies import CURRENCIES, MULTIPLIERS
from likely.core.reading import MOST_UNIT_LETTERS, NUMBER, SEPARATORS, WHOLE, Reading
from likely.data.readings.plain_numbers import GOODS
from likely.data.readings.units import COMMA_CURRENCIES, IN_FRONT, OWED, OWNED, UNITS

_BLANKS = " \u00a0\u2007\u2009\u202f"
_MINUS = r"\-−–"  # within a class of letters
_ENDED = "[.,]$"  # of a number behind whose point dashes stand for no fraction, as in 49,- and 49.--
_CLASSES = {" ": f"[{_BLANKS}]", "'": "['’]"}
_REMARK = r"(?:\([a-z]\))"  # a footnote, as in 12(a)
_LOOSE = re.compile(
    rf"(?P<open>\()?[{_BLANKS}]*(?P<sign>[+{_MINUS}]?)[{_BLANKS}]*(?P<before>[^\W\d_][^\d()+{_MINUS}]*?|[^\w\s.,()+{_MINUS}'’\"]"
    rf"[^\d()+{_MINUS}]*?)??[{_BLANKS}]*(?P<held>\()?[{_BLANKS}]*(?P<inner>[+{_MINUS}]?)[{_BLANKS}]*"
    rf"(?P<body>(?:[.,](?=[0-9]))?[0-9](?:[0-9.,'’{_BLANKS}]*[0-9])?[.,]?(?:[eE][+-]?[0-9]+)?)"
    rf"(?:(?P<mid>[{_MINUS}])(?=[{_BLANKS}]))?(?P<gap>[{_BLANKS}]*)(?P<shut>\))?[{_BLANKS}]*(?P<after>/-|{_REMARK}|[^\d\s.,()+{_MINUS}][^()]*?{_REMARK}?)??"
    rf"[{_BLANKS}]*(?P<trail>[{_MINUS}—]{{0,2}})(?P<close>\))?"
)
# How far a measured number may be off, as in 12.3 ± 0.4.
_DOUBT = rf"[{_BLANKS}]*(?:±|\+/-|\+-)[{_BLANKS}]*[0-9][0-9.,]*(?:[eE][+-]?[0-9]+)?"
_WITH_DOUBT = re.compile(f"(?<=[0-9.]){_DOUBT}")
_BLANK_RUN = re.compile(f"[{_BLANKS}]{{2,}}")
_BOUND = re.compile(rf"[<>≤≥]=?[{_BLANKS}]*(?=[0-9.,])")  # a value that is but known to be below or above another
_DASH_FOR_ZERO = re.compile(rf"(?P<before>[^\d{_MINUS}]*?)[{_BLANKS}]*[{_MINUS}]+[{_BLANKS}]*(?P<after>[^\d{_MINUS}]*)")
# Marks of footnotes: signs behind a number or its unit; after a blank, letters: revised, preliminary, estimated.
_FOOTNOTE_MARK = rf"(?:[{_BLANKS}]*(?:[*†‡§]+|[⁰¹²³⁴-⁹]+|\[[0-9a-z]{{1,2}}\]|{_REMARK})|[{_BLANKS}]+[rpe])"
_NOTED = re.compile(f"(?P<unit>.*?){_FOOTNOTE_MARK}")
MOST_NOTE_LETTERS = 8
MOST_NOTED = 0.5  # share of the numbers that may have a footnote
MOST_BOUNDED = 0.5  # share of the cells that may be known to be below or above a number
MOST_MISFITS = 0.05  # share of the cells that may be words among numbers, and are missing then
ENOUGH_NUMBERS = 20  # different numbers among which a word is no code


def tell_numbers(
    texts: Mapping[str, int], plain: str, numbers: int, comma: bool, some: Collection[str] = ()
) -> Reading | None:
    """The reading of a column of such texts, so many `numbers` beside them being plain; none if it holds no numbers.

    Where all texts allow either, a comma parts thousands, unless other columns show that it stands before fractions.
    `some` are different ones of the plain numbers.

    >>> print(tell_numbers({"1.234,56 €": 1, "99,50 €": 2}, "", 0, False))
    numbers (€ behind, thousands parted by '.', ',' before the fraction)
    >>> tell_numbers({"A12": 1, "A13": 1}, "", 0, False)
    """
    every = numbers + sum(texts.values())
    bare = {text: _WITH_DOUBT.sub("", text, count=1) for text in texts}
    doubted = any(len(short) < len(text) for text, short in bare.items())
    bounded = sum(count for text, count in texts.items() if _BOUND.match(text))
    if bounded > MOST_BOUNDED * every:
        return None
    # A run of blanks could be dealt out to the parts of the patterns in very many ways
    narrow = {text: _BLANK_RUN.sub(" ", short) for text, short in bare.items()}
    texts = {text: count for text, count in texts.items() if not (_BOUND.match(text) or _is_nothing(narrow[text]))}
    found = {text: match for text in texts if (match := _LOOSE.fullmatch(narrow[text])) and _sound(match)}
    total = numbers + sum(texts.values())
    known = numbers + sum(texts[text] for text in found)
    if not found or known < (1 - MOST_MISFITS) * total:
        return None
    befores, afters = _affixes(found, "before"), _affixes(found, "after")
    footnotes = _has_footnotes(found, texts, numbers)
    if footnotes:
        afters = Counter({unit: count for told, count in afters.items() if (unit := _without_note(told))})
    scaled = _is_scaled(found, afters, some)
    ledger = {unit.casefold() for unit in afters} in ({OWED}, {OWED, OWNED})
    if scaled or ledger:
        afters = Counter()
    if len(befores) > 1 or len({_singular(unit) for unit in afters}) > 1 or not {*befores} <= IN_FRONT:
        return None
    if not all(_is_unit(unit, found) for unit in afters):
        return None
    bodies = [match["body"] for match in found.values()]
    if any(re.match(r"0[0-9]", body) for body in bodies) or _has_codes(found.values()) or _are_goods(texts, total):
        return None
    unit = min(afters, key=len, default="")
    comma = comma or not COMMA_CURRENCIES.isdisjoint((*befores, *afters))
    before = next(iter(befores), "")
    shape = Reading(NUMBER, all_marks=True, before=before, after=unit, scaled=scaled, footnotes=footnotes)
    shape = replace(shape, ledger=ledger, doubted=doubted)
    told = _separated(shape, texts, bodies, (plain, numbers, total), comma, len(some))
    enough = not bounded or len(found) + len(some) > ENOUGH_NUMBERS  # of few, they are levels as the others
    return told if enough else None


def _separated(
    shape: Reading,
    texts: Mapping[str, int],
    bodies: list[str],
    plain: tuple[str, int, int],
    comma: bool,
    different: int,
) -> Reading | None:
    """The reading with the separators that most of the texts allow."""
    kind, numbers, total = plain
    spoken, weights = np.array(list(texts), dtype=object), np.array(list(texts.values()))
    best, most, fit = None, 0, None
    for decimal, thousands in _possible(bodies, comma):
        if numbers and kind == NUMBER and decimal == ",":
            continue  # the plain ones have a point before the fraction
        read = replace(shape, decimal=decimal, thousands=thousands)
        fits = ~np.isnan(read_numbers(spoken, read))
        if (weight := int(weights[fits].sum())) > most:
            best, most, fit = read, weight, fits
    if best is None or fit is None or most + numbers < (1 - MOST_MISFITS) * total:
        return None
    if most + numbers < total and fit.sum() + different <= ENOUGH_NUMBERS:
        return None  # a few codes, some of which have letters
    parted = any(re.search(_CLASSES.get(best.thousands, re.escape(best.thousands)), body) for body in bodies)
    pointed = any(best.decimal in body for body in bodies)
    thousands = best.thousands if parted else ""
    best = replace(best, thousands=thousands, decimal=best.decimal if pointed or thousands == "." else ".")
    values = read_numbers(spoken[fit], best)
    whole = not pointed and kind in ("", WHOLE) and bool((np.abs(values) < 2**53).all() and (values % 1 == 0).all())
    return replace(best, form=WHOLE) if whole else best


def _possible(bodies: Iterable[str], comma: bool) -> list[tuple[str, str]]:
    """The separators that there may be, of those that occur; first the ones that are taken where all would do."""
    letters = {*"".join(bodies)}
    if "." not in letters and letters <= {*"0123456789eE+-"}:
        return [(".", "")]
    blank, quote = not letters.isdisjoint(_BLANKS), not letters.isdisjoint("'’")
    occur = {" ": blank, "'": quote, ",": "," in letters, ".": "." in letters}
    found = [pair for pair in SEPARATORS if occur[pair[0]] or occur[pair[1]]]
    return sorted(found, key=lambda pair: pair[0] != ",") if comma else found


def _sound(match: re.Match[str]) -> bool:
    """Whether parentheses are both there or none, and there is one sign at most."""
    trail = "" if re.search(_ENDED, match["body"]) else match["trail"]
    if len(trail) > 1:
        return False
    signs = [match["open"], match["held"], match["sign"], match["inner"], trail]
    ends = [match["shut"], match["close"]]
    if match["mid"] and (signs[2] or not _is_known((match["after"] or "").strip())):
        return False  # as in "5- star"
    return sum(map(bool, signs[:2])) == sum(map(bool, ends)) and sum(map(bool, signs)) <= 1


def is_bound(text: str) -> bool:
    """Whether it is but known to be below or above a number, as in "<0.1".

    >>> is_bound("< 5"), is_bound("few")
    (True, False)
    """
    return _BOUND.match(text.strip()) is not None


def _is_nothing(text: str) -> bool:
    """Whether it is a dash with a currency, which stands for 0."""
    match = _DASH_FOR_ZERO.fullmatch(text)
    return match is not None and (match["before"] or match["after"]) in CURRENCIES


def _without_note(unit: str) -> str:
    """A unit without the mark of a footnote behind it; a power of it is none."""
    if unit in UNITS or len(unit) > MOST_UNIT_LETTERS + MOST_NOTE_LETTERS:
        return unit
    noted = _NOTED.fullmatch(unit) or _NOTED.fullmatch(f" {unit}")
    return noted["unit"].strip() if noted else unit


def _has_footnotes(found: Mapping[str, re.Match[str]], texts: Mapping[str, int], numbers: int) -> bool:
    """Whether marks of footnotes stand behind some of the numbers: a letter must stand apart, and most have none."""
    noted = 0
    for text, match in found.items():
        unit = (match["after"] or "").strip()
        if unit and _without_note(unit) != unit:
            if unit in {*"rpe"} and not match["gap"]:
                return False
            noted += texts[text]
    return 0 < noted <= MOST_NOTED * (numbers + sum(texts[text] for text in found))


def _is_scaled(found: Mapping[str, re.Match[str]], units: Collection[str], some: Collection[str]) -> bool:
    """Whether K, M and the like multiply: more than one of them, or none at some numbers, so that they are no unit."""
    if not units or not {*units} <= {*MULTIPLIERS}:
        return False
    letters = {unit for unit in units if unit.isascii() and len(unit) == 1}
    lettered = [match for match in found.values() if (match["after"] or "").strip() in letters]
    bare = [match["body"] for match in found.values() if not match["after"]] + [*some]
    powers = {MULTIPLIERS[unit] for unit in units} | ({""} if any(body.strip("0.,") for body in bare) else set())
    if not letters:
        return len(powers) > 1
    sizes = ("T" in letters and "B" not in letters) or ("m" in letters and powers.isdisjoint({"3", "9"}))
    if sizes or any(match["gap"] for match in lettered):
        return False  # of clothes, of metres, of Kelvin
    fractions = any(re.search("[.,]", match["body"]) for match in lettered)
    if len(powers) == 1:
        return not letters <= UNITS and len(found) > ENOUGH_NUMBERS and all("." in one["body"] for one in lettered)
    large = letters <= {"K", "k"} and any(len(re.sub(r"\D.*", "", body)) > 2 for body in bare)
    return fractions or large or ("3" in powers and len(powers - {""}) > 1)


def _affixes(found: Mapping[str, re.Match[str]], name: str) -> Counter[str]:
    return Counter(told.strip() for match in found.values() if (told := match[name]))


def _singular(unit: str) -> str:
    return re.sub(r"(?:s|\(s\)|e|en)?\.?$", "", unit.casefold()) if len(unit) > 2 else unit


def _is_known(unit: str) -> bool:
    return unit in CURRENCIES or unit in UNITS


def _is_unit(unit: str, found: Mapping[str, re.Match[str]]) -> bool:
    if _is_known(unit):
        return True
    if len(unit) > MOST_UNIT_LETTERS or len(unit.split()) > 2:
        return False
    apart = all(match["gap"] for match in found.values() if match["after"] and match["after"].strip() == unit)
    far = all(letter >= "\u2e80" for letter in unit)  # letters of China, Japan and Korea need no blank
    return (apart and len(unit) > 1) or far


def _has_codes(found: Iterable[re.Match[str]]) -> bool:
    """Whether a plus stands before bare numbers, none of which has a minus: those of telephones."""
    signs = [(match["sign"] or match["inner"], match["after"] or match["before"] or "") for match in found]
    return any(sign == "+" and not unit for sign, unit in signs) and not any(sign in {*"-−–"} for sign, _ in signs)


def _are_goods(texts: Mapping[str, int], total: int) -> bool:
    """Whether texts such as 1E5 are codes of goods: programs write 1E+05, and people also numbers without an E."""
    goods = sum(count for text, count in texts.items() if GOODS.fullmatch(text))
    powers = any(re.search(r"\d[eE]", text) and not GOODS.fullmatch(text) for text in texts) if goods else False
    return not powers and goods > MOST_MISFITS * total


def number_pattern(reading: Reading) -> str:
    """A regular expression, for Python's and for Arrow's, of the numbers of a reading."""
    one = _CLASSES.get(reading.thousands, re.escape(reading.thousands))
    groups = r"(?:[0-9]{2,3}" + one + ")*[0-9]{3}" if reading.thousands == "," else "[0-9]{3}(?:" + one + "[0-9]{3})*"
    parted = f"[1-9][0-9]{{0,2}}{one}{groups}|" if reading.thousands else ""
    point = re.escape(reading.decimal)
    power = "(?:[eE][+-]?[0-9]+)?"
    body = f"(?:{parted}[0-9]+)(?:{point}[0-9]*)?{power}|{point}[0-9]+{power}|(?i:inf|infinity|nan)"
    blank = f"[{_BLANKS}]*"
    before = f"(?:{re.escape(reading.before)})?" if reading.before else ""
    scales = "|".join(map(re.escape, sorted(MULTIPLIERS, key=len, reverse=True)))
    scale = f"(?P<scale>{scales})?" if reading.scaled else ""
    note = f"{_FOOTNOTE_MARK}?" if reading.footnotes else ""
    ledger = f"(?P<owed>(?i:{OWED}))?(?i:{OWNED})?[.]?" if reading.ledger else ""
    after = f"(?i:{_letters(reading.after)}(?:s|\\(s\\)|e|en)?[.]?)?" if reading.after else ""
    sign = f"[+{_MINUS}]?"
    doubt = f"(?:{_DOUBT})?" if reading.doubted else ""
    mid = f"(?:(?P<mid>[{_MINUS}])[{_BLANKS}])?" if reading.after else "(?P<mid>)"
    return (
        rf"^(?P<open>\(?){blank}(?P<sign>{sign}){blank}{before}{blank}(?P<held>\(?){blank}(?P<inner>{sign}){blank}"
        rf"(?P<body>{body}){doubt}{mid}{blank}(?P<shut>\)?){blank}{scale}{after}{ledger}{note}{blank}(?P<trail>[{_MINUS}—]{{0,2}})(?P<close>\)?)$"
    )


def nothing_pattern(reading: Reading) -> str:
    """A regular expression of what ledgers, and Excel's accounting format, write for 0: a dash with the currency."""
    before, after = (f"(?:{re.escape(affix)})?" if affix else "" for affix in (reading.before, reading.after))
    return rf"^{before}[{_BLANKS}]*[{_MINUS}]+[{_BLANKS}]*{after}$"


def _letters(unit: str) -> str:
    return re.escape(_singular(unit)) if len(unit) > 2 else f"(?-i:{re.escape(unit)})"


def read_numbers(texts: Any, reading: Reading) -> Any:
    """(texts,): the numbers; NaN where a text is none of this reading, or is missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    given = texts if isinstance(texts, pa.Array) else pa.array(texts, pa.string())
    found = pc.extract_regex(given, number_pattern(reading))
    valid = found.is_valid().to_numpy(zero_copy_only=False)

    def has(name: str) -> Any:
        told = pc.fill_null(pc.struct_field(found, name), "")
        return pc.and_(pc.not_equal(told, ""), pc.not_equal(told, "+")).to_numpy(zero_copy_only=False)

    body = pc.fill_null(pc.struct_field(found, "body"), "nan")
    ended = pc.match_substring_regex(body, _ENDED).to_numpy(zero_copy_only=False)
    if reading.scaled:
        scale = pc.fill_null(pc.struct_field(found, "scale"), "")
        power = pa.array([MULTIPLIERS.get(one, "") for one in scale.to_pylist()], pa.string())
        told = pc.not_equal(power, "")
        valid &= ~pc.and_(told, pc.match_substring_regex(body, "[a-zA-Z]")).to_numpy(zero_copy_only=False)
        body = pc.if_else(pa.array(valid), body, "nan")
    if reading.thousands:
        one = _CLASSES.get(reading.thousands, re.escape(reading.thousands))
        body = pc.replace_substring_regex(body, one, "")
    if reading.decimal != ".":
        body = pc.replace_substring(body, reading.decimal, ".")
    if reading.scaled:  # as an exponent: so the number is the nearest there is
        body = pc.if_else(pc.and_(told, pa.array(valid)), pc.binary_join_element_wise(body, power, "e"), body)
    values = body.cast(pa.float64()).to_numpy(zero_copy_only=False)
    dashes = pc.fill_null(pc.utf8_length(pc.struct_field(found, "trail")), 0).to_numpy(zero_copy_only=False)
    valid &= ended | (dashes < 2)
    names = ("open", "held", "sign", "inner", "mid", *(("owed",) if reading.ledger else ()))
    minus = [*(has(name) for name in names), has("trail") & ~ended]
    valid &= (has("open") | has("held")) == (has("shut") ^ has("close"))
    valid &= sum(one.astype(np.int8) for one in minus) <= 1
    return np.where(valid, np.where(np.any(minus, axis=0), -values, values), np.nan)
