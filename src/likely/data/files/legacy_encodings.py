"""Encodings of texts from before Unicode: told from which of them occur, how often, and side by side."""

from __future__ import annotations

import codecs
import re
from typing import Any

import numpy as np

from likely.core.numerics import Array

COMMON_CHINESE = 0.8  # share of letters beyond ASCII that are common ones of a script, from which a text is in it
SIDE_BY_SIDE = 0.85  # share of the letters of another script that stand beside one of their kind
ENOUGH_LETTERS = 3  # different letters of Latin alphabets that are not of Western Europe
FITTING, FOREIGN = 0.98, 0.9  # share of letters that are of an alphabet: at least, and at most of a Western one
ENOUGH_SYLLABLES = 10  # different ones, before Korean is told from Chinese, whose commonest letters have its bytes
ENOUGH_SIGNS = 5  # different ones, before a text is Taiwanese
ENOUGH_BYTES = 12  # of Cyrillic letters, before they are no Chinese ones
_KANA = 0.1  # share of letters of Japanese that are kana, at least
_UNDEFINED = b"\x81\x8d\x8f\x90\x9d"  # of Windows-1252
_SHARED_SIGNS = re.compile("[\x00-\x7f¥€°²³]")  # of any land
_WESTERN = (
    "äöüß",
    "àâæçéèêëîïôœùûüÿ",
    "áéíñóúüªº",
    "áàâãçéêíóôõúü",
    "àèéìíòù",
    "åäöéü",
    "æøåéö",
    "éëïöüèá",
    "áðéíóúýþæö",
)
# Latin alphabets of other Windows encodings, and other scripts.
_LATIN = {
    "cp1250": ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "čćđšž", "ăâîşţ"),
    "cp1254": ("çğıöşüİâîû",),
    "cp1257": ("ąčęėįšųūž", "āčēģīķļņšūž"),
}
_CYRILLIC = "абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґ№"
_HEBREW = range(0xE0, 0xFB)  # bytes of cp1255, which are small Cyrillic letters too
_FINALS = (0xEA, 0xED, 0xEF, 0xF3, 0xF5)  # letters of Hebrew that end a word
_LETTERS_OF_SCRIPTS = {"cp1251": _CYRILLIC, "cp1253": "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋ"}
_COMMON_LEADS = {bytes([lead]) for lead in range(0xA1, 0xD8)}  # of GB 2312, whose rarer letters come after
LEGACY = ("gb18030", "cp1255", "cp1252", "latin-1", "cp932", "cp949", "big5", *_LATIN, *_LETTERS_OF_SCRIPTS)


