"""Signs and codes of currencies, what multiplies amounts, and words that are amounts in several currencies."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from likely.core.identifiers import IDENTIFIER_SHARE

CURRENCIES = frozenset(
    (
        *"$€£¥￥₹₽₩₺₴₫฿₪₦₱₿元円원",
        *("R$", "US$", "A$", "C$", "HK$", "NZ$", "S$", "NT$", "RM", "Rs", "Rs.", "Rp", "Fr", "Fr.", "Kč", "zł", "Ft"),
        *("kr", "kr.", "lei", "лв", "руб", "руб.", "р.", "万元", "人民币"),
        *("USD", "EUR", "GBP", "JPY", "CNY", "RMB", "CHF", "INR", "AUD", "CAD", "NZD", "HKD", "SGD", "TWD", "KRW"),
        *("SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON", "BGN", "TRY", "RUB", "UAH", "BRL", "MXN", "ARS", "CLP"),
        *("COP", "ZAR", "NGN", "EGP", "ILS", "AED", "SAR", "THB", "IDR", "MYR", "PHP", "VND", "BTC"),
    )
)
# What multiplies a number, right behind it or as a word.
MULTIPLIERS = {
    **dict.fromkeys(("K", "k", "thousand", "tsd", "Tsd", "Tsd."), "3"),
    **dict.fromkeys(("万",), "4"),
    **dict.fromkeys(("M", "m", "mn", "million", "millions", "Mio", "Mio."), "6"),
    **dict.fromkeys(("亿",), "8"),
    **dict.fromkeys(("B", "b", "bn", "billion", "billions", "Mrd", "Mrd."), "9"),
    **dict.fromkeys(("T", "trillion", "trillions"), "12"),
}
MOST_AMOUNT_LETTERS = 40
WORDS_LOOKED_AT = 200  # words of a column that are looked at
_AMOUNT_WITH_CURRENCY = re.compile(
    r"[(+\-−]?\s*(?P<before>[^\d\s.,()+\-−][^\d\s,()+\-−]*)?\s*[(+\-−]?\d[\d.,'’\s]*(?P<after>[^\d\s,()]+)?\s*[)\-−]?"
)


def currencies_among(words: Sequence[object]) -> list[str]:
    """The currencies, the commonest first, of words nearly all of which are amounts in one of several; else none.

    >>> currencies_among(["$5", "$7.50", "€ 1.200,00", "$8"]), currencies_among(["$5", "7"])
    (['$', '€'], [])
    """
    some = words[:: -(-len(words) // WORDS_LOOKED_AT) or 1]
    found = Counter(sign for word in some if (sign := _currency_of(str(word))))
    enough = len(found) > 1 and found.total() >= IDENTIFIER_SHARE * len(some)
    return [sign for sign, _ in found.most_common()] if enough else []


def _currency_of(word: str) -> str:
    """The currency of an amount; of another word, nothing."""
    match = _AMOUNT_WITH_CURRENCY.fullmatch(word) if len(word) <= MOST_AMOUNT_LETTERS else None
    signs = [sign for sign in (match["before"], match["after"]) if sign] if match else []
    return signs[0] if len(signs) == 1 and signs[0] in CURRENCIES else ""
