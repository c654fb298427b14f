"""Habits of other lands and tools, which were read wrong when they were first tried; in the form of messy_files."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime

from .messy_files import Draw, Messy, code, count, counter, day, german, lines, number, quoted, said, two, words

FURTHER: dict[str, Callable[[], Messy]] = {}


def further(make: Callable[[], Messy]) -> Callable[[], Messy]:
    """Put a habit into the table."""
    FURTHER[make.__name__] = make
    return make


def digits(text: str, zero: str) -> str:
    """The digits of a script whose zero is this."""
    return "".join(chr(ord(zero) + int(letter)) if letter.isdecimal() else letter for letter in text)


@further
def plate_reader() -> Messy:
    """A laboratory's plate reader: what was set above, when it ended below, OVRFLW, limits of detection."""
    draw = Draw(201, 48)
    well = [f"{'ABCDEFGH'[at // 12]}{at % 12 + 1}" for at in range(48)]
    sample = draw.pick(["Blank", "Standard", "Unknown"])
    density = draw.amounts(0.02, 3.4, 3, missing=6)
    dose = draw.amounts(0.5, 250, 1)
    known = [None if value < 20 or value > 230 else value for value in dose]
    heat = draw.amounts(36, 38, 1)
    result = draw.pick(["pos", "neg"])
    table = lines(
        ["Well", "Sample Type", "OD450", "Conc. (ng/mL)", "Temp", "Result"],
        well,
        sample,
        said(density, "{:.3f}".format, "OVRFLW"),
        said(dose, lambda value: "<20" if value < 20 else ">230" if value > 230 else f"{value:.1f}"),
        said(heat, "{:.1f} °C".format),
        result,
        sep="\t",
        end="\r\n",
    )
    above = "[Header]\r\nInstrument:\tInfinite 200\r\nDate:\t2026-03-01 14:22\r\nWavelength:\t450 nm\r\n\r\n[Data]\r\n"
    columns = {
        "Well": code(well),
        "Sample Type": words(sample),
        "OD450": number(density),
        "Conc. (ng/mL)": number(known),
        "Temp": number(heat),
    }
    text = above + table + "\r\nEnd of run:\t2026-03-01 14:25\r\n"
    return Messy(text.encode("utf-8-sig"), columns, 48, "Result", count(result), "plate.txt")


@further
def form_of_google() -> Messy:
    """Google Forms: 2026/03/01 3:45:12 PM GMT+1, several answers parted by ';', questions with commas and line ends."""
    draw = Draw(202, 40)
    sent = draw.moments(datetime(2026, 2, 27), 240)
    mail = [f"{'abcdefgh'[at % 8]}{draw.rng.integers(10**6)}@example.com" for at in range(40)]
    drinks = draw.pick(["Tea;Coffee", "Coffee", "Tea;Juice;Water", "None of these"])
    content = draw.pick([1, 2, 3, 4, 5])
    age = draw.pick(["18-25", "26-35", "36-50", "50+"])
    again = draw.pick(["Yes", "No", "Maybe"])

    def stamp(value: datetime) -> str:
        ahead = value.replace(hour=(value.hour + 1) % 24)  # told an hour ahead of Greenwich
        return f"{ahead:%Y/%m/%d} {ahead.hour % 12 or 12}:{ahead:%M:%S} {'AM' if ahead.hour < 12 else 'PM'} GMT+1"

    sent = [value.replace(hour=value.hour % 23) for value in sent]
    text = lines(
        [
            '"Timestamp"',
            '"Mail"',
            '"Which drinks, if any,\ndo you like?"',
            '"How satisfied? [1-5]"',
            '"Age"',
            '"Again?"',
        ],
        *([quoted(cell) for cell in cells] for cells in (said(sent, stamp), mail, drinks, said(content), age, again)),
    )
    columns = {
        "Timestamp": day(sent),
        "Mail": code(mail),
        "Which drinks, if any,\ndo you like?": words(drinks),
        "How satisfied? [1-5]": number(content),
        "Age": words(age),
    }
    return Messy(text, columns, 40, "Again?", count(again))


