"""How a tree is grown: what a split is judged by, and where growing stops (pre-pruning); with the usual values."""

from __future__ import annotations

from dataclasses import dataclass

from likely.errors.options import choose, number, whole

CLASS_CRITERIA = ("gini", "entropy", "gain-ratio", "c4.5")  # criteria of classification
REGRESSION_CRITERIA = ("squared", "absolute")  # criteria of regression
CRITERION_SYNONYMS = {  # what scikit-learn and textbooks call them
    "information-gain": "entropy",
    "log-loss": "entropy",
    "squared-error": "squared",
    "absolute-error": "absolute",
}


@dataclass(frozen=True)
class Growth:
    """The options of growing.

    `criterion`: "gini", "entropy" (information gain in bits), "gain-ratio" (C4.5's rule: the best ratio among splits
    with at least the average gain), "c4.5" (the same with the corrections of Weka's J48); of numbers "squared" or
    "absolute". `min_samples_leaf`: rows that each side of a split, or two branches of a category, must hold. `missing`:
    "ignore" (an incomplete row goes down every branch in part) or "informative" (missing values have
    their own branch).

    >>> Growth("gain_ratio", max_depth=3)
    Growth(criterion='gain-ratio', max_depth=3, min_samples_split=2, min_samples_leaf=1, min_gain=0.0, missing='ignore')
    """

    criterion: str = "gini"
    max_depth: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_gain: float = 0.0
    missing: str = "ignore"

    def __post_init__(self) -> None:
        said = self.criterion.replace("_", "-") if isinstance(self.criterion, str) else self.criterion
        said = CRITERION_SYNONYMS.get(said, said) if isinstance(said, str) else said
        choose(said, (*CLASS_CRITERIA, *REGRESSION_CRITERIA), "criterion", "O621")
        object.__setattr__(self, "criterion", said)
        if self.max_depth is not None:
            hint = "choose a whole number of at least 1, or None for no limit"
            whole(self.max_depth, "max_depth", "O622", least=1, hint=hint)
        whole(self.min_samples_split, "min_samples_split", "O623", least=2)
        whole(self.min_samples_leaf, "min_samples_leaf", "O624", least=1)
        number(self.min_gain, "min_gain", "O625", hint="choose a number of at least 0: a split must gain as much")
