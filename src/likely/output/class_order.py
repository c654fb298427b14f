"""The order in which people read classes: months by the year, degrees from low to high, numbered names by number.

`classes_` stays sorted, as scikit-learn has it; what is shown to people is in this order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

# What is read from first to last; a slash parts words of one rank. All classes have to be of one line.
ORDERED_WORDS = (
    "january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sep/sept october/oct"
    " november/nov december/dec",
    "一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月",
    "monday/mon tuesday/tue/tues wednesday/wed thursday/thu/thur/thurs friday/fri saturday/sat sunday/sun",
    "星期一/周一 星期二/周二 星期三/周三 星期四/周四 星期五/周五 星期六/周六 星期日/星期天/周日/周天",
    "spring summer autumn/fall winter",
    "春/春季 夏/夏季 秋/秋季 冬/冬季",
    "none/zero very_low/vlow/minimal low/mild/light/minor moderately_low medium/med/mid/middle/moderate/normal/average"
    " moderately_high high/severe/heavy/major very_high/vhigh extreme/critical",
    "无 很低/极低 低/轻度/轻 中/中等/中度 高/重度/重 很高/极高",
    "tiny/very_small small medium/med/middle large/big very_large/huge",
    "xxs xs s m l xl xxl xxxl",
    "小 中 大 特大",
    "never rarely/seldom sometimes/occasionally often/frequently usually always",
    "从不 很少 有时 经常 总是",
    "very_bad/terrible bad/poor fair/ok/neutral/average good very_good/vgood excellent",
    "差 一般/中 良/良好 优/优秀",
    "strongly_disagree disagree neutral agree strongly_agree",
    "beginner/novice intermediate advanced expert",
    "primary secondary tertiary",
    "bronze silver gold platinum diamond",
    "child teenager/teen adult senior",
    "first second third fourth fifth sixth seventh eighth ninth tenth",
    "one two three four five six seven eight nine ten",
)
RANKS = tuple(
    {word: rank for rank, words in enumerate(scale.split()) for word in words.split("/")} for scale in ORDERED_WORDS
)


def reading_order(classes: Sequence[Any]) -> list[int]:
    """The places of the classes in the order in which people read them; those that nothing is known of stay.

    >>> reading_order(["Apr", "Feb", "Jan"]), reading_order(["high", "low", "medium"]), reading_order(["no", "yes"])
    ([2, 1, 0], [1, 2, 0], [0, 1])
    >>> reading_order(["grade 1", "grade 10", "grade 2"]), reading_order(["18-25", "5-17", ">25"])
    ([0, 2, 1], [1, 0, 2])
    """
    places = list(range(len(classes)))
    if not all(isinstance(one, str) for one in classes):
        return places
    words = [re.sub(r"[\s_-]+", "_", one.strip().casefold()) for one in classes]
    for ranks in RANKS:
        if all(word in ranks for word in words):
            return sorted(places, key=lambda at: ranks[words[at]])
    numbers = [_numbered(one) for one in classes]
    if all(one is not None for one in numbers) and len({one[0] for one in numbers if one}) == 1:
        return sorted(places, key=lambda at: numbers[at][1:])  # type: ignore[index]
    return places


def _numbered(text: str) -> tuple[str, float, int] | None:
    """What stands before the first number of a text, the number, and whether what is meant lies below or above it."""
    found = re.match(r"\s*(<=?|>=?|≤|≥)?\s*(\D*?)(\d+(?:\.\d+)?)", text)
    if found is None:
        return None
    side = {"<": -1, "≤": -1, ">": 1, "≥": 1}.get((found[1] or " ")[0], 0) or int(text.rstrip().endswith("+"))
    return found[2].casefold(), float(found[3]), side