@further
def turkish_shop() -> Messy:
    """A Turkish shop: %12,5 with the sign in front, ₺1.234,50, Evet and Hayır, 3 Mayıs 2024, number plates as 06."""
    draw = Draw(203, 36)
    total, off = draw.amounts(10, 9000), draw.amounts(0, 60, 1, missing=1)
    member = draw.pick(["Evet", "Hayır"])
    months = [
        *("Ocak", "Şubat", "Mart", "Nisan", "Mayıs", "Haziran"),
        *("Temmuz", "Ağustos", "Eylül", "Ekim", "Kasım", "Aralık"),
    ]
    bought = draw.dates(date(2024, 1, 1), 360)
    plate = draw.pick(["06", "34", "35", "01"])
    gift = draw.pick(["var", "yok"])
    text = lines(
        ["Tutar", "İndirim", "Üye", "Tarih", "Plaka", "Hediye"],
        said(total, lambda value: "₺" + german(value)),
        said(off, lambda value: f"%{value}".replace(".", ","), "-"),
        member,
        said(bought, lambda value: f"{value.day} {months[value.month - 1]} {value.year}"),
        plate,
        gift,
        sep=";",
    )
    columns = {
        "Tutar": number(total),
        "İndirim": number(off),
        "Üye": two(member),
        "Tarih": day(bought),
        "Plaka": code(plate),
    }
    return Messy(text.encode("utf-8-sig"), columns, 36, "Hediye", count(gift))


@further
def polish_flats() -> Messy:
    """Polish flats in letters of Windows-1250: 1 234,56 zł with no-break blanks, m², 'brak danych' for no value."""
    draw = Draw(204, 48)
    price, area = draw.amounts(900, 90_000), draw.amounts(20, 140, 1, missing=7)
    lift = draw.pick(["tak", "nie"])
    town = draw.pick(["Łódź", "Kraków", "Wrocław", "Gdańsk", "Częstochowa"])
    post = draw.pick(["00-950", "31-042", "80-001"])
    state = draw.pick(["nowe", "używane"])

    def polish(value: float, digits: int) -> str:
        return f"{value:,.{digits}f}".replace(",", "\xa0").replace(".", ",")

    text = lines(
        ["Cena", "Powierzchnia", "Winda", "Miasto", "Kod", "Stan"],
        said(price, lambda value: polish(value, 2) + " zł"),
        said(area, lambda value: polish(value, 1) + " m2", "brak danych"),
        lift,
        town,
        post,
        state,
        sep=";",
    )
    columns = {
        "Cena": number(price),
        "Powierzchnia": number(area),
        "Winda": two(lift),
        "Miasto": words(town),
        "Kod": code(post),
    }
    return Messy(text.encode("cp1250"), columns, 48, "Stan", count(state))


@further
def russian_ledger() -> Messy:
    """What 1C writes in Russia: letters of Windows-1251, руб. behind, Да and Нет, н/д for no value, 5 мая 2025."""
    draw = Draw(205, 48)
    total, left = draw.amounts(100, 90_000), draw.amounts(1, 99, 1, missing=6)
    paid = draw.pick(["Да", "Нет"])
    town = draw.pick(["Москва", "Санкт-Петербург", "Казань"])
    months = [
        *("января", "февраля", "марта", "апреля", "мая", "июня"),
        *("июля", "августа", "сентября", "октября", "ноября", "декабря"),
    ]
    at = draw.dates(date(2024, 1, 1), 700)
    kind = draw.pick(["опт", "розница"])
    text = lines(
        ["№", "Сумма", "Оплачен", "Город", "Дата", "Остаток", "Вид"],
        said(range(1, 49)),
        said(total, lambda value: f"{value:,.2f} руб.".replace(",", "\xa0").replace(".", ",", 1)),
        paid,
        town,
        said(at, lambda value: f"{value.day} {months[value.month - 1]} {value.year}"),
        said(left, lambda value: str(value).replace(".", ","), "н/д"),
        kind,
        sep=";",
        end="\r\n",
    )
    columns = {
        "№": counter(range(48)),
        "Сумма": number(total),
        "Оплачен": two(paid),
        "Город": words(town),
        "Дата": day(at),
        "Остаток": number(left),
    }
    return Messy(text.encode("cp1251"), columns, 48, "Вид", count(kind))


