"""Numbers, truth values, dates and durations as people write them."""

from __future__ import annotations

import datetime
import warnings
from collections import Counter
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import likely
from likely.core.reading import ANGLE, DATE, DURATION, NUMBER, TIME, TRUTH, WHOLE, WORDS, Reading
from likely.data.files.source import file_source
from likely.data.readings.column_texts import MOST_TOLD, look
from likely.data.readings.detection import tell
from likely.data.readings.misfits import Misfits
from likely.data.readings.text_columns import TextColumns, tell_readings
from likely.data.readings.values import read


def seen(texts: list[str]) -> tuple[str, list[object]]:
    """The form of a column of such cells, and its values."""
    cells = pa.array(texts, pa.string())
    reading = tell(look(cells))
    return reading.form, read(cells, reading).to_pylist()


@pytest.mark.parametrize(
    ("texts", "form", "values"),
    [
        (["¥61,513", "¥1,200"], WHOLE, [61513, 1200]),
        (["$1,234.50", "-$5", "($7.25)"], NUMBER, [1234.5, -5, -7.25]),
        (["12.5 %", "3 %", "-"], NUMBER, [12.5, 3, None]),
        (["12.5%", "100%"], NUMBER, [12.5, 100]),
        (["1.234,56", "99,5"], NUMBER, [1234.56, 99.5]),
        (["1.234,56 €", "0,99 €"], NUMBER, [1234.56, 0.99]),
        (["€1.234", "€12.500"], WHOLE, [1234, 12500]),
        (["1.234", "12.500", "3.400.000"], WHOLE, [1234, 12500, 3400000]),
        (["1 234,5", "12\u202f345,25", "7"], NUMBER, [1234.5, 12345.25, 7]),
        (["1’234.50", "1'000.00"], NUMBER, [1234.5, 1000]),
        (["12,34,567", "1,00,000"], WHOLE, [1234567, 100000]),
        (["1,234", "2,500"], WHOLE, [1234, 2500]),
        (["0,125", "1,234"], NUMBER, [0.125, 1.234]),
        (["(1,234)", "500"], WHOLE, [-1234, 500]),
        (["−5", "3"], WHOLE, [-5, 3]),
        (["100-", "50"], WHOLE, [-100, 50]),
        (["49,-", "1.250,--", "-3,-", "12,50"], NUMBER, [49, 1250, -3, 12.5]),
        (["Fr. 49.-", "Fr. 9.50", "Fr. 1'250.–"], NUMBER, [49, 9.5, 1250]),
        (["Rs. 1,25,000/-", "Rs. 900/-", "Rs. 12,000"], WHOLE, [125000, 900, 12000]),
        (["+5%", "-3%"], WHOLE, [5, -3]),
        (["12 kg", "800 kg", "7.5 kg"], NUMBER, [12, 800, 7.5]),
        (["12kg", "5kg", "?"], WHOLE, [12, 5, None]),
        (["1 year", "2 years"], WHOLE, [1, 2]),
        (["25岁", "30岁"], WHOLE, [25, 30]),
        (["USD 1,200.50", "USD 3"], NUMBER, [1200.5, 3]),
        (["1,5E-3 V", "2 V"], NUMBER, [0.0015, 2]),
        (["1.5e3", "2E-1"], NUMBER, [1500, 0.2]),
        (["5", "6", "n.a.", "unknown"], WHOLE, [5, 6, None, None]),
        (["#DIV/0!", "2.5"], NUMBER, [None, 2.5]),
        (["$ 1,234.00", "$ (454.00)", "$-", "$ -"], NUMBER, [1234, -454, 0, 0]),
        (["(5,00) €", "1.234,50 €", "- €"], NUMBER, [-5, 1234.5, 0]),
        (["950", "1.2K", "3.4M", "8.7B"], NUMBER, [950, 1200, 3.4e6, 8.7e9]),
        (["1,2 Mio.", "830 Tsd.", "2,1 Mrd."], NUMBER, [1.2e6, 830e3, 2.1e9]),
        (["1.2万", "8500", "3亿"], NUMBER, [12_000, 8500, 3e8]),
        (["100K", "5M", "500"], WHOLE, [100e3, 5e6, 500]),
        (["5k", "10k"], WHOLE, [5, 10]),
        (["280 K", "295.5 K", "3"], NUMBER, [280, 295.5, 3]),
        (["1.05", "2.31***", "0.77 *", "3"], NUMBER, [1.05, 2.31, 0.77, 3]),
        (["1,234", "2,345 r", "3,456", "(D)", "4,567"], WHOLE, [1234, 2345, 3456, None, 4567]),
        (["12 [1]", "13", "14"], WHOLE, [12, 13, 14]),
        (["1.002,06- EUR", "15,00 EUR"], NUMBER, [-1002.06, 15]),
        (["12.3 ± 0.4", "7.25±0.1", "3"], NUMBER, [12.3, 7.25, 3]),
        (["12,3 ± 0,4 mm", "7 +/- 1 mm"], NUMBER, [12.3, 7]),
        ([":", "12.5", "…", "\\N"], NUMBER, [None, 12.5, None, None]),
        # Words and codes.
        (["1.25M", "2.5M"], WORDS, ["1.25M", "2.5M"]),
        (["5- star", "3- star"], WORDS, ["5- star", "3- star"]),
        (["SET-10", "SET-12", "SET-14"], WORDS, ["SET-10", "SET-12", "SET-14"]),
        (["1/1000", "1/4000"], WORDS, ["1/1000", "1/4000"]),
        (["3M", "6M", "12M"], WORDS, ["3M", "6M", "12M"]),
        (["2T", "3T", "12M", "18M"], WORDS, ["2T", "3T", "12M", "18M"]),
        (["1.25M", "830K", "Turbo"], WORDS, ["1.25M", "830K", "Turbo"]),
        (["4S", "5S"], WORDS, ["4S", "5S"]),
        (["S", "M", "L"], WORDS, ["S", "M", "L"]),
        (["12", "14", "12 a", "7 b"], WORDS, ["12", "14", "12 a", "7 b"]),
        (["3*", "4*", "5*"], WORDS, ["3*", "4*", "5*"]),
        (["0", "1", "2", ">2"], WORDS, ["0", "1", "2", ">2"]),
        (["<18", "18-25", ">25"], WORDS, ["<18", "18-25", ">25"]),
        (["red", "\\N"], WORDS, ["red", None]),
        (["A12", "A13"], WORDS, ["A12", "A13"]),
        (["007", "012"], WORDS, ["007", "012"]),
        (["+49 123", "+49 456"], WORDS, ["+49 123", "+49 456"]),
        (["192.168.1.1", "10.0.0.1"], WORDS, ["192.168.1.1", "10.0.0.1"]),
        (["1.2.3", "1.2.4"], WORDS, ["1.2.3", "1.2.4"]),
        (["10-20", "20-30"], WORDS, ["10-20", "20-30"]),
        (["$5", "€7"], WORDS, ["$5", "€7"]),
        (["5 kg", "7 lb"], WORDS, ["5 kg", "7 lb"]),
        (["1st", "2nd"], WORDS, ["1st", "2nd"]),
        (["3B", "4B"], WORDS, ["3B", "4B"]),
        (["1", "2", "A"], WORDS, ["1", "2", "A"]),
        (["unknown", "red"], WORDS, ["unknown", "red"]),
        # Truth.
        (["yes", "No", "YES", "yes"], TRUTH, ["yes", "No", "yes", "yes"]),
        (["是", "否", "?"], TRUTH, ["是", "否", None]),
        (["ja", "nein"], TRUTH, ["ja", "nein"]),
        (["TRUE", "false"], TRUTH, [True, False]),
        (["yes", "yes"], WORDS, ["yes", "yes"]),
        (["n", "s"], TRUTH, ["n", "s"]),
        (["n", "e"], WORDS, ["n", "e"]),
        # Durations, in hours.
        (["1:30", "0:45"], DURATION, [1.5, 0.75]),
        (["2h 30m", "45m", "1d"], DURATION, [2.5, 0.75, 24]),
        (["9:05 AM", "2:30 pm"], DURATION, [9 + 5 / 60, 14.5]),
        # Latitudes and longitudes, in degrees.
        (["52.52N", "33.87S", "?"], ANGLE, [52.52, -33.87, None]),
        (["13°24'18\"E", "W 70° 30'"], ANGLE, [13.405, -70.5]),
        (["48,8566° N", "43,2965° N"], ANGLE, [48.8566, 43.2965]),
        (["100 N", "200 S"], WORDS, ["100 N", "200 S"]),
        (["3E", "12W"], WORDS, ["3E", "12W"]),
        (["5W", "40W"], WHOLE, [5, 40]),
    ],
)
def test_cells_are_what_a_person_reads(texts: list[str], form: str, values: list[object]) -> None:
    told, found = seen(texts)
    assert told == form
    assert found == [pytest.approx(value) if isinstance(value, float) else value for value in values]


