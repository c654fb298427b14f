"""Files as people have them, each from a habit of its own, with what a person reads in them; none is made by likely.

A habit is a function whose docstring describes it. It draws true values, writes them as people with that habit do, and
returns the bytes with what a person would say of every column: its kind, how many cells are missing, and of numbers and
days the least and the greatest.
"""

from __future__ import annotations

import gzip
import io
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any

import numpy as np
import openpyxl

Values = Sequence[Any]


@dataclass(frozen=True)
class Seen:
    """A column as a person reads it: any of `kinds`, `missing` cells, numbers from `low` to `high`.

    `parts` are of a date; the limits are of its days since 1970.
    """

    kinds: tuple[str, ...]
    missing: int
    low: float | None = None
    high: float | None = None
    parts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Messy:
    """What stands in a file, and what a person reads; an `error` is its code, with a hint.

    Names are the column's, in order; `~name` is part of the name, as where it stands on two rows; `~` is any.
    """

    content: str | bytes
    columns: dict[str, Seen] = field(default_factory=dict)
    rows: int = 0
    target: str | None = None
    classes: dict[str, int] | None = None
    path: str = "table.csv"
    header: bool = True
    error: str | None = None
    marks: tuple[str, ...] = ()  # of missing values, which the person has to say


FILES: dict[str, Callable[[], Messy]] = {}


def messy(make: Callable[[], Messy]) -> Callable[[], Messy]:
    """Put a habit into the table."""
    FILES[make.__name__] = make
    return make


# --- what a person reads


def number(values: Values) -> Seen:
    there = [float(value) for value in values if value is not None]
    return Seen(("real",), len(values) - len(there), min(there), max(there))


def two(values: Values) -> Seen:
    return Seen(("binary",), sum(value is None for value in values))


def words(values: Values) -> Seen:
    """Words of few kinds; of two kinds they may be called binary."""
    kinds = ("category",) if len(set(values) - {None}) > 2 else ("binary", "category")
    return Seen(kinds, sum(value is None for value in values))


def code(values: Values) -> Seen:
    """An identifier, telephone number, address or remark: whatever it is taken for, no number."""
    return Seen(("skip", "category", "text"), sum(value is None for value in values))


def counter(values: Values) -> Seen:
    """Numbers that count the rows."""
    return Seen(("skip",), sum(value is None for value in values))


def constant(values: Values) -> Seen:
    return Seen(("skip", "category", "binary"), sum(value is None for value in values))


def nothing(rows: int) -> Seen:
    """No value at all: any kind will do."""
    return Seen(("skip", "category", "binary", "real", "text"), rows)


def day(values: Values) -> Seen:
    there = [_days(value) for value in values if value is not None]
    timed = any(isinstance(value, datetime) and value.time() != time() for value in values)
    parts = ("days", "year", "month", "weekday", *(("hour",) if timed else ()))
    return Seen(("real",), len(values) - len(there), min(there), max(there), parts)


def _days(value: date) -> float:
    if isinstance(value, datetime):
        return (value - datetime(1970, 1, 1)) / timedelta(days=1)
    return float((value - date(1970, 1, 1)).days)


def count(labels: Values) -> dict[str, int]:
    return dict(Counter(str(label) for label in labels if label is not None))


# --- true values


class Draw:
    """Values drawn at random, `missing` of them None."""

    def __init__(self, seed: int, rows: int) -> None:
        self.rng, self.rows = np.random.default_rng(seed), rows

    def holes(self, values: list[Any], missing: int) -> list[Any]:
        for at in self.rng.choice(self.rows, missing, replace=False):
            values[at] = None
        return values

    def amounts(self, low: float, high: float, digits: int = 2, missing: int = 0) -> list[Any]:
        drawn = [round(float(value), digits) for value in self.rng.uniform(low, high, self.rows)]
        return self.holes(drawn, missing)

    def whole(self, low: int, high: int, missing: int = 0) -> list[Any]:
        return self.holes([int(value) for value in self.rng.integers(low, high + 1, self.rows)], missing)

    def pick(self, choices: Values, missing: int = 0) -> list[Any]:
        """All of the choices occur."""
        drawn = [choices[at % len(choices)] for at in self.rng.permutation(self.rows)]
        return self.holes(drawn, missing)

    def dates(self, first: date, span: int, missing: int = 0) -> list[Any]:
        return self.holes([first + timedelta(days=int(at)) for at in self.rng.integers(0, span, self.rows)], missing)

    def moments(self, first: datetime, hours: int, missing: int = 0) -> list[Any]:
        """With minutes and seconds, in rising order."""
        seconds = sorted(int(at) for at in self.rng.integers(0, hours * 3600, self.rows))
        return self.holes([first + timedelta(seconds=at) for at in seconds], missing)


# --- how it is written


def said(values: Values, write: Callable[[Any], str] = str, missing: str | Sequence[str] = "") -> list[str]:
    """The cells of a column; missing values are written in turn as each of the marks."""
    marks = [missing] if isinstance(missing, str) else list(missing)
    cells, holes = [], 0
    for value in values:
        cells.append(marks[holes % len(marks)] if value is None else write(value))
        holes += value is None
    return cells


def lines(names: Values, *columns: Sequence[str], sep: str = ",", end: str = "\n") -> str:
    rows = [names, *zip(*columns, strict=True)] if names else list(zip(*columns, strict=True))
    return "".join(sep.join(row) + end for row in rows)


def german(value: float) -> str:
    """1.234,56"""
    return f"{value:,.2f}".replace(",", " ").replace(".", ",").replace(" ", ".")


def quoted(value: str) -> str:
    return '"' + value.replace('"', '""') + '"'


def workbook(*sheets: tuple[str, Sequence[Values]], change: Callable[[Any], None] | None = None) -> bytes:
    """An Excel file of (name, rows); `change` has the book before it is saved."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets:
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    if change is not None:
        change(book)
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


# --- money and numbers


@messy
def german_shop() -> Messy:
    """A German shop's export: semicolons, 1.234,56 €, 31.12.2025, Ja and Nein, umlauts of Windows."""
    draw = Draw(1, 40)
    number_ = [f"B-{1000 + at}" for at in range(40)]
    ordered = draw.dates(date(2024, 11, 1), 400, missing=1)
    total = draw.amounts(12, 7400, missing=2)
    goods = draw.pick(["Möbel", "Küche", "Büro", "Garten"], missing=2)
    member = draw.pick(["Ja", "Nein"], missing=1)
    returned = draw.pick(["zurück", "behalten", "behalten"])
    text = lines(
        ["Bestellnr.", "Bestellt am", "Summe", "Warengruppe", "Mitglied", "Verbleib"],
        number_,
        said(ordered, lambda value: value.strftime("%d.%m.%Y")),
        said(total, lambda value: german(value) + " €"),
        said(goods),
        said(member),
        returned,
        sep=";",
        end="\r\n",
    )
    columns = {
        "Bestellnr.": code(number_),
        "Bestellt am": day(ordered),
        "Summe": number(total),
        "Warengruppe": words(goods),
        "Mitglied": two(member),
    }
    return Messy(text.encode("cp1252"), columns, 40, "Verbleib", count(returned))


