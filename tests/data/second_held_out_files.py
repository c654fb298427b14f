"""Habits more, designed from what tools and offices write before anybody looked at how files are read; as messy_files.

When they were first tried, 12 of the first 24 were read as a person reads them, then 8 of ten more; of these the last
two are kept.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime

from .messy_files import (
    Draw,
    Messy,
    Seen,
    Values,
    code,
    constant,
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

SECOND: dict[str, Callable[[], Messy]] = {}


def second(make: Callable[[], Messy]) -> Callable[[], Messy]:
    """Put a habit into the table."""
    SECOND[make.__name__] = make
    return make


def named_number(values: Values) -> Seen:
    """An identifier that looks like any large number: it may be taken for one."""
    return Seen((*code(values).kinds, "real"), 0)


@second
def paid_out_and_in() -> Messy:
    """A British current account: one column of what went out, one of what came in, each empty where the other is."""
    draw = Draw(301, 40)
    at = sorted(draw.dates(date(2026, 1, 2), 80))
    sort = draw.pick(["DEB", "DD", "FPI", "BGC"])
    amount = draw.amounts(2, 2400)
    out = [value if way in ("DEB", "DD") else None for value, way in zip(amount, sort, strict=True)]
    came = [None if way in ("DEB", "DD") else value for value, way in zip(amount, sort, strict=True)]
    balance = draw.amounts(-900, 6000)
    kind = draw.pick(["home", "work"])
    text = "Account Name:,MR A EXAMPLE\r\nSort Code:,'77-01-02\r\nAccount Number:,'01234567\r\n\r\n" + lines(
        ["Transaction Date", "Transaction Type", "Debit Amount", "Credit Amount", "Balance", "Purpose", ""],
        said(at, lambda value: value.strftime("%d/%m/%Y")),
        sort,
        said(out, "{:.2f}".format),
        said(came, "{:.2f}".format),
        said(balance, lambda value: quoted(f"{value:,.2f}")),
        kind,
        [""] * 40,
        end="\r\n",
    )
    columns = {
        "Transaction Date": day(at),
        "Transaction Type": words(sort),
        "Debit Amount": number(out),
        "Credit Amount": number(came),
        "Balance": number(balance),
    }
    return Messy(text, columns, 40, "Purpose", count(kind))


@second
def erp_open_items() -> Messy:
    """Open items of an ERP in UTF-16: 123,45- EUR below zero, 00.00.0000 for no day, customers as 0000012345."""
    draw = Draw(302, 44)
    customer = [f"{value:010}" for value in draw.whole(100_000, 900_000)]
    posted = draw.dates(date(2025, 2, 1), 300)
    cleared = draw.dates(date(2025, 6, 1), 300, missing=9)
    amount = draw.amounts(-4000, 12000, missing=1)
    terms = draw.pick(["Z030", "Z014", "0001"])
    dunned = draw.pick(["offen", "gemahnt"])
    text = lines(
        ["Kunde", "Buch.dat.", "Ausgleich", "Betrag", "Zahlbed.", "Status"],
        customer,
        said(posted, lambda value: value.strftime("%d.%m.%Y")),
        said(cleared, lambda value: value.strftime("%d.%m.%Y"), "00.00.0000"),
        said(amount, lambda value: german(abs(value)) + ("-" if value < 0 else "") + " EUR"),
        terms,
        dunned,
        sep="\t",
        end="\r\n",
    )
    columns = {
        "Kunde": code(customer),
        "Buch.dat.": day(posted),
        "Ausgleich": day(cleared),
        "Betrag": number(amount),
        "Zahlbed.": words(terms),
    }
    return Messy(text.encode("utf-16"), columns, 44, "Status", count(dunned), "items.txt")


@second
def limesurvey() -> Messy:
    """LimeSurvey with codes and questions: "G1Q1[SQ001]. ...", Ja and Nein, empty last pages, scales of 1 to 5."""
    draw = Draw(303, 42)
    sent = draw.moments(datetime(2026, 2, 1, 8), 300, missing=4)
    page = draw.pick([1, 2, 3, 4])
    phone = draw.pick(["Ja", "Nein"], missing=3)
    content = draw.pick(["1", "2", "3", "4", "5"], missing=5)
    often = draw.pick(["Nie", "Selten", "Manchmal", "Oft", "Immer"], missing=2)
    spent = draw.amounts(40, 900)
    vote = draw.pick(["A", "B", "C"])
    names = [
        "id. Antwort ID",
        "submitdate. Datum Abgeschickt",
        "lastpage. Letzte Seite",
        "G1Q1[SQ001]. Nutzen Sie: [Telefon]",
        "G1Q2. Wie zufrieden sind Sie, alles in allem? (1 = gar nicht, 5 = sehr)",
        "G1Q3. Wie oft?",
        "interviewtime. Gesamtzeit",
        "G2Q1. Wahl",
    ]
    text = "\ufeff" + lines(
        [quoted(name) for name in names],
        [quoted(str(at + 17)) for at in range(42)],
        said(sent, lambda value: quoted(value.strftime("%Y-%m-%d %H:%M:%S")), '""'),
        said(page, lambda value: quoted(str(value))),
        said(phone, quoted, '""'),
        said(content, quoted, '""'),
        said(often, quoted, '""'),
        said(spent, lambda value: quoted(f"{value:.2f}")),
        said(vote, quoted),
    )
    seen = [
        counter(range(42)),
        day(sent),
        number(page),
        two(phone),
        number([None if value is None else int(value) for value in content]),
        words(often),
        number(spent),
    ]
    return Messy(text, dict(zip(names[:-1], seen, strict=True)), 42, names[-1], count(vote))


@second
def national_accounts() -> Messy:
    """A census bureau: (NA), (X), 1,234(r), fiscal years 2023/24, quarters as 2024 Q1, notes and a source below."""
    draw = Draw(304, 36)
    year = draw.pick(["2019/20", "2020/21", "2021/22", "2022/23", "2023/24"])
    quarter = draw.pick(["Q1 2023", "Q2 2023", "Q3 2023", "Q4 2023", "Q1 2024"])
    output = draw.whole(900, 98000, missing=4)
    growth = draw.amounts(-4, 6, 1, missing=3)
    size = draw.pick(["1-9", "10-49", "50-249", "250+"])
    area = draw.pick(["North", "South"])
    text = (
        '"Table 12b. Output by industry, size of firm and quarter, not seasonally adjusted",,,,,\n'
        '"[Millions of dollars. (NA) Not available. (r) Revised]",,,,,\n'
        + lines(
            ["Fiscal year", "Quarter", "Output", "Growth (% change)", "Employees", "Area"],
            year,
            quarter,
            [
                cell if at % 9 or cell == "(NA)" else cell[:-1] + '(r)"'
                for at, cell in enumerate(said(output, lambda value: quoted(f"{value:,}"), "(NA)"))
            ],
            said(growth, "{:.1f}".format, ["(NA)", "(X)"]),
            size,
            area,
        )
        + ",,,,,\nSource: Annual Survey of Industry.,,,,,\n(r) Revised since the last release.,,,,,\n"
    )
    columns = {
        "Fiscal year": words(year),
        "Quarter": words(quarter),
        "Output": number(output),
        "Growth (% change)": number(growth),
        "Employees": words(size),
    }
    return Messy(text, columns, 36, "Area", count(area))


@second
def reign_of_japan() -> Messy:
    """A Japanese town hall: 令和6年3月1日 and 平成31年4月30日, 有 and 無, amounts with 円, － for no value."""
    draw = Draw(305, 40)
    at = draw.dates(date(2016, 1, 5), 3600, missing=2)
    fee = draw.whole(300, 98000, missing=2)
    child = draw.pick(["有", "無"])
    ward = draw.pick(["中央区", "港区", "新宿区"])
    kind = draw.pick(["新規", "更新"])

    def era(value: date) -> str:
        first, name = (2019, "令和") if value >= date(2019, 5, 1) else (1989, "平成")
        years = value.year - first + 1
        return f"{name}{'元' if years == 1 else years}年{value.month}月{value.day}日"

    text = lines(
        ["受付日", "手数料", "子", "区", "区分"],
        said(at, era, "－"),
        said(fee, lambda value: quoted(f"{value:,}円"), "－"),
        child,
        ward,
        kind,
        end="\r\n",
    )
    columns = {"受付日": day(at), "手数料": number(fee), "子": two(child), "区": words(ward)}
    return Messy(text.encode("cp932"), columns, 40, "区分", count(kind))


@second
def chinese_listing() -> Messy:
    """A Chinese site of companies: 3.5亿 and 860万, 2025年3月, 12.5%, 是 and 否, 暂无 for no value."""
    draw = Draw(306, 45)
    worth = draw.amounts(120, 98000, 0, missing=3)  # in units of ten thousand
    founded = [date(value.year, value.month, 1) for value in draw.dates(date(2004, 1, 1), 7000)]
    rate = draw.amounts(-20, 60, 1, missing=2)
    listed = draw.pick(["是", "否"])
    town = draw.pick(["北京", "上海", "深圳", "杭州"])
    level = draw.pick(["高", "中", "低"])

    def amount(value: float) -> str:
        return f"{value / 1e4:.2f}亿" if value >= 1e4 else f"{value:.0f}万"

    text = lines(
        ["市值", "成立时间", "增长率", "上市", "城市", "风险"],
        said(worth, amount, "暂无"),
        said(founded, lambda value: f"{value.year}年{value.month}月"),
        said(rate, "{}%".format, "--"),
        listed,
        town,
        level,
        end="\r\n",
    )
    shown = [None if v is None else round(v / 1e4, 2) * 1e8 if v >= 1e4 else v * 1e4 for v in worth]
    columns = {
        "市值": number(shown),
        "成立时间": day(founded),
        "增长率": number(rate),
        "上市": two(listed),
        "城市": words(town),
    }
    return Messy(text.encode("gbk"), columns, 45, "风险", count(level))


@second
def tracker_of_ships() -> Messy:
    """Positions with N, S, E and W behind, epochs in milliseconds, course with a degree, knots with a unit."""
    draw = Draw(307, 50)
    north = draw.amounts(-60, 60, 4)
    east = draw.amounts(-170, 170, 4)
    when = [1_772_000_000_000 + 60_000 * value for value in draw.whole(0, 90_000)]
    speed = draw.amounts(0, 24, 1, missing=3)
    course = draw.whole(0, 359)
    mmsi = [str(value) for value in draw.whole(201_000_000, 775_999_999)]
    status = draw.pick(["Under way", "At anchor", "Moored"])
    text = lines(
        ["MMSI", "Time (ms)", "Lat", "Lon", "SOG", "COG", "Status"],
        mmsi,
        said(when),
        said(north, lambda value: f"{abs(value):.4f}{'N' if value >= 0 else 'S'}"),
        said(east, lambda value: f"{abs(value):.4f}{'E' if value >= 0 else 'W'}"),
        said(speed, "{:.1f} kn".format),
        said(course, "{:.1f}°".format),
        status,
    )
    columns = {
        "MMSI": named_number(mmsi),
        "Time (ms)": number(when),
        "Lat": number(north),
        "Lon": number(east),
        "SOG": number(speed),
        "COG": number(course),
    }
    return Messy(text, columns, 50, "Status", count(status))


@second
def measured_with_doubt() -> Messy:
    """A physicist's table: 12.3 ± 0.4, 1,23E-05 with a comma, -0,0, runs as #7, hex for the file."""
    draw = Draw(308, 40)
    width = draw.amounts(4, 90, 1, missing=2)
    doubt = draw.amounts(0.1, 2, 1)
    cross = draw.amounts(1, 9, 2)
    shift = [round(value) / 10 for value in draw.amounts(-4, 4, 1)]
    file = [f"0x{value:08X}" for value in draw.whole(10**6, 10**9)]
    seen = draw.pick(["ja", "nein"])

    def comma(text: str) -> str:
        return text.replace(".", ",")

    text = lines(
        ["Run", "Datei", "Breite", "Querschnitt", "Versatz", "Signal"],
        [f"#{at + 1}" for at in range(40)],
        file,
        [("n/a" if w is None else comma(f"{w} ± {d}")) for w, d in zip(width, doubt, strict=True)],
        said(cross, lambda value: comma(f"{value:.2f}E-05")),
        [comma(f"{value:.1f}") if value else "-0,0" for value in shift],
        seen,
        sep=";",
    )
    columns = {
        "Run": code(range(40)),
        "Datei": code(file),
        "Breite": number(width),
        "Querschnitt": number([value * 1e-5 for value in cross]),
        "Versatz": number(shift),
    }
    return Messy(text, columns, 40, "Signal", count(seen))