DAY = datetime.date(2026, 3, 1)


@pytest.mark.parametrize(
    ("texts", "layout"),
    [
        (["2026-03-01", "2025-12-31"], "y-m-d"),
        (["2026/3/1", "2025/12/31"], "y/m/d"),
        (["01.03.2026", "31.12.2025"], "d.m.y"),
        (["01/03/2026", "31/12/2025"], "d/m/y"),
        (["03/01/2026", "12/31/2025"], "m/d/y"),
        (["1 March 2026", "31 Dec 2025"], "d mon y"),
        (["1. März 2026", "31. Dezember 2025"], "d. mon y"),
        (["01-Mar-2026", "31-Dec-2025"], "d-mon-y"),
        (["Mar 1, 2026", "December 31, 2025"], "mon d, y"),
        (["Sun, 1 Mar 2026", "Wed, 31 Dec 2025"], "d mon y"),
        (["2026年3月1日", "2025年12月31日"], "y年m月d日"),
        (["01.03.26", "31.12.25"], "d.m.yy"),
        (["20260301T000000Z", "20251231"], "ymd"),
        (["令和8年3月1日", "令和7年12月31日"], "eray年m月d日"),
        (["1. 3. 2026", "31. 12. 2025"], "d.m.y"),
        (["2026. 03. 01.", "2025. 12. 31."], "y.m.d"),
        (["1er mars 2026", "31 décembre 2025"], "d mon y"),
        (["1 Maret 2026", "31 Desember 2025"], "d mon y"),
        (["1. března 2026", "31. prosince 2025"], "d. mon y"),
    ],
)
def test_dates_in_usual_forms(texts: list[str], layout: str) -> None:
    reading = tell(look(pa.array(texts)))
    assert (reading.form, reading.layout) == (DATE, layout)
    assert read(pa.array(texts), reading).to_pylist() == [DAY, datetime.date(2025, 12, 31)]