@messy
def british_ledger() -> Messy:
    """A British ledger: £ in front, parentheses for what was paid out, 25/12/2024, n/a."""
    draw = Draw(2, 36)
    at = draw.dates(date(2024, 1, 1), 366)
    amount = draw.amounts(-4000, 9000, missing=2)
    vat = draw.pick([20, 5, 0], missing=1)
    account = draw.pick(["Sales", "Travel", "Rent"])
    settled = draw.pick(["Y", "N", "Y"])
    text = lines(
        ["Date", "Amount", "VAT rate", "Account", "Settled"],
        said(at, lambda value: value.strftime("%d/%m/%Y")),
        said(amount, lambda value: quoted(f"£{value:,.2f}" if value >= 0 else f"(£{-value:,.2f})"), "n/a"),
        said(vat, "{}%".format, "n/a"),
        account,
        settled,
    )
    columns = {"Date": day(at), "Amount": number(amount), "VAT rate": number(vat), "Account": words(account)}
    return Messy(text, columns, 36, "Settled", count(settled))


@messy
def us_payroll() -> Messy:
    """A payroll of the US: $1,234.56 in quotes, 3/14/2025, zip codes with a zero in front, (555) 010-1234."""
    draw = Draw(3, 48)
    hired = draw.dates(date(2012, 1, 1), 4500)
    salary = draw.amounts(900, 9800, missing=2)
    hours = draw.amounts(10, 60, 1)
    zips = said(draw.pick([2139, 2140, 10001, 60614, 94110, 7030]), "{:05}".format)
    phone = [f"(555) 010-{value}" for value in draw.whole(1000, 9999)]
    exempt = draw.pick(["exempt", "non-exempt"])
    text = lines(
        ["Hire Date", "Gross Pay", "Hours", "ZIP", "Phone", "FLSA"],
        said(hired, lambda value: f"{value.month}/{value.day}/{value.year}"),
        said(salary, lambda value: quoted(f"${value:,.2f}")),
        said(hours),
        zips,
        phone,
        exempt,
    )
    columns = {
        "Hire Date": day(hired),
        "Gross Pay": number(salary),
        "Hours": number(hours),
        "ZIP": code(zips),
        "Phone": code(phone),
    }
    return Messy(text, columns, 48, "FLSA", count(exempt))


@messy
def accounting_format() -> Messy:
    """Excel's accounting format saved as CSV: blanks around, " $ (1,234.00)", " $-   " for 0."""
    draw = Draw(4, 30)
    budget = draw.whole(1000, 90000)
    actual = [value or 0 for value in draw.whole(-20000, 90000, missing=4)]
    centre = said(draw.pick([4100, 4200, 4300]), "CC{}".format)
    over = draw.pick(["over", "under"])

    def booked(value: int) -> str:
        return " $-   " if not value else f'" ${value:,}.00 "' if value > 0 else f'" $({-value:,}.00)"'

    text = lines(
        ["Cost Center", " Budget ", " Actual ", "Status"],
        centre,
        said(budget, booked),
        said(actual, booked),
        over,
    )
    columns = {"Cost Center": words(centre), "Budget": number(budget), "Actual": number(actual)}
    return Messy(text, columns, 30, "Status", count(over))


@messy
def excel_scientific() -> Messy:
    """Large and tiny numbers as Excel shows them: 4.01E+12 beside 523 and 1.5E-05."""
    draw = Draw(5, 32)
    cells = draw.holes([float(f"{value:.2e}") for value in 10 ** draw.rng.uniform(9, 13, 32)], 2)
    titre = [float(f"{value:.2e}") for value in 10 ** draw.rng.uniform(-6, -3, 32)]
    reads = draw.whole(100, 999)
    plate = draw.pick(["A", "B", "C"])
    passed = draw.pick(["pass", "fail"])
    text = lines(
        ["cells", "titre", "reads", "plate", "qc"],
        said(cells, "{:.2E}".format, "NA"),
        said(titre, "{:.2E}".format),
        said(reads),
        plate,
        passed,
    )
    columns = {"cells": number(cells), "titre": number(titre), "reads": number(reads), "plate": words(plate)}
    return Messy(text, columns, 32, "qc", count(passed))


@messy
def swedish_prices() -> Messy:
    """Swedish prices: no-break blanks between thousands, decimal commas, kr behind, a true minus sign."""
    draw = Draw(6, 33)
    price = draw.amounts(800, 48_000, missing=1)
    change = draw.amounts(-9, 9, 1, missing=1)
    kind = draw.pick(["lägenhet", "villa", "radhus"])
    sold = draw.pick(["ja", "nej"])
    text = lines(
        ["Pris", "Förändring", "Typ", "Såld"],
        said(price, lambda value: f"{value:,.2f}".replace(",", "\xa0").replace(".", ",") + " kr"),
        said(change, lambda value: f"{value:+.1f}".replace("-", "−").replace(".", ",") + " %"),
        kind,
        sold,
        sep=";",
    )
    columns = {"Pris": number(price), "Förändring": number(change), "Typ": words(kind)}
    return Messy(text, columns, 33, "Såld", count(sold))


@messy
def brazilian_sales() -> Messy:
    """Brazilian sales: R$ 1.234,56, negative as -R$ 1.234,56, sim and não, 05/03/2025 beside 25/03/2025."""
    draw = Draw(7, 30)
    at = draw.dates(date(2025, 1, 1), 180)
    value_ = draw.amounts(-900, 15_000, missing=1)
    state = draw.pick(["SP", "RJ", "MG", "BA"])
    boleto = draw.pick(["sim", "não"])
    late = draw.pick(["atrasado", "em dia"])
    text = lines(
        ["Data", "Valor", "UF", "Boleto", "Situação"],
        said(at, lambda value: value.strftime("%d/%m/%Y")),
        said(value_, lambda value: ("-" if value < 0 else "") + "R$ " + german(abs(value))),
        state,
        boleto,
        late,
        sep=";",
        end="\r\n",
    )
    columns = {"Data": day(at), "Valor": number(value_), "UF": words(state), "Boleto": two(boleto)}
    return Messy(text.encode("cp1252"), columns, 30, "Situação", count(late))


@messy
def indian_loans() -> Messy:
    """Indian loans: ₹12,34,567 with lakhs, 9.25%, tenure as '15 years', 14-Mar-2025."""
    draw = Draw(8, 35)
    amount = draw.whole(150_000, 9_800_000)
    rate = draw.amounts(7, 14, 2, missing=2)
    years = draw.whole(5, 30)
    at = draw.dates(date(2024, 4, 1), 365)
    npa = draw.pick(["Standard", "NPA", "Standard"])

    def lakhs(value: int) -> str:
        front, back = str(value)[:-3], str(value)[-3:]
        pairs = [front[max(0, end - 2) : end] for end in range(len(front), 0, -2)][::-1]
        return quoted("₹" + ",".join([*pairs, back]))

    text = lines(
        ["Sanctioned", "ROI", "Tenure", "Disbursed On", "Asset Class"],
        said(amount, lakhs),
        said(rate, "{:.2f}%".format, "NA"),
        said(years, "{} years".format),
        said(at, lambda value: value.strftime("%d-%b-%Y")),
        npa,
    )
    columns = {"Sanctioned": number(amount), "ROI": number(rate), "Tenure": number(years), "Disbursed On": day(at)}
    return Messy(text, columns, 35, "Asset Class", count(npa))