@second
def run_times() -> Messy:
    """A build server: 1h30m, 45m and 2d 4h for what lasted, versions 1.10.2, sizes in MB, addresses, uuids."""
    draw = Draw(309, 48)
    minutes = draw.whole(3, 4000, missing=2)
    version = draw.pick(["1.9.0", "1.10.2", "2.0.0-rc1"])
    size = draw.amounts(1, 900, 1)
    host = [f"10.{a}.0.{b}" for a, b in zip(draw.whole(0, 9), draw.whole(1, 254), strict=True)]
    uuid = [
        f"{a:08x}-{b:04x}-4{c:03x}-9{c:03x}-{a:012x}"
        for a, b, c in zip(draw.whole(0, 2**32 - 1), draw.whole(0, 2**16 - 1), draw.whole(0, 4095), strict=True)
    ]
    at = draw.moments(datetime(2026, 3, 1), 400)
    result = draw.pick(["success", "failed", "canceled"])

    def lasted(value: int) -> str:
        days, hours, rest = value // 1440, value // 60 % 24, value % 60
        parts = [f"{days}d"] * (days > 0) + [f"{hours}h"] * (hours > 0) + [f"{rest}m"] * (rest > 0)
        return " ".join(parts) if days else "".join(parts)

    text = lines(
        ["job", "started", "duration", "version", "artifact", "runner", "result"],
        uuid,
        said(at, lambda value: value.strftime("%Y-%m-%dT%H:%M:%S.000+00:00")),
        said(minutes, lasted, "-"),
        version,
        said(size, "{} MB".format),
        host,
        result,
    )
    columns = {
        "job": code(uuid),
        "started": day(at),
        "duration": number([None if value is None else value / 60 for value in minutes]),
        "version": words(version),
        "artifact": number(size),
        "runner": code(host),
    }
    return Messy(text, columns, 48, "result", count(result))