def test_a_clock_behind_a_date_counts_unless_it_is_midnight() -> None:
    noon = tell(look(pa.array(["2026-03-01 12:30", "2026-03-02 00:00"])))
    assert noon.form == TIME
    assert read(pa.array(["2026-03-01 1:30 PM"]), noon).to_pylist() == [datetime.datetime(2026, 3, 1, 13, 30)]
    assert tell(look(pa.array(["2026-03-01 00:00:00", "2026-03-02T00:00:00"]))).form == DATE


@pytest.mark.parametrize(
    ("texts", "days"),
    [
        (["03/2026", "12/2025"], ["2026-03-01", "2025-12-01"]),
        (["Mar-26", "Dec-25"], ["2026-03-01", "2025-12-01"]),
        (["平成元年1月8日", "昭和64年1月7日"], ["1989-01-08", "1989-01-07"]),
        (["01.03.2026", "00.00.0000"], ["2026-03-01", None]),
        (["20260301", "20251231", "20250101", "00000000"], ["2026-03-01", "2025-12-31", "2025-01-01", None]),
    ],
)
def test_days_are_those_that_people_mean(texts: list[str], days: list[str | None]) -> None:
    form, found = seen(texts)
    assert (form, [None if day is None else str(day) for day in found]) == (DATE, days)