@messy
def swiss_rents() -> Messy:
    """Swiss rents: CHF 1'234.50 with the typographic apostrophe, rooms in halves, square metres with m²."""
    draw = Draw(9, 30)
    rent = draw.amounts(900, 6400, missing=1)
    rooms = draw.pick([2.5, 3.5, 4.5, 1])
    area = draw.whole(24, 160)
    canton = draw.pick(["ZH", "BE", "VD"])
    lift = draw.pick(["avec", "sans"])
    text = lines(
        ["Loyer", "Pièces", "Surface", "Canton", "Ascenseur"],
        said(rent, lambda value: f"CHF {value:,.2f}".replace(",", "’")),
        said(rooms),
        said(area, "{} m²".format),
        canton,
        lift,
        sep=";",
    )
    columns = {"Loyer": number(rent), "Pièces": number(rooms), "Surface": number(area), "Canton": words(canton)}
    return Messy(text, columns, 30, "Ascenseur", count(lift))


@messy
def stock_quotes() -> Messy:
    """Quotes of a finance page: "Mar 14, 2025" in quotes, volumes as 1.25M and 830.1K, changes with a sign and %."""
    draw = Draw(10, 40)
    at = draw.dates(date(2024, 9, 2), 300)
    price = draw.amounts(900, 1900)
    millions = draw.amounts(0.2, 9, 2)
    change = draw.amounts(-5, 5)
    up = ["up" if value > 0 else "down" for value in draw.amounts(-1, 1)]
    volume = [round(value * 1e6) for value in millions]
    text = "\ufeff" + lines(
        [quoted(name) for name in ("Date", "Price", "Vol.", "Change %", "Next")],
        said(at, lambda value: quoted(value.strftime("%b %d, %Y"))),
        said(price, lambda value: quoted(f"{value:,.2f}")),
        said(volume, lambda value: quoted(f"{value / 1e6:.2f}M" if value >= 1e6 else f"{value / 1e3:.2f}K")),
        said(change, lambda value: quoted(f"{value:+.2f}%")),
        said(up, quoted),
    )
    columns = {"Date": day(at), "Price": number(price), "Vol.": number(volume), "Change %": number(change)}
    return Messy(text, columns, 40, "Next", count(up))


@messy
def lab_values() -> Messy:
    """Laboratory values: two below the limit as '<0,1', units in the names, decimal commas, letters of Windows."""
    draw = Draw(11, 45)
    crp = draw.amounts(0.1, 90, 1, missing=2)
    glucose = draw.amounts(60, 210, 1)
    sex = draw.pick(["m", "w"])
    sample = draw.pick(["Serum", "Plasma", "EDTA"])
    result = draw.pick(["positiv", "negativ"])
    text = lines(
        ["CRP [mg/l]", "Glucose [mg/dl]", "Geschlecht", "Material", "Befund"],
        said(crp, lambda value: str(value).replace(".", ","), "<0,1"),
        said(glucose, lambda value: str(value).replace(".", ",")),
        sex,
        sample,
        result,
        sep=";",
        end="\r\n",
    )
    columns = {
        "CRP [mg/l]": number(crp),
        "Glucose [mg/dl]": number(glucose),
        "Geschlecht": words(sex),
        "Material": words(sample),
    }
    return Messy(text.encode("cp1252"), columns, 45, "Befund", count(result))


# --- days and times


@messy
def two_digit_years() -> Messy:
    """A club's list: born 7/24/68, joined 3/14/21."""
    draw = Draw(12, 40)
    born = draw.dates(date(1970, 1, 1), 9000)
    joined = draw.dates(date(2015, 1, 1), 3000, missing=2)
    level = draw.pick(["gold", "silver", "bronze"])
    paid = draw.pick(["yes", "no"])

    def short(value: date) -> str:
        return f"{value.month}/{value.day}/{value:%y}"

    text = lines(["born", "joined", "level", "paid"], said(born, short), said(joined, short), level, paid)
    return Messy(text, {"born": day(born), "joined": day(joined), "level": words(level)}, 40, "paid", count(paid))


@messy
def month_names() -> Messy:
    """Dates in words as assistants type them: 14 March 2025, also 3 May 2025; times as 9:05 PM."""
    draw = Draw(13, 28)
    at = draw.dates(date(2025, 1, 1), 300)
    minutes = draw.whole(0, 1439, missing=1)
    guests = draw.whole(2, 14)
    room = draw.pick(["Oak", "Elm", "Ash"])
    shown = draw.pick(["came", "no-show"])
    hours = [None if value is None else value / 60 for value in minutes]
    text = lines(
        ["Day", "Time", "Guests", "Room", "Outcome"],
        said(at, lambda value: f"{value.day} {value:%B} {value.year}"),
        said(
            minutes,
            lambda value: f"{(value // 60 - 1) % 12 + 1}:{value % 60:02} {'AM' if value < 720 else 'PM'}",
            "TBD",
        ),
        said(guests),
        room,
        shown,
    )
    columns = {"Day": day(at), "Time": number(hours), "Guests": number(guests), "Room": words(room)}
    return Messy(text, columns, 28, "Outcome", count(shown))


@messy
def iso_sensor() -> Messy:
    """A sensor's export: 2025-03-01T12:30:00Z, device addresses, firmware versions, readings with °C and %."""
    draw = Draw(14, 60)
    at = draw.moments(datetime(2025, 3, 1), 700)
    address = [f"10.0.{value % 3}.{value}" for value in draw.whole(1, 250)]
    version = draw.pick(["1.10.2", "1.9.0", "2.0.1"])
    degrees = draw.amounts(-12, 34, 1, missing=3)
    humid = draw.whole(20, 99, missing=2)
    alarm = draw.pick(["on", "off", "off"])
    text = lines(
        ["timestamp", "ip", "firmware", "temperature", "humidity", "alarm"],
        said(at, lambda value: f"{value.isoformat()}Z"),
        address,
        version,
        said(degrees, "{}°C".format, "--"),
        said(humid, "{}%".format, "--"),
        alarm,
    )
    columns = {
        "timestamp": day(at),
        "ip": code(address),
        "firmware": words(version),
        "temperature": number(degrees),
        "humidity": number(humid),
    }
    return Messy(text, columns, 60, "alarm", count(alarm))