@further
def japanese_ledger() -> Messy:
    """A Japanese ledger in Shift-JIS: △ before what was lost, digits of full width, 2024年3月1日, 円, はい."""
    draw = Draw(206, 40)
    many, gain, price = draw.whole(100, 999), draw.whole(-90_000, 900_000), draw.whole(100, 90_000)
    at = draw.dates(date(2024, 1, 1), 600)
    member, sex = draw.pick(["はい", "いいえ"]), draw.pick(["男", "女"])
    text = lines(
        ["数量", "損益", "価格", "日付", "会員", "性別"],
        said(many, lambda value: digits(str(value), "０")),
        said(gain, lambda value: quoted("△" * (value < 0) + f"{abs(value):,}")),
        said(price, lambda value: quoted(f"{value:,}円")),
        said(at, lambda value: f"{value.year}年{value.month}月{value.day}日"),
        member,
        sex,
    )
    columns = {
        "数量": number(many),
        "損益": number(gain),
        "価格": number(price),
        "日付": day(at),
        "会員": two(member),
    }
    return Messy(text.encode("cp932"), columns, 40, "性別", count(sex))


@further
def arabic_survey() -> Messy:
    """An Arabic survey: ١٬٢٣٤٫٥ and ٢٠٢٦-٠٣-٠١ in digits of Arabic, ages in those of Persia, ٪, نعم and لا."""
    draw = Draw(207, 40)
    total, share, age = draw.amounts(100, 90_000, 1), draw.amounts(0, 60, 1, missing=2), draw.whole(18, 80)
    at = draw.dates(date(2024, 1, 1), 700)
    member, sex = draw.pick(["نعم", "لا"]), draw.pick(["ذكر", "أنثى"])

    def arabic(text: str) -> str:
        return digits(text, "٠").translate(str.maketrans(",.%", "٬٫٪"))

    text = lines(
        ["المبلغ", "النسبة", "سن", "التاريخ", "عضو", "الجنس"],
        said(total, lambda value: arabic(f"{value:,}")),
        said(share, lambda value: arabic(f"{value}%"), "-"),
        said(age, lambda value: digits(str(value), "۰")),
        said(at, lambda value: "\u200f" + digits(str(value), "٠")),
        member,
        sex,
        sep=";",
    )
    columns = {
        "المبلغ": number(total),
        "النسبة": number(share),
        "سن": number(age),
        "التاريخ": day(at),
        "عضو": two(member),
    }
    return Messy(text, columns, 40, "الجنس", count(sex))


@further
def codes_like_numbers() -> Messy:
    """Codes that look like something else: 1E5, 0012, NA of Namibia beside NO of Norway, SEPT2, May, 18-25, + and -."""
    draw = Draw(208, 56)
    goods, shop = draw.pick(["1E5", "2E3", "3E7", "1E9", "4E2"]), draw.pick(["0012", "0107", "1230"])
    land = draw.pick(["NA", "NO", "DE", "ZA", "US", "BW"])
    name, gene = draw.pick(["May", "June", "April", "Anna"]), draw.pick(["SEPT2", "MARCH1", "DEC1", "TP53"])
    age, rhesus, post = draw.pick(["18-25", "26-35"]), draw.pick(["+", "-"]), draw.pick(["02139", "10001", "00501"])
    hash_ = [f"{value:07x}" for value in draw.rng.integers(16**6, 16**7, 56)]
    sold = draw.pick(["yes", "no"])
    names = ["product", "store", "country", "first name", "gene", "age", "rh", "zip", "commit", "sold"]
    text = lines(names, goods, shop, land, name, gene, age, rhesus, post, hash_, sold)
    told = (words(goods), words(shop), words(land), words(name), words(gene), words(age), words(rhesus), words(post))
    columns = dict(zip(names, (*told, code(hash_)), strict=False))
    return Messy(text, columns, 56, "sold", count(sold))


@further
def put_together() -> Messy:
    """Three exports put together on an old Mac: the names stand in the midst, too; lines end in carriage returns."""
    draw = Draw(209, 45)
    at, heat, calls = draw.dates(date(2024, 1, 1), 700), draw.amounts(1, 99, 1), draw.whole(0, 40)
    shop, won = draw.pick(["A", "B", "C"]), draw.pick([0, 1])
    parts = [
        lines(
            ["date", "temp", "calls", "shop", "won"],
            said(at, "{:%m/%d/%Y}".format)[some],
            said(heat)[some],
            said(calls)[some],
            shop[some],
            said(won)[some],
            end="\r",
        )
        for some in (slice(0, 15), slice(15, 30), slice(30, 45))
    ]
    columns = {"date": day(at), "temp": number(heat), "calls": number(calls), "shop": words(shop)}
    return Messy("".join(parts), columns, 45, "won", count(won))