@pytest.mark.parametrize(
    ("texts", "layout"),
    [
        (["1 มกราคม 2567", "29 กุมภาพันธ์ 2567"], "thai d mon y"),
        (["วันจันทร์ที่ 1 มกราคม พ.ศ. 2567", "วันพฤหัสบดีที่ 29 กุมภาพันธ์ พ.ศ. 2567"], "thai d mon y"),
        (["1 ม.ค. 67", "29 ก.พ. 67"], "thai d mon yy"),
        (["1 มกราคม 2024", "29 กุมภาพันธ์ ค.ศ. 2024"], "thai d mon y"),
        (["๑/๑/๒๕๖๗", "๒๙/๒/๒๕๖๗"], "thai d/m/y"),
        (["01/01/2567 00:00 น.", "29/02/2567 00:00 น."], "thai d/m/y"),
        (["๒๕๖๗-๐๑-๐๑", "๒๕๖๗-๐๒-๒๙"], "thai y-m-d"),
    ],
)
def test_years_of_thailand(texts: list[str], layout: str) -> None:
    reading = tell(look(pa.array(texts)))
    assert (reading.form, reading.layout, reading.doubt) == (DATE, layout, "")
    assert "2567 is 2024" in str(reading)
    assert read(pa.array(texts), reading).to_pylist() == [datetime.date(2024, 1, 1), datetime.date(2024, 2, 29)]


def test_every_month_of_thailand() -> None:
    full = "มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม"
    parts = "ม.ค. ก.พ. มี.ค. เม.ย. พ.ค. มิ.ย. ก.ค. ส.ค. ก.ย. ต.ค. พ.ย. ธ.ค."
    for months in (full, parts):
        form, found = seen([f"{month} 2567" for month in months.split()])
        assert (form, [day.month for day in found]) == (DATE, [*range(1, 13)])
        assert {day.year for day in found} == {2024}


def test_years_of_thailand_are_read_where_cells_are_thai_alone() -> None:
    assert seen(["พ.ศ. 2567", "พ.ศ. 2566"])[1] == [datetime.date(2024, 1, 1), datetime.date(2023, 1, 1)]
    assert seen(["2567", "2566"])[1] == seen(["๒๕๖๗", "๒๕๖๖"])[1] == [2567, 2566]
    assert tell(look(pa.array(["01/03/2567", "15/02/2566"]))).layout == "d/m/y"
    doubtful = tell(look(pa.array(["๑/๓/๖๗", "๑๕/๒/๖๖"])))
    assert (doubtful.layout, doubtful.doubt) == ("thai d/m/yy", "d/m/yy")


def test_the_half_of_the_day_may_stand_before_the_clock() -> None:
    """As in Korea, China and Japan."""
    texts = ["2026. 3. 1. 오후 1:30", "2026. 3. 2. 오전 12:05"]
    assert seen(texts)[1] == [datetime.datetime(2026, 3, 1, 13, 30), datetime.datetime(2026, 3, 2, 0, 5)]


def test_day_and_month_in_doubt_are_told() -> None:
    doubtful = tell(look(pa.array(["03/04/2026", "05/06/2026"])))
    assert (doubtful.layout, doubtful.doubt) == ("d/m/y", "m/d/y")
    assert "m/d/y would fit as well" in str(doubtful)
    assert not tell(look(pa.array(["03/04/2026", "25/06/2026"]))).doubt