@messy
def time_sheets() -> Messy:
    """Time sheets of Austria: Mo to Fr, begun at 08:15, breaks as '30 min', lasting 7h 45m."""
    draw = Draw(15, 30)
    weekday = draw.pick(["Mo", "Di", "Mi", "Do", "Fr"])
    begun = draw.whole(6 * 60, 10 * 60)
    pause = draw.pick([15, 30, 45], missing=1)
    worked = draw.whole(61, 599, missing=2)
    sick = draw.pick(["krank", "gesund", "gesund"])
    text = lines(
        ["Tag", "Beginn", "Pause", "Dauer", "Status"],
        weekday,
        said(begun, lambda value: f"{value // 60:02}:{value % 60:02}"),
        said(pause, "{} min".format),
        said(worked, lambda value: f"{value // 60}h {value % 60}m"),
        sick,
        sep=";",
    )
    columns = {
        "Tag": words(weekday),
        "Beginn": number([value / 60 for value in begun]),
        "Pause": number(pause),
        "Dauer": number([None if value is None else value / 60 for value in worked]),
    }
    return Messy(text, columns, 30, "Status", count(sick))


@messy
def day_and_time_german() -> Messy:
    """A German ticket system: 14.03.2025 08:15, and a dash where a ticket is still open."""
    draw = Draw(16, 40)
    opened = [value.replace(second=0) for value in draw.moments(datetime(2025, 3, 3), 1500)]
    closed = draw.holes([value + timedelta(hours=5, minutes=30) for value in opened], 6)
    urgent = draw.pick(["hoch", "mittel", "niedrig"])
    people = draw.whole(1, 30)
    again = draw.pick(["ja", "nein"])
    text = lines(
        ["Erstellt", "Geschlossen", "Priorität", "Betroffene", "Wieder geöffnet"],
        said(opened, lambda value: value.strftime("%d.%m.%Y %H:%M")),
        said(closed, lambda value: value.strftime("%d.%m.%Y %H:%M"), "-"),
        urgent,
        said(people),
        again,
        sep=";",
        end="\r\n",
    )
    columns = {
        "Erstellt": day(opened),
        "Geschlossen": day(closed),
        "Priorität": words(urgent),
        "Betroffene": number(people),
    }
    return Messy(text.encode("cp1252"), columns, 40, "Wieder geöffnet", count(again))


# --- words, truth and what is missing


@messy
def spanish_survey() -> Messy:
    """A Spanish survey: Sí and No in mixed case, 'No sabe', N/C for numbers, decimal commas."""
    draw = Draw(17, 44)
    smokes = draw.pick(["Sí", "No", "si", "NO"], missing=2)
    party = draw.pick(["Norte", "Sur", "No sabe"])
    weight = draw.amounts(48, 110, 1, missing=2)
    age = draw.whole(18, 85)
    again = draw.pick(["sí", "no"])
    text = lines(
        ["¿Fuma?", "Región", "Peso", "Edad", "Repetiría"],
        said(smokes),
        party,
        said(weight, lambda value: str(value).replace(".", ","), "N/C"),
        said(age),
        again,
        sep=";",
    )
    columns = {"¿Fuma?": two(smokes), "Región": words(party), "Peso": number(weight), "Edad": number(age)}
    return Messy(text, columns, 44, "Repetiría", count(again))


@messy
def every_missing_mark() -> Messy:
    """Files put together from many hands: NA, N/A, n/a, #N/A, NULL, nan, None, ?, -, . and nothing, in one file."""
    draw = Draw(18, 60)
    marks = ["NA", "N/A", "n/a", "#N/A", "NULL", "nan", "None", "?", "-", ".", ""]
    height = draw.amounts(150, 200, 1, missing=11)
    visits = draw.whole(0, 40, missing=22)
    seen = draw.dates(date(2025, 1, 1), 200, missing=11)
    town = draw.pick(["Leeds", "York", "Hull"], missing=8)
    smoker = draw.pick(["yes", "no"], missing=11)
    group = draw.pick(["a", "b"])
    text = lines(
        ["height", "visits", "seen", "town", "smoker", "group"],
        said(height, str, marks),
        said(visits, str, marks),
        said(seen, str, marks),
        said(town, str, ["NA", "N/A", "NULL", ""]),
        said(smoker, str, marks),
        group,
    )
    columns = {
        "height": number(height),
        "visits": number(visits),
        "seen": day(seen),
        "town": words(town),
        "smoker": two(smoker),
    }
    return Messy(text, columns, 60, "group", count(group))


@messy
def unknown_said() -> Messy:
    """A hospital's list: 'unknown' among the words is an answer, among the numbers a hole; TRUE and FALSE of Excel."""
    draw = Draw(19, 50)
    blood = draw.pick(["A", "B", "AB", "0", "unknown"])
    age = draw.whole(1, 97, missing=3)
    stay = draw.amounts(0.5, 40, 1, missing=2)
    urgent = draw.pick(["TRUE", "FALSE"], missing=1)
    alive = draw.pick(["discharged", "died", "discharged"])
    text = lines(
        ["blood", "age", "stay", "urgent", "outcome"],
        blood,
        said(age, str, "unknown"),
        said(stay, str, "Unknown"),
        said(urgent),
        alive,
    )
    columns = {"blood": words(blood), "age": number(age), "stay": number(stay), "urgent": two(urgent)}
    return Messy(text, columns, 50, "outcome", count(alive))


@messy
def minus_999() -> Messy:
    """A weather service's -999 for no measurement: a person cannot tell, and reads a number."""
    draw = Draw(20, 40)
    rain = [-999.0 if at % 9 == 0 else value for at, value in enumerate(draw.amounts(0, 60, 1))]
    wind = draw.amounts(0, 120, 1)
    station = draw.pick(["00433", "00399", "10382"])
    at = draw.dates(date(2019, 1, 1), 900)
    frost = draw.pick(["0", "1"])
    text = lines(
        ["STATIONS_ID", "MESS_DATUM", "RSK", "FX", "FROST", "eor"],
        station,
        said(at, lambda value: value.strftime("%Y%m%d")),
        said(rain, "{:>6}".format),
        said(wind, "{:>6}".format),
        frost,
        ["eor"] * 40,
        sep=";",
    )
    columns = {
        "STATIONS_ID": words(station),
        "MESS_DATUM": day(at),
        "RSK": number(rain),
        "FX": number(wind),
        "eor": constant(station),
    }
    return Messy(text, columns, 40, "FROST", count(frost))


@messy
def padded_census() -> Messy:
    """A census file of old: no names, a blank after each comma, ' ?' for missing, a dot behind the label."""
    draw = Draw(21, 60)
    age = draw.whole(17, 90)
    work = draw.pick(["Private", "State-gov", "Self-emp-not-inc"], missing=5)
    gain = [0 if at % 10 else value for at, value in enumerate(draw.whole(1000, 99_999))]
    sex = draw.pick(["Male", "Female"])
    hours = draw.whole(10, 80, missing=2)
    income = draw.pick(["<=50K.", ">50K.", "<=50K."])
    text = lines([], said(age), said(work, str, "?"), said(gain), sex, said(hours, str, "?"), income, sep=", ")
    columns = {"c1": number(age), "c2": words(work), "c3": number(gain), "c4": words(sex), "c5": number(hours)}
    return Messy(text, columns, 60, "c6", count(income), path="census.data", header=False)