class LegacyLetters:
    """What the bytes of a text show that is not in UTF-8.

    >>> for name, text in [("cp1251", "Привет"), ("cp1250", "Łódź, żółw"), ("gb18030", "北京天津"), ("cp1252", "Zoë"),
    ...                    ("cp1255", "שלום עולם, ירושלים")]:
    ...     letters = LegacyLetters()
    ...     letters.add(text.encode(name))
    ...     print(letters.tell())
    cp1251
    cp1250
    gb18030
    cp1252
    cp1255
    """

    def __init__(self) -> None:
        self._counts = np.zeros(256, dtype=np.int64)
        self._finals = [0, 0]  # bytes that are finals of Hebrew: before another letter, and at the end of a word
        self._beside = 0  # bytes beyond ASCII that stand beside another
        self._texts = {name: _Letters(name) for name in ("gb18030", "cp932", "cp949", "big5")}

    def add(self, chunk: bytes) -> None:
        """The next bytes."""
        if chunk.isascii():
            return
        given = np.frombuffer(chunk, np.uint8)
        self._counts += np.bincount(given, minlength=256)
        final, letter = np.isin(given[:-1], _FINALS), given[1:] >= _HEBREW[0]
        self._finals[0] += int((final & letter).sum())
        self._finals[1] += int((final & ~letter).sum())
        beyond = np.concatenate([[False], given >= 128, [False]])
        self._beside += int((beyond[1:-1] & (beyond[:-2] | beyond[2:])).sum())
        for text in self._texts.values():
            text.add(chunk)

    def tell(self) -> str:
        """The encoding."""
        chinese, japanese, korean, taiwanese = self._texts.values()
        if korean.share(lambda letter: "가" <= letter <= "힣") >= FITTING and len(korean.letters) >= ENOUGH_SYLLABLES:
            return "cp949"
        is_chinese = chinese.share(_is_common_chinese) >= COMMON_CHINESE
        if self._is_hebrew():
            return "cp1255"
        if self._in_script("cp1251") and not (is_chinese and self._counts[128:].sum() < ENOUGH_BYTES):
            return "cp1251"
        if is_chinese:
            return "gb18030"
        if japanese.share(lambda letter: "ぁ" <= letter <= "ヿ") >= _KANA:
            return "cp932"
        undefined = bool(self._counts[[*_UNDEFINED]].any())  # so that quotes of Windows are none of these signs
        if undefined and japanese.share(_is_common_japanese) >= FITTING and len(japanese.letters) >= ENOUGH_SIGNS:
            return "cp932"
        if taiwanese.share(_is_common_taiwanese) >= COMMON_CHINESE and len(taiwanese.letters) >= ENOUGH_SIGNS:
            return "big5"
        return self._single_bytes()

    def _single_bytes(self) -> str:
        western = max(self._share("cp1252", letters) for letters in _WESTERN)
        if script := next(filter(self._in_script, _LETTERS_OF_SCRIPTS), ""):
            return script
        for name, alphabets in _LATIN.items():
            for letters in alphabets:
                many = int((self._counts[_bytes_of(name, letters)] > 0).sum()) >= ENOUGH_LETTERS
                if many and self._share(name, letters) >= FITTING and western <= FOREIGN:
                    return name
        return "cp1252" if not self._counts[[*_UNDEFINED]].any() else "latin-1"

    def _is_hebrew(self) -> bool:
        """Whether all letters could be Hebrew, and those that end words do: as Cyrillic ones they stand anywhere."""
        letters = int(self._counts[_HEBREW].sum())
        others = int(self._counts[0xC0:].sum()) - letters
        within, at_end = self._finals
        beside = self._beside >= SIDE_BY_SIDE * self._counts[128:].sum()
        return letters >= ENOUGH_BYTES and not others and bool(beside) and not within and at_end > 0

    def _in_script(self, name: str) -> bool:
        """Whether the letters are of another script than Latin, and so stand side by side."""
        beside = self._beside >= SIDE_BY_SIDE * self._counts[128:].sum()
        return bool(beside) and self._share(name, _LETTERS_OF_SCRIPTS[name]) >= FITTING

    def _share(self, name: str, letters: str) -> float:
        """The share of all letters that are of an alphabet; signs that are the same in Windows-1252 are no letters."""
        signs = [byte for byte in range(128, 256) if _is_sign(byte, name)]
        all_ = int(self._counts[128:].sum() - self._counts[signs].sum())
        return float(self._counts[_bytes_of(name, letters)].sum() / all_) if all_ else float(name == "cp1252")


class _Letters:
    """Different letters beyond ASCII of a text, and how often each stands there; none if it is in another encoding."""

    def __init__(self, name: str) -> None:
        self._decoder: Any = codecs.getincrementaldecoder(name)()
        self.letters: dict[str, int] = {}

    def add(self, chunk: bytes) -> None:
        if self._decoder is None:
            return
        try:
            text = _SHARED_SIGNS.sub("", self._decoder.decode(chunk))
        except UnicodeDecodeError:
            self._decoder, self.letters = None, {}
            return
        for letter in set(text):
            self.letters[letter] = self.letters.get(letter, 0) + text.count(letter)

    def share(self, is_one: Any) -> float:
        """The share of letters that are what a function says."""
        if self._decoder is None or not self.letters:
            return 0.0
        return sum(count for letter, count in self.letters.items() if is_one(letter)) / sum(self.letters.values())


def _is_common_chinese(letter: str) -> bool:
    return letter.encode("gb2312", "ignore")[:1] in _COMMON_LEADS


def _is_common_taiwanese(letter: str) -> bool:
    return b"\xa4\x40" <= letter.encode("big5", "ignore") <= b"\xc6\x7e"


def _is_common_japanese(letter: str) -> bool:
    """Whether it is a kana, a sign of full width, or of the more usual half of the Chinese ones."""
    return b"\x81\x40" <= letter.encode("cp932", "ignore") <= b"\x98\x72"


def _bytes_of(name: str, letters: str) -> Array:
    found = (letters + letters.upper()).encode(name, "ignore")
    return np.unique(np.frombuffer(found, np.uint8)[np.frombuffer(found, np.uint8) >= 128])


def _is_sign(byte: int, name: str) -> bool:
    told, western = (bytes([byte]).decode(one, "replace") for one in (name, "cp1252"))
    return told == western and not told.isalpha()
