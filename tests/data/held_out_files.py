"""Ten more files as people have them, designed before anybody looked at how files are read; in the form of messy_files.

At first three of the ten were right: the French text and the German bank's as tables, and the hospital's spool, whose
ending is refused with a hint (named .txt, it was right as a table, too). The survey's -99 has still to be said.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

from .messy_files import (
    Draw,
    Messy,
    code,
    count,
    counter,
    day,
    german,
    lines,
    number,
    quoted,
    said,
    two,
    words,
    workbook,
)

HELD_OUT: dict[str, Callable[[], Messy]] = {}


def held_out(make: Callable[[], Messy]) -> Callable[[], Messy]:
    """Put a habit into the table."""
    HELD_OUT[make.__name__] = make
    return make


def dotted(value: date) -> str:
    return value.strftime("%d.%m.%Y")


@held_out
def german_bank() -> Messy:
    """A German bank's export: all in quotes, semicolons at the end too, lines about the account above, Latin-1."""
    draw = Draw(101, 60)
    booked = [date(2024, 1, 2) + timedelta(days=3 * at) for at in range(60)]
    valued = [at + timedelta(days=1) for at in booked]
    payee = draw.pick(["REWE Markt GmbH", "Stadtwerke München", "Müller & Söhne KG", "Deutsche Bahn AG"])
    amount = draw.amounts(-2900, 2900)
    mandate = draw.holes([f"M{value}" for value in draw.whole(10**6, 10**7)], 22)
    kind = ["Eingang" if value > 0 else "Lastschrift" for value in amount]
    kind[0] = "Kartenzahlung"

    def row(*cells: str) -> str:
        return "".join(f'"{cell}";' for cell in cells) + "\r\n"

    above = [
        row("Kontonummer:", "DE12120300001234567890 / Girokonto"),
        "\r\n",
        row("Von:", "02.01.2024") + row("Bis:", "28.06.2024"),
        row("Kontostand vom 28.06.2024:", "4.321,09 EUR"),
        "\r\n",
        row("Buchungstag", "Wertstellung", "Empfänger", "Betrag (EUR)", "Mandatsreferenz", "Buchungstext"),
    ]
    rows = zip(map(dotted, booked), map(dotted, valued), payee, map(german, amount), said(mandate), kind, strict=True)
    columns = {
        "Buchungstag": day(booked),
        "Wertstellung": day(valued),
        "Empfänger": words(payee),
        "Betrag (EUR)": number(amount),
        "Mandatsreferenz": code(mandate),
    }
    text = "".join([*above, *(row(*cells) for cells in rows)])
    return Messy(text.encode("latin-1"), columns, 60, "Buchungstext", count(kind))


@held_out
def sap_list() -> Messy:
    """A list that SAP saved unconverted: a title, rules of dashes, pipes on both ends, padding, 1.170,88- below 0."""
    draw = Draw(102, 48)
    document = [1_900_000_000 + 7 * at + drawn for at, drawn in enumerate(draw.whole(0, 6))]
    kind = draw.pick(["KR", "KZ", "SA"])
    at = draw.dates(date(2024, 2, 1), 90)
    centre = draw.pick(["CC-100", "CC-200", "CC-310"], missing=9)
    amount = draw.amounts(-19_000, 12_000)
    status = draw.pick(["open", "cleared"])
    rule = "-" * 62 + "\r\n"

    def trailing(value: float) -> str:
        return (german(abs(value)) + ("-" if value < 0 else " ")).rjust(14)

    header = ["DocumentNo", "Type", "Doc. Date ", "Cost Ctr ", "  Amount in LC", "Status  "]
    cells = [
        said(document),
        said(kind, "{:4}".format),
        said(at, dotted),
        said(centre, "{:9}".format, " " * 9),
        said(amount, trailing),
        said(status, "{:8}".format),
    ]
    table = "".join(f"|{line}|\r\n" for line in lines(header, *cells, sep="|").splitlines())
    first, rest = table.split("\r\n", 1)
    title = "01.04.2024                 Dynamic List Display                  1\r\n"
    columns = {
        "DocumentNo": code(document),
        "Type": words(kind),
        "Doc. Date": day(at),
        "Cost Ctr": words(centre),
        "Amount in LC": number(amount),
    }
    text = title + rule + first + "\r\n" + rule + rest + rule
    return Messy(text, columns, 48, "Status", count(status), "sap.txt")