@messy
def mixed_case() -> Messy:
    """Typed by several people: Male, male and ' MALE '; codes with zeros in front; names that differ in every row."""
    draw = Draw(22, 40)
    patient = [f"{at:05}" for at in range(17, 57)]
    first = [f"{name} {at}" for at, name in enumerate(draw.pick(["Ann", "Bob", "Cy", "Di"]))]
    sex = draw.pick(["Male", "male", " MALE ", "Female", "female "])
    score = draw.whole(0, 27, missing=1)
    ward = draw.pick(["North", "South", "north", "South "])
    text = lines(["Patient No", "Name", "Sex", "Score", "Ward"], patient, first, sex, said(score), ward)
    columns = {
        "Patient No": code(patient),
        "Name": code(first),
        "Sex": words(sex),
        "Score": number(score),
        "Ward": words(ward),
    }
    return Messy(text, columns, 40)


@messy
def reviews() -> Messy:
    """A shop's reviews: sentences with commas, quotes in quotes and line breaks, '4 stars', verified or not."""
    draw = Draw(23, 40)
    start = ["I love it", "Never again", "It does the job", 'They call it "premium"', "Arrived late,\nbut fine"]
    review = [
        f"{text}, order {at} was for my aunt in town number {at * 7}." for at, text in enumerate(draw.pick(start))
    ]
    stars = draw.whole(1, 5)
    sent = draw.dates(date(2025, 2, 1), 90)
    verified = draw.pick(["true", "false"])
    kept = draw.pick(["kept", "returned"])
    text = lines(
        ["review", "stars", "sent", "verified", "fate"],
        said(review, quoted),
        said(stars, lambda value: f"{value} star{'s' * (value > 1)}"),
        said(sent),
        verified,
        kept,
        end="\r\n",
    )
    columns = {
        "review": Seen(("text",), 0),
        "stars": number(stars),
        "sent": day(sent),
        "verified": two(verified),
    }
    return Messy(text, columns, 40, "fate", count(kept))


@messy
def likert_and_choices() -> Messy:
    """A web form's export: answers in words, several choices with ';', 'Prefer not to say', hours as numbers."""
    draw = Draw(24, 45)
    at = draw.moments(datetime(2025, 4, 1), 200)
    agree = draw.pick(["Strongly agree", "Agree", "Neutral", "Disagree"], missing=2)
    uses = draw.pick(["Phone;Tablet", "Phone", "Laptop;Phone;TV", "TV"])
    gender = draw.pick(["Woman", "Man", "Non-binary", "Prefer not to say"])
    hours = draw.whole(0, 16, missing=2)
    again = draw.pick(["Yes", "No"])
    text = lines(
        [
            quoted(name)
            for name in ("Timestamp", "I feel safe online", "Which do you use?", "Gender", "Hours", "Again?")
        ],
        said(at, lambda value: quoted(f"{value.month}/{value.day}/{value.year} {value:%H:%M:%S}")),
        said(agree, quoted),
        said(uses, quoted),
        said(gender, quoted),
        said(hours, lambda value: quoted(str(value)), '""'),
        said(again, quoted),
    )
    columns = {
        "Timestamp": day(at),
        "I feel safe online": words(agree),
        "Which do you use?": words(uses),
        "Gender": words(gender),
        "Hours": number(hours),
    }
    return Messy(text, columns, 45, "Again?", count(again))


# --- how files are laid out


@messy
def sep_line() -> Messy:
    """'sep=;' above, so that any Excel opens it; a byte order mark, semicolons behind the last value of each row."""
    draw = Draw(31, 30)
    campaign = draw.pick(["Spring", "Summer", "Autumn"])
    cost = draw.amounts(1000, 9999, missing=1)
    clicks = draw.whole(1000, 9999)
    rate = draw.amounts(0, 12, 2)
    won = draw.pick(["won", "lost"])
    body = lines(
        ["Campaign", "Cost", "Clicks", "CTR", "Result", ""],
        campaign,
        said(cost, lambda value: "€ " + german(value)),
        said(clicks, lambda value: f"{value:,}".replace(",", ".")),
        said(rate, lambda value: f"{value:.2f}%".replace(".", ",")),
        won,
        [""] * 30,
        sep=";",
        end="\r\n",
    )
    columns = {"Campaign": words(campaign), "Cost": number(cost), "Clicks": number(clicks), "CTR": number(rate)}
    return Messy("\ufeffsep=;\r\n" + body, columns, 30, "Result", count(won))


@messy
def erp_list() -> Messy:
    """A list of an old ERP: tabs, titles above, minus signs behind, 2025.03.14, a blank line below the names."""
    draw = Draw(32, 40)
    plant = said(draw.pick([1000, 1100, 2000]), "W{}".format)
    stock = draw.whole(-900, 4000, missing=1)
    value_ = draw.amounts(-9000, 60_000)
    moved = draw.dates(date(2024, 6, 1), 400, missing=2)
    abc = draw.pick(["A", "B", "C"])

    def behind(value: float) -> str:
        return german(abs(value)) + ("-" if value < 0 else "")

    above = "Bestandsliste\t\t\t\t\r\nBuchungskreis 0001\t\t\t\t\r\n\r\n"
    body = lines(
        ["Werk", "Bestand", "Wert", "Bewegt am", "ABC"],
        plant,
        said(stock, lambda value: f"{abs(value)}" + ("-" if value < 0 else "")),
        said(value_, behind),
        said(moved, lambda value: value.strftime("%Y.%m.%d")),
        abc,
        sep="\t",
        end="\r\n",
    ).replace("ABC\r\n", "ABC\r\n\r\n", 1)
    columns = {"Werk": words(plant), "Bestand": number(stock), "Wert": number(value_), "Bewegt am": day(moved)}
    return Messy((above + body).encode("cp1252"), columns, 40, "ABC", count(abc), path="bestand.txt")


@messy
def psql_screen() -> Messy:
    """What psql prints, pasted into a file: bars, a ruler below the names, padded values, '(24 rows)' at the end."""
    draw = Draw(33, 24)
    name = draw.pick(["basic", "plus", "pro"])
    price = draw.amounts(5, 90)
    seats = draw.whole(1, 60, missing=2)
    since = draw.dates(date(2024, 1, 1), 500)
    active = draw.pick(["t", "f"])
    rows = lines(
        [],
        said(name, " {:<7}".format),
        said(price, " {:>6} ".format),
        said(seats, " {:>5} ".format, " " * 7),
        said(since, " {} ".format),
        said(active, " {}".format),
        sep="|",
    )
    above = " plan   | price  | seats |   since    | active\n--------+--------+-------+------------+--------\n"
    columns = {"plan": words(name), "price": number(price), "seats": number(seats), "since": day(since)}
    return Messy(above + rows + "(24 rows)\n\n", columns, 24, "active", count(active), path="plans.txt")