def test_days_of_one_month_are_likelier_than_one_day_of_many() -> None:
    assert tell(look(pa.array(["4/1/2025", "4/2/2025", "4/9/2025"]))).layout == "m/d/y"
    assert tell(look(pa.array(["1/4/2025", "1/5/2025", "1/6/2025"]))).layout == "d/m/y"  # the first of each month
    assert tell(look(pa.array(["1/4/2025 10:30", "1/5/2025 9:15", "1/6/2025 8:00"]))).layout == "m/d/y"


def test_day_and_month_are_in_the_order_of_the_other_columns() -> None:
    sure, doubtful = ["03/31/2026", "04/01/2026"], ["03/04/2026", "05/06/2026"]
    told = tell_readings(["a", "b"], [(["a", "b"], [[pa.array(sure), pa.array(doubtful)]])], None)
    assert (told["b"].layout, told["b"].doubt) == ("m/d/y", "d/m/y")


@pytest.mark.parametrize(
    ("name", "texts", "form"),
    [
        ("day", ["20240229", "20240301", "20231231"], DATE),
        ("hour", ["2024022900", "2024030113", "2023123123"], TIME),
        ("minute", ["202402290000", "202403010000", "202312310000"], DATE),  # midnight, all of them
        ("order_id", ["20240229", "20240301", "20231231"], WHOLE),
        ("code", ["20240229", "20240301", "20240232"], WHOLE),  # no 32nd
        ("number", ["20240001", "20240002", "20240003"], WHOLE),
        ("day", ["20240229", "20240301"], WHOLE),  # too few to tell
    ],
)
@pytest.mark.parametrize("times", [1, 200])
def test_eight_digits_that_all_are_days(name: str, texts: list[str], form: str, times: int) -> None:
    told = tell_readings([name], [([name], [[pa.array(texts * times)]])], None)
    assert told[name].form == form


def test_values_below_a_limit_among_many_numbers_are_missing() -> None:
    texts = [f"{number / 10:.1f}".replace(".", ",") for number in range(30)] + ["<0,1", "≥ 99"]
    assert seen(texts)[1] == [*(number / 10 for number in range(30)), None, None]


def test_marks_that_are_said_are_missing_and_kept() -> None:
    cells = pa.array(["31", "999", "refused", "44"])
    told = tell_readings(["age"], [(["age"], [[cells]])], None, ["999", "refused", "NA"])["age"]
    assert told == Reading(WHOLE, all_marks=True, marks=("999", "refused"))
    assert read(cells, told).to_pylist() == [31, None, None, 44]
    assert str(told) == "numbers (missing: '999', 'refused')"
    assert told.kept is not None
    assert read(cells, told.kept).to_pylist() == [31, None, None, 44]


def test_zero_dates_of_databases_are_missing() -> None:
    texts = ["2026-03-01", "0000-00-00", "2026-03-02"]
    assert seen(texts) == (DATE, [DAY, None, datetime.date(2026, 3, 2)])


def test_few_words_among_many_numbers_are_missing_and_told() -> None:
    texts = [str(number) for number in range(100)] + ["see note"]
    reading = tell(look(pa.array(texts)))
    misfits = Misfits("rows.csv")
    values = read(pa.array(texts), reading, partial(misfits.add, "age", reading, 10))
    assert values.to_pylist() == [*range(100), None]
    assert misfits.told() == ["column 'age' (numbers): 1 cell is taken as missing: 'see note' in row 110"]


def test_a_block_of_nothing_but_slips_among_many_numbers_is_missing() -> None:
    texts = [["NA", "oops", "oops", "NA"], [f"${at}" for at in range(100)]]
    batches = [pa.record_batch([pa.array(some)], names=["x"]) for some in texts]
    told = TextColumns(lambda: batches, "rows.csv")
    assert [value for batch in told.read() for value in batch.column(0).to_pylist()] == [None] * 4 + [*range(100)]
    assert told.misfits.counts == {"x": 2}
    later = TextColumns(lambda: batches[:1], "rows.csv", given=told.readings)
    with pytest.raises(likely.LikelyError, match="S208") as refused:  # to a model these are another column
        list(later.read())
    assert "held numbers ($ in front)" in str(refused.value)
    assert "such as 'oops'" in str(refused.value)
    assert "leave its cells empty" in str(refused.value)