@held_out
def survey_of_three_headers() -> Messy:
    """Qualtrics: names, questions, {"ImportId":"QID1"} above each other; line ends and quotes within; -99 for none."""
    draw = Draw(103, 54)
    start = draw.moments(datetime(2024, 3, 4, 9), 300)
    took = draw.whole(65, 1900)
    who = [f"R_{value:015x}" for value in draw.rng.choice(10**15, 54)]
    age = draw.whole(18, 79, missing=10)
    staff = draw.pick(["Strongly agree", "Somewhat agree", "Somewhat disagree"], missing=5)
    remark = draw.holes([f'The "{at}th" day, rainy\nand (rather) long' for at in draw.whole(1, 10**6)], 9)
    again = draw.pick(["Yes", "No"])
    names = ["StartDate", "Duration (in seconds)", "ResponseId", "Q1", "Q2", "Q3", "Q4"]
    questions = ["Start Date", "Duration (in seconds)", "Response ID", "How old are you?"]
    questions += [quoted("The staff helped, all in all"), "Anything else?", "Would you come again?"]
    ids = ["startDate", "duration", "_recordId", "QID1_TEXT", "QID2", "QID3_TEXT", "QID4"]
    text = lines(names, *([cell] for cell in questions))
    text += lines([], *([quoted(f'{{"ImportId":"{cell}"}}')] for cell in ids))
    cells = [said(start), said(took), who, said(age, missing="-99"), said(staff, missing="-99")]
    text += lines([], *cells, said(remark, quoted), again)
    columns = {
        "StartDate": day(start),
        "Duration (in seconds)": number(took),
        "ResponseId": code(who),
        "Q1": number(age),
        "Q2": words(staff),
        "Q3": code(remark),
    }
    return Messy("\ufeff" + text, columns, 54, "Q4", count(again), marks=("-99",))