@messy
def utf16_big_endian() -> Messy:
    """A Java tool's UTF-16, the larger byte first: Greek words, decimal commas, ναι and όχι."""
    draw = Draw(34, 30)
    island = draw.pick(["Κρήτη", "Ρόδος", "Κως"], missing=1)
    nights = draw.whole(1, 21)
    price = draw.amounts(40, 390, missing=1)
    breakfast = draw.pick(["ναι", "όχι"])
    back = draw.pick(["πιστός", "νέος"])
    text = lines(
        ["Νησί", "Νύχτες", "Τιμή", "Πρωινό", "Πελάτης"],
        said(island),
        said(nights),
        said(price, lambda value: f"{value:.2f} €".replace(".", ",")),
        breakfast,
        back,
        sep=";",
        end="\r\n",
    )
    columns = {"Νησί": words(island), "Νύχτες": number(nights), "Τιμή": number(price), "Πρωινό": words(breakfast)}
    return Messy(b"\xfe\xff" + text.encode("utf-16-be"), columns, 30, "Πελάτης", count(back))


@messy
def chinese_gb18030() -> Messy:
    """A Chinese school's list in GB18030 with rare letters: 男 and 女, 2025/3/1, 90分, 缺考 for who was absent."""
    draw = Draw(35, 40)
    name = [f"{family}同学{at}" for at, family in enumerate(draw.pick(["㐀", "王", "李", "䶮"]))]
    sex = draw.pick(["男", "女"])
    score = draw.whole(31, 99, missing=2)
    at = draw.dates(date(2025, 1, 1), 150)
    level = draw.pick(["甲", "乙", "丙"], missing=1)
    passed = draw.pick(["通过", "未通过"])
    text = lines(
        ["姓名", "性别", "成绩", "考试日期", "班级", "结果"],
        name,
        sex,
        said(score, "{}分".format, "缺考"),
        said(at, lambda value: f"{value.year}/{value.month}/{value.day}"),
        said(level),
        passed,
        end="\r\n",
    )
    columns = {
        "姓名": code(name),
        "性别": words(sex),
        "成绩": number(score),
        "考试日期": day(at),
        "班级": words(level),
    }
    return Messy(text.encode("gb18030"), columns, 40, "结果", count(passed))


@messy
def mixed_line_ends() -> Messy:
    """Windows and Linux files put together: both line ends, blank lines between the parts, no last end."""
    draw = Draw(36, 45)
    dose = draw.amounts(0, 9, 1)
    reply = draw.amounts(10, 99, 2, missing=3)
    arm = draw.pick(["placebo", "low", "high"])
    site = draw.pick(["Lyon", "Graz"])
    rows = lines([], said(dose), said(reply, str, "NA"), arm, site).splitlines()
    ends = ["\r\n"] * 15 + ["\n"] * 15 + ["\r\n"] * 14 + [""]
    body = "".join(row + end + "\n" * (at in (14, 29)) for at, (row, end) in enumerate(zip(rows, ends, strict=True)))
    columns = {"dose": number(dose), "response": number(reply), "arm": words(arm)}
    return Messy("dose,response,arm,site\r\n" + body, columns, 45, "site", count(site))


@messy
def old_mac() -> Messy:
    """'CSV (Macintosh)' of Excel: a carriage return alone ends each line."""
    draw = Draw(37, 25)
    length = draw.amounts(3, 30, 1)
    weight = draw.whole(20, 900, missing=1)
    kind = draw.pick(["trout", "perch", "pike"])
    lake = draw.pick(["east", "west"])
    text = lines(["length", "weight", "fish", "lake"], said(length), said(weight), kind, lake, end="\r")
    columns = {"length": number(length), "weight": number(weight), "fish": words(kind)}
    return Messy(text, columns, 25, "lake", count(lake))


@messy
def comments_and_blank_lines() -> Messy:
    """An instrument's file: '#' lines above with a colon in them, blank lines between the blocks, 1.2e-3."""
    draw = Draw(38, 36)
    wave = sorted(draw.whole(400, 700))
    power = [float(f"{value:.3e}") for value in 10 ** draw.rng.uniform(-5, -1, 36)]
    lamp = draw.pick(["D2", "W", "Xe"])
    ok = draw.pick(["ok", "low"])
    rows = lines([], said(wave), said(power, "{:.3e}".format), lamp, ok, sep="\t").splitlines(keepends=True)
    above = "# Spectrometer: UV-3, serial 0042\n# Date: 2025-03-01 12:30\n# Operator: K. L.\n"
    body = "".join(rows[:12]) + "\n" + "".join(rows[12:24]) + "\n" + "".join(rows[24:])
    columns = {"wavelength": number(wave), "power": number(power), "lamp": words(lamp)}
    return Messy(above + "wavelength\tpower\tlamp\tflag\n" + body, columns, 36, "flag", count(ok), path="run7.txt")


@messy
def government_table() -> Messy:
    """A government's table: titles above, 1,234* and "12 r" with footnotes, (D), totals and a source below."""
    draw = Draw(39, 32)
    county = [f"{name} County {at}" for at, name in enumerate(draw.pick(["Adams", "Baker", "Clark", "Dane"]))]
    farms = draw.whole(100, 9800, missing=1)
    acres = draw.amounts(1, 700, 1)
    rural = draw.pick(["rural", "urban"])
    marks = ["", "", "*", "", " r", "", ""]
    text = (
        '"Table 4. Farms and acres by county, 2024",,,\n"(acres in thousands)",,,\n,,,\n'
        + lines(
            ["County", "Farms", "Acres", "Type"],
            county,
            ["(D)" if value is None else quoted(f"{value:,}{marks[at % 7]}") for at, value in enumerate(farms)],
            [f"{value}{marks[(at + 3) % 7]}" for at, value in enumerate(acres)],
            rural,
        )
        + f'"State total","{sum(value or 0 for value in farms):,}",{sum(acres):.1f},\n,,,\n'
        + '"* Estimate. r Revised. (D) Withheld.",,,\n"Source: Office of Farms, 2025.",,,\n'
    )
    columns = {"County": code(county), "Farms": number(farms), "Acres": number(acres)}
    return Messy(text, columns, 32, "Type", count(rural))


@messy
def units_below_names() -> Messy:
    """A data logger's two rows of names: what is measured, and below it the unit in brackets."""
    draw = Draw(40, 30)
    at = [value.replace(second=0) for value in draw.moments(datetime(2025, 7, 1), 400)]
    degrees = draw.amounts(-3, 31, 1)
    pressure = draw.amounts(950, 1040, 1, missing=2)
    sky = draw.pick(["clear", "cloudy", "rain"])
    text = lines(
        ["Time", "Temp", "Pressure", "Sky"],
        ["[yyyy-mm-dd hh:mm]", *said(at, "{:%Y-%m-%d %H:%M}".format)],
        ["[°C]", *said(degrees)],
        ["[hPa]", *said(pressure, str, "NaN")],
        ["[-]", *sky],
    )
    columns = {"~Time": day(at), "~Temp": number(degrees), "~Pressure": number(pressure), "~Sky": words(sky)}
    return Messy(text, columns, 30)


