"""Words for no and for yes, in the languages that tables are written in."""

from __future__ import annotations

from collections.abc import Iterable

# For each language what means no, and what means yes; a column may mix the spellings of one.
NO_AND_YES = (
    (("no", "n", "false", "f"), ("yes", "y", "true", "t")),
    (("off", "disabled", "inactive"), ("on", "enabled", "active")),
    (("nein", "n", "falsch"), ("ja", "j", "wahr")),  # German
    (("nee", "n", "nej", "nei"), ("ja", "j")),  # Dutch, Swedish, Danish, Norwegian
    (("non", "n", "faux"), ("oui", "o", "vrai")),  # French
    (("no", "n", "falso"), ("sí", "si", "sì", "s", "verdadero", "vero")),  # Spanish, Italian
    (("não", "nao", "n", "falso"), ("sim", "s", "verdadeiro")),  # Portuguese
    (("nie", "fałsz"), ("tak", "prawda")),  # Polish
    (("ne", "nem"), ("ano", "da", "igen")),  # Czech, Croatian, Hungarian
    (("нет", "ложь"), ("да", "истина")),  # Russian
    (("ні",), ("так",)),  # Ukrainian
    (("не",), ("да",)),  # Bulgarian, Serbian
    (("nu",), ("da",)),  # Romanian
    (("ei",), ("kyllä", "jah")),  # Finnish, Estonian
    (("όχι", "οχι"), ("ναι",)),  # Greek
    (("לא",), ("כן",)),  # Hebrew
    (("لا",), ("نعم",)),  # Arabic
    (("نه", "خیر"), ("بله",)),  # Persian
    (("नहीं",), ("हाँ", "हां")),  # Hindi
    (("không",), ("có",)),  # Vietnamese
    (("tidak",), ("ya",)),  # Indonesian
    (("✗", "✘", "×", "☐", "❌"), ("✓", "✔", "○", "☑", "✅")),
    (("hayır",), ("evet",)),  # Turkish
    (("否", "不是", "无", "假", "不"), ("是", "是的", "有", "真", "对")),  # Chinese
    (("いいえ", "無"), ("はい", "有")),  # Japanese
    (("아니요", "아니오"), ("예", "네")),  # Korean
)


def no_and_yes(words: Iterable[object]) -> tuple[str, ...]:
    """The two levels of a column that holds yes and no in one spelling each, no first; nothing of any other.

    >>> no_and_yes(["Yes", "No"]), no_and_yes(["ja", "nein"]), no_and_yes(["red", "no"])
    (('No', 'Yes'), ('nein', 'ja'), ())
    """
    found = {word.casefold(): word for word in words if isinstance(word, str)}
    if len(found) != 2:
        return ()
    for no, yes in NO_AND_YES:
        told = (*(word for word in no if word in found), *(word for word in yes if word in found))
        if len(told) == 2 and told[0] in no and told[1] in yes:
            return tuple(found[word] for word in told)
    return ()
