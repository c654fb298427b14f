"""Explanations: the prediction, unsummed; what the model believes; what would change the answer."""

from likely.core.docstrings import describe_public
from likely.explanations.axis import Axis, axis
from likely.explanations.changes import Change, Changes, changes
from likely.explanations.nomogram import Nomogram, NomogramAxis, nomogram
from likely.explanations.profile import ColumnProfile, Profile, profile
from likely.explanations.terms import Explanation
from likely.explanations.texts import words

__all__ = [
    "Axis",
    "Change",
    "Changes",
    "ColumnProfile",
    "Explanation",
    "Nomogram",
    "NomogramAxis",
    "Profile",
    "axis",
    "changes",
    "nomogram",
    "profile",
    "words",
]

describe_public(__name__)
