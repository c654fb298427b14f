"""Currencies, units and multipliers that may stand at a number."""

from __future__ import annotations

from likely.core.currencies import CURRENCIES

# Those of lands that write a comma before the fraction: with them 1.234 is more than a thousand.
COMMA_CURRENCIES = frozenset(
    (
        *("€", "EUR", "kr", "kr.", "SEK", "NOK", "DKK", "zł", "PLN", "Kč", "CZK"),
        *("R$", "BRL", "Ft", "HUF", "lei", "RON", "₺"),
    )
)
# Units that stand at a number without a blank between; with a blank, any word that is the same in all cells is one.
UNITS = frozenset(
    (
        *("%", "‰", "°", "°C", "°F", "℃", "℉", "K", "k", "'", '"'),
        *("kg", "g", "mg", "µg", "μg", "ug", "t", "lb", "lbs", "oz", "km", "m", "cm", "mm", "µm", "nm", "mi", "ft"),
        *("in", "yd", "m2", "m²", "m³", "m3", "km²", "km2", "ha", "sqm", "sqft", "cm³", "l", "L", "ml", "mL", "dl"),
        *("cl", "cc", "h", "hr", "hrs", "min", "mins", "s", "sec", "ms", "d", "y", "yr", "yrs", "km/h", "kmh", "kph"),
        *("mph", "m/s", "kB", "KB", "MB", "GB", "TB", "W", "kW", "MW", "kWh", "MWh", "V", "mV", "mA", "Hz", "kHz"),
        *("MHz", "GHz", "Pa", "hPa", "kPa", "bar", "mbar", "kJ", "kcal", "cal", "px", "pt", "dB", "ppm", "ppb"),
        *("mg/dl", "mg/dL", "mmol/l", "mmol/L", "g/dl", "g/dL", "hp", "PS", "bpm", "pp", "bp", "bps", "/-"),
    )
)
IN_FRONT = CURRENCIES | {"%"}  # as in Turkey
OWED, OWNED = "dr", "cr"  # behind amounts of a ledger
