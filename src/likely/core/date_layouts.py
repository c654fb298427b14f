"""The forms of dates and durations that are told apart; data/readings/dates.py has the pattern of each piece."""

from __future__ import annotations

# The layouts of dates, those that leave no doubt first; a day comes before a month where both fit, as in most lands.
THAI = "thai "  # before the layouts with Thai months or years of the Buddhist era: 2567 is 2024
DATE_LAYOUTS = (
    *(THAI + layout for layout in ("d mon y", "mon y", "d mon yy", "mon yy", "d/m/y", "d-m-y", "y-m-d", "d/m/yy", "y")),
    *("y-m-d", "y/m/d", "y.m.d", "y年m月d日", "eray年m月d日", "d/m/y", "m/d/y", "d-m-y", "m-d-y", "d.m.y"),
    *("d mon y", "d-mon-y", "d. mon y", "mon d, y", "mon d y", "y-mon-d", "d/mon/y", "dmony"),
    *("d/m/yy", "m/d/yy", "d.m.yy", "d-m-yy", "m-d-yy", "d-mon-yy", "d mon yy", "dmonyy"),
    *("y-m", "y年m月", "eray年m月", "m/y", "m-y", "mon y", "mon-yy", "mon d h:mm y"),
    "ymd",
)
DURATION_LAYOUTS = ("h:mm", "2h 30m")
DATE_PARTS = ("days", "year", "month", "weekday", "hour")  # what a column of dates becomes