@held_out
def german_districts() -> Messy:
    """Destatis: titles with semicolons, units below the names, '.', '/' and '...' for unknown, notes below a line."""
    draw = Draw(104, 40)
    key = [f"{1 + at % 16:02}{at:03}" for at in range(40)]
    name = [
        f"Landkreis {value}hausen"
        for value in said(list(range(40)), lambda at: chr(65 + at % 26) + "au" * (1 + at // 26))
    ]
    people = draw.whole(35_000, 420_000)
    rate = draw.amounts(2, 13, 1, missing=6)
    income = draw.whole(22_000, 98_000, missing=8)
    kind = draw.pick(["städtisch", "ländlich", "verdichtet"])
    text = (
        "GENESIS-Tabelle: 13211-02-05-4;;;;;\nArbeitslosenquote und BIP nach Kreisen;;;;;\nStichtag: 31.12.2023;;;;;\n"
    )
    text += "Schlüssel;Kreis;Bevölkerung;Arbeitslosenquote;BIP je Einwohner;Siedlungstyp\n;;Anzahl;%;EUR;\n"
    rates = said(rate, lambda value: f"{value}".replace(".", ","), (".", "/"))
    text += lines([], key, name, said(people), rates, said(income, missing=(".", "...")), kind, sep=";")
    text += "__________\nBevölkerung: Fortschreibung auf Grundlage des Zensus 2022.\n"
    text += "© Statistisches Bundesamt (Destatis), 2024 | Stand: 14.05.2024 / 10:11:12\n"
    columns = {
        "Schlüssel": code(key),
        "Kreis": code(name),
        "~Bevölkerung": number(people),
        "~Arbeitslosenquote": number(rate),
        "~BIP je Einwohner": number(income),
    }
    return Messy(text.replace("\n", "\r\n").encode("latin-1"), columns, 40, "Siedlungstyp", count(kind))


@held_out
def field_logger() -> Messy:
    """A Campbell logger's TOA5: the station, then names, units and how they were averaged, all in quotes; "NAN"."""
    draw = Draw(105, 72)
    at = [datetime(2024, 6, 1) + timedelta(minutes=10 * step) for step in range(72)]
    record = [15231 + step for step in range(72)]
    volts = draw.amounts(12.2, 13.2)
    air = draw.amounts(15, 23, 3, missing=4)
    wind = draw.amounts(0, 11, missing=3)
    sky = draw.pick(["clear", "cloud", "night"])
    text = '"TOA5","Hilltop","CR1000","12345","CR1000.Std.27","CPU:hilltop.CR1","6321","Table10min"\n'
    text += '"TIMESTAMP","RECORD","BattV_Min","AirTC_Avg","WS_ms_Avg","Sky"\n'
    text += '"TS","RN","Volts","Deg C","meters/second",""\n"","","Min","Avg","Avg","Smp"\n'
    cells = [said(at, lambda value: f'"{value}"'), said(record), said(volts)]
    text += lines([], *cells, said(air, missing='"NAN"'), said(wind, missing='"NAN"'), said(sky, quoted))
    columns = {
        "TIMESTAMP": day(at),
        "RECORD": counter(record),
        "BattV_Min": number(volts),
        "AirTC_Avg": number(air),
        "WS_ms_Avg": number(wind),
    }
    return Messy(text.replace("\n", "\r\n"), columns, 72, "Sky", count(sky), "toa5.dat")


def _laboratory() -> tuple[str, dict[str, Any], list[Any]]:
    draw = Draw(106, 45)
    record = [f"{4_400_000 + 13 * at + drawn:08}" for at, drawn in enumerate(draw.whole(0, 12))]
    born = draw.dates(date(1931, 1, 5), 24_000)
    sex = draw.pick(["M", "F"])
    blood = draw.amounts(9, 18, 1, missing=6)
    protein = draw.amounts(0, 40, 1, missing=10)
    pressure = [f"{value}/{value - 40}" for value in draw.whole(105, 180)]
    ward = draw.pick(["ICU", "Medical", "Surgical"])
    cells = [
        record,
        said(born, lambda value: value.strftime("%d-%b-%Y").upper()),
        said(sex, "{:3}".format),
        said(blood, "{:6}".format, "(null)"),
        said(protein, "{:6}".format, "(null)"),
        said(pressure, "{:7}".format),
        ward,
    ]
    header = ["MRN     ", "DOB        ", "SEX", "HB    ", "CRP   ", "BP     ", "WARD"]
    text = lines(header, *cells, sep="|") + "\n45 rows selected.\n"
    columns = {"MRN": code(record), "DOB": day(born), "SEX": words(sex), "HB": number(blood), "CRP": number(protein)}
    return text, columns | {"BP": code(pressure)}, ward


@held_out
def oracle_spool() -> Messy:
    """A hospital's spool of SQL*Plus, named .lst: what it is must be said."""
    return Messy(_laboratory()[0], path="lab.lst", target="WARD", error="D201")


@held_out
def oracle_spool_as_text() -> Messy:
    """The same named .txt: padded cells between pipes, 14-MAR-1956, (null), and '45 rows selected.' at the end."""
    text, columns, ward = _laboratory()
    return Messy(text, columns, 45, "WARD", count(ward), "lab.txt")


@held_out
def chinese_orders() -> Messy:
    """A Chinese shop in GBK: a tab before long numbers so that Excel keeps them, ¥ of full width, --, 是 and 否."""
    draw = Draw(107, 66)
    order = [str(3_700_000_000_000_000_000 + int(value)) for value in draw.rng.integers(0, 10**17, 66)]
    paid = draw.moments(datetime(2024, 11, 1, 8), 660)
    goods = draw.pick(["连衣裙", "运动鞋", "手机壳", "蓝牙耳机"])
    price = draw.amounts(20, 13_000, missing=7)
    province = draw.pick(["浙江省", "广东省", "四川省", "北京市"], missing=6)
    back = draw.pick(["是", "否", "否"])
    text = lines(
        ["订单编号", "付款时间", "商品", "实付金额", "收货省份", "是否退款"],
        said(order, "\t{}".format),
        said(paid, lambda at: f"{at.year}/{at.month}/{at.day} {at:%H:%M:%S}"),
        goods,
        said(price, lambda value: quoted(f"\uffe5{value:,.2f}"), "--"),
        said(province, missing="--"),
        back,
        end="\r\n",
    )
    columns = {
        "订单编号": code(order),
        "付款时间": day(paid),
        "商品": words(goods),
        "实付金额": number(price),
        "收货省份": words(province),
    }
    return Messy(text.encode("gbk"), columns, 66, "是否退款", count(back))


@held_out
def french_unicode_text() -> Messy:
    """Excel's 'Unicode text' in France: UTF-16, tabs, 12 345,50 €, 12,5%, VRAI and FAUX, #N/A and #DIV/0!."""
    draw = Draw(108, 50)
    at = draw.dates(date(2024, 1, 5), 250)
    sales = draw.amounts(130, 12_400, missing=5)
    margin = draw.amounts(-8, 35, 1, missing=4)
    town = draw.pick(["Orléans", "Besançon", "Nîmes", "L'Haÿ-les-Roses"])
    loyal = draw.pick(["VRAI", "FAUX"])
    segment = draw.pick(["Élevé", "Moyen", "Faible"])
    text = lines(
        ["Date", "Ville", "Chiffre d'affaires", "Marge", "Fidèle", "Segment"],
        said(at, lambda value: value.strftime("%d/%m/%Y")),
        town,
        said(sales, lambda value: german(value).replace(".", "\u00a0") + "\u00a0€", "#N/A"),
        said(margin, lambda value: f"{value}%".replace(".", ","), "#DIV/0!"),
        loyal,
        segment,
        sep="\t",
        end="\r\n",
    )
    columns = {
        "Date": day(at),
        "Ville": words(town),
        "Chiffre d'affaires": number(sales),
        "Marge": number(margin),
        "Fidèle": two(loyal),
    }
    return Messy(b"\xff\xfe" + text.encode("utf-16-le"), columns, 50, "Segment", count(segment), "ventes.txt")


def lakh(value: int) -> str:
    """12,34,567"""
    head, tail = divmod(value, 1000)
    groups = f"{tail:03}"
    while head:
        head, pair = divmod(head, 100)
        groups = (f"{pair:02}," if head else f"{pair},") + groups
    return groups


@held_out
def indian_flats() -> Messy:
    """Flats in India: ₹ 1,25,00,000 and Rs. 45,000/-, 05-Jan-24, N.A., rows counted, a Grand Total at the foot."""
    draw = Draw(109, 56)
    price = [value * 1000 for value in draw.whole(900, 24_000)]
    rent = [value and value * 100 for value in draw.whole(60, 1300, missing=11)]
    area = draw.whole(450, 3200)
    listed = draw.dates(date(2024, 1, 5), 330)
    city = draw.pick(["Pune", "Mumbai", "Chennai", "Kochi"])
    status = draw.pick(["Sold", "Available"])

    def rupees(value: int) -> str:
        return quoted(f"Rs. {lakh(value)}/-")

    text = lines(
        ["Sr. No.", "City", "Listed On", "Price", "Monthly Rent", "Carpet Area (sq.ft.)", "Status"],
        said(list(range(1, 57))),
        city,
        said(listed, lambda value: value.strftime("%d-%b-%y")),
        said(price, lambda value: quoted(f"₹ {lakh(value)}")),
        said(rent, rupees, "N.A."),
        said(area, lambda value: quoted(f"{value:,}")),
        status,
    )
    paid = sum(value for value in rent if value)
    text += f'Grand Total,,,"₹ {lakh(sum(price))}",{rupees(paid)},"{sum(area):,}",\n'
    columns = {
        "Sr. No.": counter(area),
        "City": words(city),
        "Listed On": day(listed),
        "Price": number(price),
        "Monthly Rent": number(rent),
        "Carpet Area (sq.ft.)": number(area),
    }
    return Messy(text, columns, 56, "Status", count(status))


@held_out
def clinic_workbook() -> Messy:
    """A clinic: a merged title, names merged across and down, wards merged over patients, a note, a second sheet."""
    draw = Draw(110, 36)
    sizes = {"North": 14, "South": 12, "West": 10}
    ward = [name for name, rows in sizes.items() for _ in range(rows)]
    patient = [f"P-{100 + at}" for at in range(36)]
    seen = [datetime(2024, 5, 1) + timedelta(days=at) for at in range(36)]
    high = draw.whole(98, 180, missing=3)
    low = draw.whole(55, 110, missing=4)
    weight = draw.amounts(48, 110, 1)
    outcome = draw.pick(["home", "transfer"])
    titles = [["Ward visits, May 2024"], []]
    names = [["Ward", "Patient", "Seen", "Blood pressure", None, "Weight (kg)", "Outcome"]]
    names += [[None, None, None, "systolic", "diastolic", None, None]]
    firsts = [name if at == 0 else None for name, rows in sizes.items() for at in range(rows)]
    rows = [list(row) for row in zip(firsts, patient, seen, high, low, weight, outcome, strict=True)]

    def merge(book: Any) -> None:
        sheet = book["Visits"]
        for cells in (
            "A1:G1",
            "D3:E3",
            *(f"{letter}3:{letter}4" for letter in "ABCFG"),
            "A5:A18",
            "A19:A30",
            "A31:A40",
        ):
            sheet.merge_cells(cells)

    sheets = [*titles, *names, *rows, [], ["Source: ward books; weights on admission."]]
    columns = {
        "Ward": words(ward),
        "Patient": code(patient),
        "Seen": day(seen),
        "~systolic": number(high),
        "~diastolic": number(low),
        "Weight (kg)": number(weight),
    }
    content = workbook(("Visits", sheets), ("Notes", [["Compiled by the ward clerk"]]), change=merge)
    return Messy(content, columns, 36, "Outcome", count(outcome), "clinic.xlsx")