@pytest.mark.parametrize("type_", [pa.string(), pa.large_string(), pa.string_view()], ids=str)
def test_text_of_any_arrow_type_is_read(type_: pa.DataType) -> None:
    frame = pa.table({"price": pa.array(["1,5 €", "2,5 €"] * 20, type_), "y": pa.array(["no", "yes"] * 20, type_)})
    assert likely.fit(frame, "y").model_.schema.columns[0].kind in ("real", "count")


def test_a_comma_is_what_the_other_columns_say() -> None:
    assert str(tell(look(pa.array(["1.234", "12.500"])), comma=True)) == (
        "numbers (thousands parted by '.', ',' before the fraction)"
    )
    assert tell(look(pa.array(["1.25", "12.5"])), comma=True) == Reading(NUMBER, all_marks=True)


def test_whole_numbers_beyond_64_bits_among_those_of_parted_thousands_are_numbers(tmp_path: Path) -> None:
    huge, path = -(2**63) * 10**9, tmp_path / "huge.csv"
    path.write_text(f"a;b;y\n{huge};2,759;x\n1.234;3,5;z\n2.345;1,5;x\n")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        batches = [*file_source(path, "y").kept().read()]
    assert [float(value) for one in batches for value in one.column(0).to_pylist()] == [huge, 1234.0, 2345.0]
    told = Reading(WHOLE, all_marks=True, thousands=".", decimal=",")  # later ones are none that fit
    assert read(pa.array(["1.234", str(huge), "1,5"]), told).to_pylist() == [1234, None, None]


@pytest.mark.parametrize("start", ["a", "(", "1 a", "(a", "- "])
def test_long_runs_of_blanks_are_soon_told_from_numbers(start: str) -> None:
    blanks = f"{start}{' ' * 3000}b("
    assert seen(["1 kg", blanks]) == (WORDS, ["1 kg", blanks])
    assert seen([f"{at}{' ' * 3000}kg" for at in range(3)]) == (WHOLE, [0, 1, 2])


def test_a_fraction_after_very_many_whole_amounts_is_read() -> None:
    form, values = seen([*(f"${at:,}" for at in range(MOST_TOLD + 1)), "$1,234.5"])
    assert form == NUMBER
    assert values[-2:] == [MOST_TOLD, 1234.5]


STYLES = st.builds(
    lambda before, gap, separators, after: (before, gap, *separators, after),
    st.sampled_from(["", "$", "¥", "CHF "]),
    st.sampled_from(["", " "]),
    st.sampled_from([(".", ","), (",", "."), (".", " "), (",", " "), (".", "'"), (".", "")]),
    st.sampled_from(["", "%", " kg", " m²", "元"]),
)


@given(STYLES, st.lists(st.decimals(-(10**7), 10**7, places=2), min_size=3, max_size=8, unique=True))
def test_numbers_in_any_style_come_back(style: tuple[str, ...], numbers: list[object]) -> None:
    """Written with separators, a currency or a unit, and read: the same numbers."""
    before, gap, decimal, thousands, after = style
    if before and after == "元":
        after = ""
    texts = []
    for number in (*numbers, 1234.5, 0.25):
        sign = "-" if float(str(number)) < 0 else ""
        body = f"{abs(float(str(number))):,.2f}".replace(",", "_").replace(".", decimal).replace("_", thousands)
        texts.append(f"{sign}{before}{body}{gap if after and after[0] != ' ' else ''}{after}")
    reading = tell(look(pa.array(texts)))
    assert reading.form == NUMBER, texts
    found = read(pa.array(texts), reading).to_numpy(zero_copy_only=False)
    np.testing.assert_allclose(found, [float(str(number)) for number in (*numbers, 1234.5, 0.25)], rtol=1e-12)