@second
def weeks_and_months() -> Messy:
    """A planner's file: weeks as 2025-W09, months as Mar-25 and 03/2025, ages 10-20, Likert as '4 - agree'."""
    draw = Draw(310, 46)
    week = [f"2025-W{value:02}" for value in draw.whole(1, 52)]
    month = [date(value.year, value.month, 1) for value in draw.dates(date(2023, 1, 1), 1000)]
    other = [date(value.year, value.month, 1) for value in draw.dates(date(2023, 1, 1), 1000, missing=0)]
    age = draw.pick(["10-20", "21-30", "31-40", "41+"])
    agree = draw.pick(
        ["1 - strongly disagree", "2 - disagree", "3 - neutral", "4 - agree", "5 - strongly agree"], missing=2
    )
    done = draw.pick(["done", "late"])
    text = lines(
        ["week", "month", "invoiced", "age", "answer", "state"],
        week,
        said(month, lambda value: value.strftime("%b-%y")),
        said(other, lambda value: value.strftime("%m/%Y")),
        age,
        said(agree),
        done,
    )
    columns = {
        "week": code(week),
        "month": day(month),
        "invoiced": day(other),
        "age": words(age),
        "answer": words(agree),
    }
    return Messy(text, columns, 46, "state", count(done))


@second
def marks_in_the_middle() -> Messy:
    """Three exports in one: byte order marks and the names again in the midst, commas at the end, both line ends."""
    draw = Draw(311, 45)
    name = [f"Person {at}" for at in range(45)]
    share = draw.amounts(0, 100, 1, missing=3)
    kids = draw.whole(0, 4, missing=2)
    paid = draw.pick(["oui", "non"])
    town = draw.pick(["Lyon", "Nice"])
    rows = [",".join(row) + "," for row in zip(name, said(share, "{}%".format), said(kids), paid, town, strict=True)]
    header = "Nom,% du temps,Enfants,Payé,Ville,"
    parts = [[header, *rows[:15]], [header, *rows[15:30]], [header, *rows[30:]]]
    ends = ["\r\n", "\n", "\r\n"]
    text = "".join("\ufeff" + "".join(row + end for row in part) for part, end in zip(parts, ends, strict=True))
    columns = {"Nom": code(name), "% du temps": number(share), "Enfants": number(kids), "Payé": two(paid)}
    return Messy(text, columns, 45, "Ville", count(town))