@further
def office_of_statistics() -> Messy:
    """A statistical office: titles, units below the names, 1,234(a), '..' and n.p. for no value, a total, footnotes."""
    draw = Draw(210, 48)
    state = draw.pick(["New South Wales", "Victoria", "Queensland", "Tasmania"])
    people, idle = draw.whole(1000, 99_999, missing=5), draw.amounts(0, 100, 1, missing=6)
    year, coast = draw.pick([2021, 2022, 2023]), draw.pick(["Yes", "No"])
    noted = [
        cell + "(a)" * (cell[:1].isdigit() and at % 9 == 0)
        for at, cell in enumerate(said(people, "{:,}".format, ["..", "n.p."]))
    ]
    rows = lines([], state, map(quoted, noted), said(idle, str, ["np", ".."]), said(year), coast, end="\r\n")
    text = (
        'Table 3: Labour force by state,,,,\r\n"Released 1 March 2026, cat. no. 6202.0",,,,\r\n,,,,\r\n'
        f'State,Persons,Unemployed,Year,Coast\r\n,no.,%,,\r\n{rows}Total,"1,234,567",,,\r\n,,,,\r\n'
        '(a) Estimate has a relative standard error of 25% or more.,,,,\r\n"Source: Labour Force, Australia",,,,\r\n'
    )
    columns = {"State": words(state), "Persons": number(people), "Unemployed": number(idle), "Year": number(year)}
    return Messy(text, columns, 48, "Coast", count(coast))


@further
def stata_with_dates() -> Messy:
    """Stata: 22aug2025 for days, '.' for no value, .5 without a zero, labels as (1) Male, SAS's 01MAR2026:12:30:00."""
    draw = Draw(211, 40)
    sex, age = draw.pick(["(1) Male", "(2) Female"]), draw.whole(18, 90, missing=4)
    weight, at = draw.amounts(0.1, 3, 3), draw.dates(date(2024, 1, 1), 700, missing=1)
    came, wave = draw.moments(datetime(2025, 3, 1), 900), ["2"] * 40
    vote = draw.pick(["left", "right"])
    text = lines(
        ["sex", "age", "weight", "intdate", "came", "wave", "vote"],
        sex,
        said(age, str, "."),
        said(weight, lambda value: f"{value:.3f}".removeprefix("0")),
        said(at, lambda value: f"{value:%d%b%Y}".lower(), "."),
        said(came, lambda value: f"{value:%d%b%Y:%H:%M:%S}".upper()),
        wave,
        vote,
        sep="\t",
    )
    columns = {
        "sex": words(sex),
        "age": number(age),
        "weight": number(weight),
        "intdate": day(at),
        "came": day(came),
        "wave": number([2] * 40),
    }
    return Messy(text, columns, 40, "vote", count(vote), "wave2.tab")


@further
def card_statement() -> Messy:
    """An account's statement: 1,234.56 CR and 99.00 DR, ($500.00), 2026-03-01 12:00:00+01, times of `date`."""
    draw = Draw(212, 40)
    amount, balance = draw.amounts(-900, 3000), draw.amounts(-900, 3000, missing=1)
    at = draw.moments(datetime(2026, 1, 5), 4000)
    fraud = draw.pick(["TRUE", "FALSE"])
    text = lines(
        ["Amount", "Balance", "Booked", "Seen", "Fraud"],
        said(amount, lambda value: quoted(f"${value:,.2f}" if value >= 0 else f"(${-value:,.2f})")),
        said(balance, lambda value: quoted(f"{abs(value):,.2f} {'CR' if value >= 0 else 'DR'}")),
        said(at, "{:%Y-%m-%d %H:%M:%S}+00".format),
        said(at, "{:%a %b %d %H:%M:%S UTC %Y}".format),
        fraud,
    )
    columns = {"Amount": number(amount), "Balance": number(balance), "Booked": day(at), "Seen": day(at)}
    return Messy(text, columns, 40, "Fraud", {str(value == "TRUE"): many for value, many in count(fraud).items()})


@further
def log_with_zeros() -> Messy:
    """A log whose machine lost its power: the file ends in NUL bytes, which are to be taken out."""
    return Messy(b"at,load,state\n2026-03-01,0.5,on\n2026-03-02,0.7,off\n" + bytes(64), target="state", error="D211")