@given(st.lists(st.sampled_from(["1", "2.5", "a", "3 kg", "2026-01-02", "yes", "no", "-", "", "1,5"]), min_size=1))
def test_a_reading_does_not_depend_on_the_order_of_cells(texts: list[str]) -> None:
    assert tell(look(pa.array(texts))) == tell(look(pa.array(texts[::-1])))


@given(st.lists(st.text("0123456789.,-+eE $%kKM*<[]()r:/年月 yesno", max_size=8), min_size=1, max_size=12))
def test_a_block_is_read_as_its_cells_are(texts: list[str]) -> None:
    """Byte for byte: what a cell becomes does not depend on the cells beside it."""
    reading = tell(look(pa.array(texts)))
    kept = reading.kept or Reading(NUMBER if reading.form == WHOLE else reading.form, all_marks=reading.all_marks)
    whole = read(pa.array(texts, pa.string()), kept).to_pylist()
    single = [read(pa.array([text], pa.string()), kept).to_pylist()[0] for text in texts]
    assert [str(value) for value in whole] == [str(value) for value in single]
    assert Counter(map(str, whole)) == Counter(str(value) for value in read(pa.array(texts[::-1]), kept).to_pylist())


def test_a_dash_among_words_is_missing_where_it_is_so_among_numbers() -> None:
    columns = {
        "price": ["1", "2", "--", "4"],
        "town": ["Bonn", "Kiel", "Bonn", "--"],
        "mood": ["+", "o", "--", "+"],
        "group": ["-", "a", "b", "a"],
        "label": ["x", "y", "--", "x"],
    }
    told = tell_readings([*columns], [([*columns], [[pa.array(cells) for cells in columns.values()]])], "label")
    found = {name: read(pa.array(cells), told[name]).to_pylist() for name, cells in columns.items()}
    assert found["town"] == ["Bonn", "Kiel", "Bonn", None]
    for name in ("mood", "group", "label"):  # a sign among signs, another dash than that of the numbers, a class
        assert found[name] == columns[name]
    alone = tell_readings(["town"], [(["town"], [[pa.array(columns["town"])]])], None)
    assert alone["town"] == Reading()


@given(st.lists(st.sampled_from(["1", "2.5", "-7", "", "NA", " x", "red", "007", "1,5", None]), min_size=1, max_size=5))
def test_numbered_cells_are_read_as_the_written_ones(few: list[str | None]) -> None:
    for type_ in (pa.string(), pa.large_string()):
        cells = pa.array(few * 300, type_)
        numbered = cells.dictionary_encode()
        assert look(numbered) == look(cells)
        for reading in (tell(look(cells)), Reading(WORDS)):
            assert read(numbered, reading).to_pylist() == read(cells, reading).to_pylist()


@pytest.mark.parametrize(
    "cell",
    ["€ {n}.000", "{n}.000 kg", "1.{n}0.000", "${n},000", "{n} 000 Kč", "CHF {n}'000", "{n},5", "1.{n}0,5", "{n}K"],
)
def test_a_model_of_any_separators_comes_back_from_its_file(cell: str, tmp_path: Path) -> None:
    frame = pd.DataFrame({"x": [cell.format(n=n) for n in range(10, 70)]})
    model = likely.NaiveBayes().fit(frame, ["a", "b"] * 30)
    model.save(tmp_path / "m.likely")
    np.testing.assert_array_equal(likely.load(tmp_path / "m.likely").predict_proba(frame), model.predict_proba(frame))


def test_points_between_thousands_leave_the_comma_to_fractions() -> None:
    told = tell_readings(["price", "rate"], [(["price", "rate"], [[pa.array(["1.234 €"]), pa.array(["0.125"])]])], None)
    assert str(told["price"]) == "numbers (€ behind, thousands parted by '.', ',' before the fraction)"
    assert read(pa.array(["1.234,50 €"]), told["price"].kept).to_pylist() == [1234.5]
    assert told["rate"] == Reading(NUMBER, all_marks=True)  # whole amounts of one column say nothing of others