@second
def quotes_and_breaks() -> Messy:
    """A help desk's export with ';': names with breaks and %, notes with quotes, semicolons and breaks, да and нет."""
    draw = Draw(312, 40)
    notes = [
        f'Ticket {at}: he said "{draw.rng.integers(1000)};{at}"\r\nthen left' if at % 3 else f"Reset №{at}"
        for at in range(40)
    ]
    used = draw.amounts(0, 100, 1)
    share = draw.amounts(0, 1, 3, missing=2)
    solved = draw.pick(["да", "нет"])
    topic = draw.pick(["почта", "сеть", "принтер"])
    text = lines(
        [quoted("Описание"), quoted("Диск, %\nзанято"), quoted('Доля "своих"'), "Решено", "Тема"],
        said(notes, quoted),
        said(used, lambda value: str(value).replace(".", ",")),
        said(share, lambda value: f"{value:.3f}".replace(".", ","), "нет данных"),
        solved,
        topic,
        sep=";",
        end="\r\n",
    )
    columns = {"Описание": code(notes), "~Диск, %": number(used), 'Доля "своих"': number(share), "Решено": two(solved)}
    return Messy("\ufeff" + text, columns, 40, "Тема", count(topic))


@second
def french_office() -> Messy:
    """A French prefecture: 1er mars 2026, départements 01, 2A and 971, SIRET, 1 234,5 with narrow blanks, n.d., s."""
    draw = Draw(313, 44)
    at = draw.dates(date(2025, 1, 1), 400)
    department = draw.pick(["01", "2A", "75", "971"])
    siret = [f"{value:09}00017" for value in draw.whole(300_000_000, 899_999_999)]
    staff = draw.amounts(10, 9000, 1, missing=4)
    helped = draw.pick(["Oui", "Non"], missing=2)
    sector = draw.pick(["Industrie", "Services"])
    months = [
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ]
    text = lines(
        ["Date d'effet", "Département", "SIRET", "Effectif", "Aidé", "Secteur"],
        said(at, lambda value: f"{'1er' if value.day == 1 else value.day} {months[value.month - 1]} {value.year}"),
        department,
        siret,
        said(staff, lambda value: f"{value:,.1f}".replace(",", "\u202f").replace(".", ","), ["n.d.", "s."]),
        said(helped),
        sector,
        sep=";",
    )
    columns = {
        "Date d'effet": day(at),
        "Département": words(department),
        "SIRET": named_number(siret),
        "Effectif": number(staff),
        "Aidé": two(helped),
    }
    return Messy(text, columns, 44, "Secteur", count(sector))


