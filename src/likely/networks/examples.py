"""A network to try things on: eight nodes, written down by Lauritzen and Spiegelhalter in 1988."""

from __future__ import annotations

from likely.networks.network import Network

YES_NO = ("yes", "no")


def asia() -> Network:
    """The chest clinic: a visit to Asia and smoking, three diseases, an x-ray and shortness of breath.

    `either` is certain: it says whether one of tuberculosis and lung cancer is there.

    >>> asia().query("lung", {"xray": "yes", "smoke": "no"})["yes"]
    0.142...
    """
    return Network(
        {
            "asia": [0.01, 0.99],
            "tub": ("asia", [[0.05, 0.95], [0.01, 0.99]]),
            "smoke": [0.5, 0.5],
            "lung": ("smoke", [[0.1, 0.9], [0.01, 0.99]]),
            "bronc": ("smoke", [[0.6, 0.4], [0.3, 0.7]]),
            "either": (["lung", "tub"], [[[1, 0], [1, 0]], [[1, 0], [0, 1]]]),
            "xray": ("either", [[0.98, 0.02], [0.05, 0.95]]),
            "dysp": (["bronc", "either"], [[[0.9, 0.1], [0.8, 0.2]], [[0.7, 0.3], [0.1, 0.9]]]),
        },
        levels=dict.fromkeys(("asia", "tub", "smoke", "lung", "bronc", "either", "xray", "dysp"), YES_NO),
        name="asia",
    )