@messy
def survey_second_row() -> Messy:
    """A survey tool's second row: the questions in full or 'Response' stand below short names."""
    draw = Draw(41, 36)
    respondent = said(draw.rng.permutation(36), lambda value: str(118_000_000 + 97 * value))
    joy = draw.whole(0, 10, missing=2)
    why = draw.holes([f"because of the people here, and of reason number {at}, too" for at in range(36)], 4)
    team = draw.pick(["Sales", "IT", "HR"], missing=1)
    age = draw.whole(19, 66, missing=1)
    text = lines(
        ["respondent_id", "nps", "nps_reason", "team", "age"],
        ["", *respondent],
        [quoted("How likely is it that you would recommend us to a friend?"), *said(joy)],
        [quoted("Why, in your own words?"), *said(why, quoted)],
        ["Response", *said(team)],
        [quoted("How old are you, in years?"), *said(age)],
    )
    columns = {
        "~respondent_id": counter(respondent),
        "~nps": number(joy),
        "~nps_reason": code(why),
        "~team": words(team),
        "~age": number(age),
    }
    return Messy(text, columns, 36)


@messy
def pandas_index() -> Messy:
    """Saved by pandas with its index: a column without a name counts the rows; times, True and False, 1.0."""
    draw = Draw(42, 50)
    index = list(range(50))
    at = draw.moments(datetime(2025, 1, 1), 2000)
    child = [None if value is None else float(value) for value in draw.whole(0, 4, missing=4)]
    price = draw.amounts(1, 400)
    weekend = draw.pick(["True", "False"])
    town = draw.pick(["Oslo", "Bergen", "Bodø"], missing=3)
    again = draw.pick(["yes", "no"])
    text = lines(
        ["", "booked", "children", "price", "weekend", "town", "again"],
        said(index),
        said(at),
        said(child),
        said(price),
        weekend,
        said(town),
        again,
    )
    columns = {
        "~": counter(index),
        "booked": day(at),
        "children": number(child),
        "price": number(price),
        "weekend": two(weekend),
        "town": words(town),
    }
    return Messy(text, columns, 50, "again", count(again))


@messy
def mysql_dump() -> Messy:
    """A dump of MySQL, packed: quotes around everything but NULL and \\N, 0/1 for truth, quotes in quotes."""
    draw = Draw(43, 55)
    login = [f"user{at}@example.com" for at in range(55)]
    made = draw.moments(datetime(2024, 2, 1), 3000)
    points = draw.whole(0, 900, missing=5)
    rate = draw.amounts(0, 5, 1, missing=6)
    nick = draw.pick(['Jo "the cat"', "O'Neil, J.", "x"], missing=4)
    banned = draw.pick([0, 1, 0])
    text = lines(
        [quoted(name) for name in ("email", "created", "points", "rating", "nick", "banned")],
        said(login, quoted),
        said(made, lambda value: quoted(str(value))),
        said(points, lambda value: quoted(str(value)), "NULL"),
        said(rate, lambda value: quoted(str(value)), "\\N"),
        said(nick, quoted, "NULL"),
        said(banned, lambda value: quoted(str(value))),
    )
    columns = {
        "email": code(login),
        "created": day(made),
        "points": number(points),
        "rating": number(rate),
        "nick": words(nick),
    }
    packed = gzip.compress(text.encode(), mtime=0)
    return Messy(packed, columns, 55, "banned", count(banned), path="users.csv.gz")


@messy
def access_log() -> Messy:
    """A web server's log: blanks between, the time in brackets, the request in quotes, '-' for nobody."""
    draw = Draw(44, 60)
    address = [f"192.168.{value % 4}.{value}" for value in draw.whole(1, 250)]
    at = draw.moments(datetime(2025, 10, 10), 30)
    user = draw.pick(["ann", "bob"], missing=20)
    request = said(draw.pick(["/", "/cart", "/pay"]), lambda value: f'"GET {value} HTTP/1.1"')
    status = draw.pick(["200", "404", "200"])
    size = draw.whole(120, 90_000, missing=3)
    text = "".join(
        f"{ip} - {who or '-'} [{when:%d/%b/%Y:%H:%M:%S} +0000] {what} {code_} {'-' if sent is None else sent}\n"
        for ip, who, when, what, code_, sent in zip(address, user, at, request, status, size, strict=True)
    )
    columns = {
        "~1": code(address),
        "~2": nothing(60),
        "~3": Seen(("category", "binary"), 20),
        "~4": day(at),
        "~5": words(request),
        "~6": Seen(("real", "binary", "category"), 0),
        "~7": number(size),
    }
    return Messy(text, columns, 60, path="access.log", header=False)


@messy
def duplicate_names() -> Messy:
    """Two tables side by side in a spreadsheet: 'score' and 'date' stand twice, and nobody can say which is meant."""
    draw = Draw(45, 30)
    first, second = draw.dates(date(2025, 1, 7), 5), draw.dates(date(2025, 6, 2), 5)
    before, after = draw.whole(20, 60), draw.whole(40, 99, missing=2)
    names = ["date", "score", "date", "score", "final"]
    text = lines(names, said(first), said(before), said(second), said(after), draw.pick(["pass", "fail"]))
    return Messy(text, target="final", error="S209")


@messy
def one_column() -> Messy:
    """One column of weights with decimal commas and kg behind, a name above, blank lines at the end."""
    draw = Draw(46, 40)
    weight = draw.amounts(40, 120, 1)
    text = lines(["Gewicht"], said(weight, lambda value: f"{value} kg".replace(".", ",")), end="\r\n")
    return Messy(text + "\r\n\r\n", {"Gewicht": number(weight)}, 40)


@messy
def constant_and_empty() -> Messy:
    """A form's export with fields that nobody filled in and others that are the same in each row."""
    draw = Draw(47, 30)
    empty = [None] * 30
    form = ["v2.1"] * 30
    year = [2025] * 30
    fax = [None] * 30
    income = draw.whole(1000, 9000, missing=2)
    job = draw.pick(["nurse", "cook", "clerk"])
    ok = draw.pick(["approved", "declined"])
    text = lines(
        ["form", "year", "middle name", "fax", "income", "job", "decision"],
        form,
        said(year),
        said(empty),
        said(fax, str, "N/A"),
        said(income),
        job,
        ok,
    )
    columns = {
        "form": constant(form),
        "year": Seen(("real", "category", "binary", "skip"), 0),
        "middle name": nothing(30),
        "fax": nothing(30),
        "income": number(income),
        "job": words(job),
    }
    return Messy(text, columns, 30, "decision", count(ok))


@messy
def short_rows() -> Messy:
    """A tool that leaves out empty values at the end of a row, with their commas: values may be lost, too."""
    draw = Draw(48, 30)
    flow = draw.amounts(10, 90, 1, missing=5)
    note = [None if value is None or at % 2 else "checked" for at, value in enumerate(flow)]
    place, state = draw.pick(["dam", "weir", "lock"]), draw.pick(["full", "low"])
    rows = lines([], place, state, said(draw.amounts(1, 9)), said(flow), said(note)).splitlines()
    text = "place,state,level,flow,note\n" + "".join(row.rstrip(",") + "\n" for row in rows)
    return Messy(text, target="state", error="D214")