@second
def workbook_with_subtotals() -> Messy:
    """A controller's workbook: a title, years merged above the names, subtotals between, a grand total below."""
    draw = Draw(314, 36)
    region = ["North"] * 12 + ["South"] * 12 + ["West"] * 12
    plan = draw.amounts(1000, 9000)
    actual = draw.amounts(1000, 9000, missing=2)
    share = draw.amounts(0.01, 0.4, 3)
    signed = draw.dates(date(2025, 1, 1), 360)
    met = draw.pick(["yes", "no"])
    rows: list[list[object]] = [["Budget review 2025"], ["Printed on 2026-01-12 by controlling"], []]
    rows += [
        [None, "Signed", "2025", None, "Share of group", "Met"],
        ["Region", None, "Plan (k€)", "Actual (k€)", None, None],
    ]
    for at in range(36):
        rows.append([region[at], signed[at], plan[at], actual[at], share[at], met[at]])
        if at % 12 == 11:
            here = slice(at - 11, at + 1)
            rows.append(
                [f"Subtotal {region[at]}", None, sum(plan[here]), sum(v or 0 for v in actual[here]), None, None]
            )
    rows.append(["Grand total", None, sum(plan), sum(value or 0 for value in actual), None, None])

    def change(book: object) -> None:
        sheet = book.active  # type: ignore[attr-defined]
        sheet.merge_cells("C4:D4")
        for at in range(6, 6 + 40):
            sheet.cell(at, 5).number_format = "0.0%"

    columns = {
        "~Region": words(region),
        "~Signed": day(signed),
        "~Plan (k€)": number(plan),
        "~Actual (k€)": number(actual),
        "~Share of group": number(share),
    }
    return Messy(workbook(("Review", rows), change=change), columns, 36, "Met", count(met), "review.xlsx")


@second
def log_of_iis() -> Messy:
    """A log of Microsoft's web server: lines with # above, the names in '#Fields:', blanks between, - for nothing."""
    draw = Draw(315, 50)
    at = draw.moments(datetime(2026, 3, 1), 48)
    method = draw.pick(["GET", "POST", "HEAD"])
    path = draw.pick(["/", "/login", "/img/logo.png"])
    user = draw.pick(["CORP\\anna", "CORP\\ben", "CORP\\eva"], missing=20)
    address = [f"192.168.{a}.{b}" for a, b in zip(draw.whole(0, 9), draw.whole(1, 254), strict=True)]
    status = draw.pick(["200", "302", "404", "500"])
    taken = draw.whole(1, 4000)
    head = (
        "#Software: Microsoft Internet Information Services 10.0\r\n#Version: 1.0\r\n#Date: 2026-03-01 00:00:03\r\n"
        "#Fields: date time cs-method cs-uri-stem cs-username c-ip time-taken sc-status\r\n"
    )
    body = lines(
        [],
        said(at, lambda value: value.strftime("%Y-%m-%d")),
        said(at, lambda value: value.strftime("%H:%M:%S")),
        method,
        path,
        said(user, missing="-"),
        address,
        said(taken),
        status,
        sep=" ",
        end="\r\n",
    )
    hours = [(value.hour * 3600 + value.minute * 60 + value.second) / 3600 for value in at]
    columns = {
        "date": day([value.date() for value in at]),
        "time": number(hours),
        "cs-method": words(method),
        "cs-uri-stem": words(path),
        "cs-username": words(user),
        "c-ip": code(address),
        "time-taken": number(taken),
    }
    return Messy(head + body, columns, 50, "sc-status", count(status), "u_ex260301.txt")


@second
def table_of_r() -> Messy:
    """What write.table of R writes: blanks between, quotes around words, row names without a name above them, NA."""
    draw = Draw(316, 40)
    length = draw.amounts(4, 8, 1, missing=2)
    group = draw.pick(["ctrl", "trt1", "trt2"])
    smoker = draw.pick(["TRUE", "FALSE"], missing=3)
    outcome = draw.pick(["alive", "dead"])
    text = '"Length" "group" "smoker" "outcome"\n' + lines(
        [],
        [quoted(str(at + 1)) for at in range(40)],
        said(length, missing="NA"),
        said(group, quoted),
        said(smoker, missing="NA"),
        said(outcome, quoted),
        sep=" ",
    )
    columns = {"~": counter(range(40)), "Length": number(length), "group": words(group), "smoker": two(smoker)}
    return Messy(text, columns, 40, "outcome", count(outcome), "plants.txt")


@second
def analytics_of_pages() -> Messy:
    """A web statistics export: # lines above, 00:01:23 for what lasted, 45.67%, "1,234" views, a second table below."""
    draw = Draw(317, 40)
    page = [f"/blog/{at}-{draw.rng.integers(10**6)}" for at in range(40)]
    views = draw.whole(3, 98000)
    seconds = draw.whole(2, 900)
    bounce = draw.amounts(10, 95)
    worth = draw.amounts(0, 40)
    kind = draw.pick(["organic", "paid"])
    text = (
        "# ----------------------------------------\n# All Web Site Data\n# Pages\n# 20260101-20260331\n"
        "# ----------------------------------------\n\n"
        + lines(
            ["Page", "Pageviews", "Avg. Time on Page", "Bounce Rate", "Page Value", "Medium"],
            page,
            said(views, lambda value: quoted(f"{value:,}") if value > 999 else str(value)),
            said(seconds, lambda value: f"{value // 3600:02}:{value // 60 % 60:02}:{value % 60:02}"),
            said(bounce, "{:.2f}%".format),
            said(worth, "${:.2f}".format),
            kind,
        )
        + f',"{sum(views):,}",00:02:11,51.20%,$3.12,\n'
    )
    columns = {
        "Page": code(page),
        "Pageviews": number(views),
        "Avg. Time on Page": number([value / 3600 for value in seconds]),
        "Bounce Rate": number(bounce),
        "Page Value": number(worth),
    }
    return Messy(text, columns, 40, "Medium", count(kind))


@second
def korean_orders() -> Messy:
    """Korean orders in CP949: 1,234원, 2025. 3. 1. 오후 3:05, 예 and 아니오, 없음 for no value, 010-1234-5678."""
    draw = Draw(318, 42)
    at = [value.replace(second=0) for value in draw.moments(datetime(2026, 1, 1), 2000)]
    price = draw.whole(900, 1_900_000)
    points = draw.whole(0, 900, missing=3)
    phone = [f"010-{a:04}-{b:04}" for a, b in zip(draw.whole(0, 9999), draw.whole(0, 9999), strict=True)]
    gift = draw.pick(["예", "아니오"])
    state = draw.pick(["배송", "취소"])
    text = lines(
        ["주문일시", "금액", "포인트", "연락처", "선물", "상태"],
        said(
            at,
            lambda v: f"{v.year}. {v.month}. {v.day}. {'오전' if v.hour < 12 else '오후'} {v.hour % 12 or 12}:{v:%M}",
        ),
        said(price, lambda value: quoted(f"{value:,}원")),
        said(points, "{}점".format, "없음"),
        phone,
        gift,
        state,
        end="\r\n",
    )
    columns = {
        "주문일시": day(at),
        "금액": number(price),
        "포인트": number(points),
        "연락처": code(phone),
        "선물": two(gift),
    }
    return Messy(text.encode("cp949"), columns, 42, "상태", count(state))