@messy
def excel_text_numbers() -> Messy:
    """CSV that Excel is kept from bending: ="00123" for codes, an apostrophe in front of others, amounts plain."""
    draw = Draw(57, 30)
    article = said(draw.whole(100, 99_999), "{:07}".format)
    batch = said(draw.pick([12, 7, 130]), "{:05}".format)
    amount = draw.amounts(1, 900, missing=1)
    made = draw.dates(date(2025, 1, 1), 200)
    state = draw.pick(["open", "done"])
    text = lines(
        ["article", "batch", "amount", "made", "state"],
        said(article, lambda value: f'="{value}"'),
        said(batch, "'{}".format),
        said(amount),
        said(made),
        state,
    )
    columns = {"article": code(article), "batch": words(batch), "amount": number(amount), "made": day(made)}
    return Messy(text, columns, 30, "state", count(state))


# --- workbooks and archives


@messy
def merged_cells() -> Messy:
    """A workbook for people: a title above, groups merged over the names, regions merged downwards, dates."""
    draw = Draw(51, 24)
    region = ["North"] * 8 + ["East"] * 8 + ["South"] * 8
    shop = [f"Shop {at}" for at in range(1, 25)]
    opened = draw.dates(date(2001, 1, 1), 8000)
    plan, real = draw.whole(100, 900), draw.whole(100, 900, missing=2)
    rows = [
        ["Sales by shop, 2024"],
        [],
        [None, None, None, "Sales", None],
        ["Region", "Shop", "Opened", "Plan", "Actual"],
        *(
            [where if at % 8 == 0 else None, *rest]
            for at, (where, *rest) in enumerate(zip(region, shop, opened, plan, real, strict=True))
        ),
    ]

    def merge(book: Any) -> None:
        for cells in ("A1:E1", "D3:E3", "A5:A12", "A13:A20", "A21:A28"):
            book["Sales"].merge_cells(cells)

    columns = {
        "Region": words(region),
        "Shop": code(shop),
        "Opened": day(opened),
        "~Plan": number(plan),
        "~Actual": number(real),
    }
    return Messy(workbook(("Sales", rows), change=merge), columns, 24, path="sales.xlsx")


@messy
def cover_sheet() -> Messy:
    """A workbook with an empty cover sheet, a hidden blank column, formulas with their values, #N/A, TRUE and FALSE."""
    draw = Draw(52, 30)
    at = draw.moments(datetime(2025, 2, 1), 800)
    units = draw.whole(1, 90)
    price = draw.amounts(2, 60)
    total = [round(one * many, 2) for one, many in zip(price, units, strict=True)]
    stock = draw.whole(0, 400, missing=2)
    gift = [value == "yes" for value in draw.pick(["yes", "no"])]
    back = draw.pick(["kept", "returned"])
    rows = [
        ["When", None, "Units", "Price", "Total", "Stock", "Gift", "Fate"],
        *(
            [when, None, many, one, f"=C{row}*D{row}", "#N/A" if left is None else left, given, fate]
            for row, (when, many, one, left, given, fate) in enumerate(
                zip(at, units, price, stock, gift, back, strict=True), 2
            )
        ),
    ]

    def hide(book: Any) -> None:
        book["Data"].column_dimensions["B"].hidden = True

    made = io.BytesIO()
    values = iter(total)
    with (
        zipfile.ZipFile(io.BytesIO(workbook(("Cover", []), ("Data", rows), change=hide))) as plain,
        zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as saved,
    ):
        for name in plain.namelist():
            part = plain.read(name).decode()
            while "<v />" in part or "<v></v>" in part:  # what Excel computed stands beside each formula
                mark = "<v />" if "<v />" in part else "<v></v>"
                part = part.replace(mark, f"<v>{next(values)}</v>", 1)
            saved.writestr(name, part)
    columns = {
        "When": day(at),
        "Units": number(units),
        "Price": number(price),
        "Total": number(total),
        "Stock": number(stock),
        "Gift": two(gift),
    }
    return Messy(made.getvalue(), columns, 30, "Fate", count(back), path="orders.xlsx")


@messy
def typed_as_text() -> Messy:
    """A workbook pasted from elsewhere: some numbers and dates are text, with blanks; totals and a source below."""
    draw = Draw(53, 26)
    dealer = draw.pick(["Berg", "Tal", "See"])
    sold = draw.amounts(1000, 9000, missing=2)
    paid = draw.dates(date(2025, 1, 1), 200)
    late = draw.pick(["late", "in time"])
    rows = [
        ["Dealer", "Sold", "Paid", "State"],
        *(
            [who, f" {many:,} " if at % 3 == 0 and many else many, str(when) if at % 2 else when, state]
            for at, (who, many, when, state) in enumerate(zip(dealer, sold, paid, late, strict=True))
        ),
        ["Total", sum(value or 0 for value in sold), None, None],
        [],
        ["Source: dealers, as of 30 July 2025"],
    ]
    columns = {"Dealer": words(dealer), "Sold": number(sold), "Paid": day(paid)}
    return Messy(workbook(("Sheet1", rows)), columns, 26, "State", count(late), path="dealers.xlsx")


@messy
def archive_of_one() -> Messy:
    """An open-data archive: one table in a folder, beside it what macOS adds; bars, 1 234 with thin blanks."""
    draw = Draw(54, 34)
    commune = draw.pick(["Metz", "Toul", "Verdun"])
    people = draw.whole(10_000, 990_000, missing=1)
    share = draw.amounts(0, 60, 1, missing=1)
    at = draw.dates(date(2020, 1, 1), 1500)
    coast = draw.pick(["oui", "non"])
    text = lines(
        ["commune", "population", "part", "date_maj", "littoral"],
        commune,
        said(people, lambda value: f"{value:,}".replace(",", "\u202f"), "nd"),
        said(share, lambda value: f"{value} %".replace(".", ",")),
        said(at, lambda value: value.strftime("%d/%m/%Y")),
        coast,
        sep="|",
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("export/", "")
        archive.writestr("export/communes.csv", text)
        archive.writestr("__MACOSX/export/._communes.csv", b"\x00\x05\x16\x07\x00\x02\x00\x00")
    columns = {"commune": words(commune), "population": number(people), "part": number(share), "date_maj": day(at)}
    return Messy(packed.getvalue(), columns, 34, "littoral", count(coast), path="communes.zip")


# --- what nobody can read


@messy
def comma_not_quoted() -> Messy:
    """Addresses with a comma that nobody put into quotes: one row has a value more than there are names."""
    draw = Draw(55, 20)
    rows = lines(
        [], said(draw.whole(1, 99)), draw.pick(["Main St", "Elm St"]), said(draw.amounts(1, 9)), draw.pick(["a", "b"])
    )
    wrong = rows.replace("Elm St", "Elm St, Apt 4", 1)
    return Messy("nr,street,miles,zone\n" + wrong, target="zone", error="D214")


@messy
def quote_not_closed() -> Messy:
    """A value that begins with a quote which nobody closed."""
    draw = Draw(56, 20)
    rows = lines([], draw.pick(["monitor", "mouse"]), said(draw.amounts(100, 900)), draw.pick(["new", "used"]))
    wrong = rows.replace("monitor", '"monitor 15', 1)
    return Messy("item,price,state\n" + wrong, target="state", error="D215")


@messy
def xls_called_csv() -> Messy:
    """An old .xls workbook that somebody renamed to .csv."""
    return Messy(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + b"Workbook\x00" * 200, error="D210")