@second
def indonesian_sales() -> Messy:
    """Indonesian sales: Rp1.234.567,00 and -Rp500.000,00, 1 Maret 2025, Ya and Tidak, diskon as 12,5%, telephones."""
    draw = Draw(319, 40)
    at = draw.dates(date(2025, 1, 1), 360)
    total = [1000 * value for value in draw.whole(-900, 9000, missing=0)]
    discount = draw.amounts(0, 50, 1, missing=2)
    phone = [f"+62 812-{a:04}-{b:04}" for a, b in zip(draw.whole(0, 9999), draw.whole(0, 9999), strict=True)]
    member = draw.pick(["Ya", "Tidak"])
    shop = draw.pick(["Bandung", "Medan"])
    months = [
        "Januari",
        "Februari",
        "Maret",
        "April",
        "Mei",
        "Juni",
        "Juli",
        "Agustus",
        "September",
        "Oktober",
        "November",
        "Desember",
    ]
    text = lines(
        ["Tanggal", "Total", "Diskon", "HP", "Anggota", "Toko"],
        said(at, lambda value: f"{value.day} {months[value.month - 1]} {value.year}"),
        said(total, lambda value: ("-" if value < 0 else "") + "Rp" + german(abs(value))),
        said(discount, lambda value: f"{value}%".replace(".", ",")),
        phone,
        member,
        shop,
        sep=";",
    )
    columns = {
        "Tanggal": day(at),
        "Total": number(total),
        "Diskon": number(discount),
        "HP": code(phone),
        "Anggota": two(member),
    }
    return Messy(text, columns, 40, "Toko", count(shop))


@second
def gym_members() -> Messy:
    """A gym's list of the US: 182 lbs, 5'11", blood pressure 120/80, ZIP+4, SSN with x, 11/2/25 9:05a, Y/N."""
    draw = Draw(320, 44)
    weight = draw.whole(95, 280, missing=2)
    pressure = [f"{a}/{b}" for a, b in zip(draw.whole(100, 180), draw.whole(60, 100), strict=True)]
    zips = [f"{a:05}-{b:04}" for a, b in zip(draw.whole(1000, 9999), draw.whole(0, 9999), strict=True)]
    code_ = [f"xxx-xx-{value:04}" for value in draw.whole(0, 9999)]
    joined = draw.dates(date(2024, 1, 1), 700)
    towel = draw.pick(["Y", "N"])
    plan = draw.pick(["Basic", "Plus", "Pro"])
    text = lines(
        ["SSN", "Weight", "BP", "ZIP", "Joined", "Towel?", "Plan"],
        code_,
        said(weight, "{} lbs".format),
        pressure,
        zips,
        said(joined, lambda value: f"{value.month}/{value.day}/{value:%y}"),
        towel,
        plan,
    )
    columns = {
        "SSN": code(code_),
        "Weight": number(weight),
        "BP": code(pressure),
        "ZIP": code(zips),
        "Joined": day(joined),
        "Towel?": two(towel),
    }
    return Messy(text, columns, 44, "Plan", count(plan))


@second
def czech_and_hungarian() -> Messy:
    """A shop of Brno: 1 234,50 Kč with blanks, 1. 3. 2025, Ano and Ne, 'neuvedeno' for no number, PSČ as 602 00."""
    draw = Draw(321, 40)
    at = draw.dates(date(2025, 1, 1), 360)
    price = draw.amounts(50, 9000)
    age = draw.whole(18, 80, missing=3)
    postal = draw.pick(["602 00", "110 00", "301 00"])
    paid = draw.pick(["Ano", "Ne"])
    way = draw.pick(["pošta", "osobně"])
    text = lines(
        ["Datum", "Cena", "Věk", "PSČ", "Zaplaceno", "Doprava"],
        said(at, lambda value: f"{value.day}. {value.month}. {value.year}"),
        said(price, lambda value: f"{value:,.2f} Kč".replace(",", " ").replace(".", ",")),
        said(age, missing="neuvedeno"),
        postal,
        paid,
        way,
        sep=";",
        end="\r\n",
    )
    columns = {
        "Datum": day(at),
        "Cena": number(price),
        "Věk": number(age),
        "PSČ": words(postal),
        "Zaplaceno": two(paid),
    }
    return Messy(text.encode("cp1250"), columns, 40, "Doprava", count(way))


@second
def report_of_a_crm() -> Messy:
    """A CRM's report: all in quotes, 'EUR 1.234,00', 15 %, three lines of who made it and when below an empty one."""
    draw = Draw(322, 40)
    amount = draw.amounts(500, 90000)
    chance = draw.pick([10, 25, 50, 75, 90])
    stage = draw.pick(["Prospecting", "Negotiation", "Proposal"])
    close = draw.dates(date(2026, 1, 1), 300, missing=3)
    won = draw.pick(["1", "0"])
    body = lines(
        [quoted(name) for name in ("Stage", "Amount", "Probability (%)", "Close Date", "Won")],
        said(stage, quoted),
        said(amount, lambda value: quoted(f"EUR {german(value)}")),
        said(chance, lambda value: quoted(f"{value}%")),
        said(close, lambda value: quoted(value.strftime("%d.%m.%Y")), '""'),
        said(won, quoted),
    )
    text = body + (
        '\n\n"Grand Totals (40 records)"\n"Confidential Information - Do Not Distribute"\n'
        '"Generated By:  Anna Example  12.03.2026 14:05"\n'
    )
    columns = {
        "Stage": words(stage),
        "Amount": number(amount),
        "Probability (%)": number(chance),
        "Close Date": day(close),
    }
    return Messy(text, columns, 40, "Won", count(won), "report1234.csv")


@second
def blanks_for_columns() -> Messy:
    """A weather station's monthly file: columns of fixed width, blanks between, ---- for no value."""
    draw = Draw(323, 45)
    heat = draw.amounts(-9, 31, 1, missing=3)
    rain = draw.amounts(0, 90, 1)
    wind = draw.whole(0, 40)
    sky = draw.pick(["clear", "cloud", "fog"])
    rows = ["  Temp   Rain  Wind     Sky"]
    rows += [
        f"{'----' if h is None else f'{h:.1f}':>6}{r:>7.1f}{w:>6}{s:>8}"
        for h, r, w, s in zip(heat, rain, wind, sky, strict=True)
    ]
    columns = {"Temp": number(heat), "Rain": number(rain), "Wind": number(wind)}
    return Messy("\n".join(rows) + "\n", columns, 45, "Sky", count(sky), "station.txt")


@second
def meter_with_faults() -> Messy:
    """A logging multimeter: OL for overload, ERR, Inf, seconds since the start, V behind some names, on and off."""
    draw = Draw(324, 60)
    time_ = [round(0.25 * at, 2) for at in range(60)]
    volt = draw.amounts(-3, 3, 3, missing=5)
    ohm = draw.amounts(100, 900, 1, missing=4)
    lamp = draw.pick(["on", "off"])
    phase = draw.pick(["charge", "rest"])
    text = "Model:,DM-3058\nSerial:,0012345\nStart:,2026-03-01 09:00:00\n\n" + lines(
        ["Time(s)", "V1(V)", "R1(Ohm)", "Lamp", "Phase"],
        said(time_, "{:.2f}".format),
        said(volt, "{:+.3f}".format, "OL"),
        said(ohm, "{:.1f}".format, ["ERR", "----"]),
        lamp,
        phase,
        end=",\n",
    )
    columns = {"Time(s)": number(time_), "V1(V)": number(volt), "R1(Ohm)": number(ohm), "Lamp": two(lamp)}
    return Messy(text, columns, 60, "Phase", count(phase))


@second
def hebrew_receipts() -> Messy:
    """Receipts in Hebrew letters of Windows-1255: 01.03.2025, ₪ in front, כן and לא."""
    draw = Draw(408, 40)
    at = draw.dates(date(2024, 1, 1), 600)
    amount = draw.amounts(10, 900, missing=2)
    paid = draw.pick(["כן", "לא"])
    town = draw.pick(["ירושלים", "אילת"])
    text = lines(
        ["תאריך", "סכום", "שולם", "עיר"],
        said(at, lambda value: value.strftime("%d.%m.%Y")),
        said(amount, "₪{:.2f}".format),
        paid,
        town,
        end="\r\n",
    )
    columns = {"תאריך": day(at), "סכום": number(amount), "שולם": two(paid)}
    return Messy(text.encode("cp1255"), columns, 40, "עיר", count(town))


@second
def payments_with_fees() -> Messy:
    """A payment service: all in quotes, 31/12/2025, 23:59:59, a time zone, 1.234,56 and -0,35 without a currency."""
    draw = Draw(403, 44)
    at = draw.dates(date(2025, 1, 1), 300)
    second_of_day = draw.whole(0, 86_399)
    gross = draw.amounts(-300, 9000)
    fee = draw.amounts(-20, 0)
    status = draw.pick(["Completed", "Pending"])
    text = "\ufeff" + lines(
        [quoted(name) for name in ("Date", "Time", "TimeZone", "Gross", "Fee", "Status")],
        said(at, lambda value: quoted(value.strftime("%d/%m/%Y"))),
        said(second_of_day, lambda value: quoted(f"{value // 3600:02}:{value // 60 % 60:02}:{value % 60:02}")),
        ['"CET"'] * 44,
        said(gross, lambda value: quoted(german(value))),
        said(fee, lambda value: quoted(german(value))),
        said(status, quoted),
    )
    columns = {
        "Date": day(at),
        "Time": number([value / 3600 for value in second_of_day]),
        "TimeZone": constant(status),
        "Gross": number(gross),
        "Fee": number(fee),
    }
    return Messy(text, columns, 44, "Status", count(status))
