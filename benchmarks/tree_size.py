"""How large a source tree is, and how far a row goes in it: `tree_size.py [OLD/src] NEW/src`, side by side.

Lines and files; the fullest folders; modules named by a gerund; names of classes and of constants that stand more than
once; imports that import-linter is told to ignore; functions and files of likely that a fit and a prediction pass
through (40 rows of a word and a number, one thread, on a second call), listed where one is named, as `AODE.fit`.
A tree of an earlier commit: `git worktree add /tmp/old COMMIT`.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

FULLEST = 5  # folders named
WALK = """
import json, sys, warnings
from collections import Counter
from pathlib import Path
import numpy as np, pandas as pd
warnings.simplefilter("ignore")
sys.path.insert(0, sys.argv[1])
import likely
home = Path(likely.__file__).parent
rng = np.random.default_rng(0)
X = pd.DataFrame({"word": rng.choice(["x", "y"], 40), "number": rng.normal(size=40)})
y = rng.choice(["in", "out"], 40)
met = set()
def see(frame, event, _):
    file = frame.f_code.co_filename
    if event == "call" and file.startswith(str(home)):
        met.add((file[len(str(home)) + 1:], frame.f_code.co_qualname))
found = {}
for name in ("NaiveBayes", "TAN", "AODE"):
    model = getattr(likely, name)()
    for way, work in {"fit": lambda: model.fit(X, y), "predict_proba": lambda: model.predict_proba(X)}.items():
        work()
        for module in [one for at, one in sys.modules.items() if at.startswith("likely.")]:
            if hasattr(module, "in_threads"):
                module.in_threads = lambda work, tasks, _=None: map(work, tasks)  # all calls are seen
        met = set()
        sys.setprofile(see)
        work()
        sys.setprofile(None)
        own = {at for at in met if "<" not in at[1].replace("<locals>.", "")}
        found[f"functions (files) of {name}.{way}"] = f"{len(own)} ({len({file for file, _ in own})})"
        if sys.argv[2] == f"{name}.{way}":
            print(*(f"{file}  {function}" for file, function in sorted(own)), sep="\\n")
print(json.dumps(found))
"""


def repeated(names: list[str]) -> str:
    """How many names stand more than once, and which."""
    twice = sorted(name for name, times in Counter(names).items() if times > 1)
    return f"{len(twice)} {' '.join(twice[:6])}".strip()


def defined(files: list[Path]) -> tuple[list[str], list[str]]:
    """The classes and the constants of modules; EXAMPLE, which every verb of the command line has, is not counted."""
    classes, constants = [], []
    for file in files:
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                classes.append(node.name)
            targets = (
                node.targets
                if isinstance(node, ast.Assign)
                else [node.target]
                if isinstance(node, ast.AnnAssign)
                else []
            )
            names = [one for target in targets for one in (target.elts if isinstance(target, ast.Tuple) else [target])]
            constants += [one.id for one in names if isinstance(one, ast.Name) and one.id.strip("_").isupper()]
    return classes, [name for name in constants if name != "EXAMPLE" and len(name) > 1]


def shape(source: Path) -> dict[str, object]:
    files = sorted((source / "likely").rglob("*.py"))
    folders = Counter(str(file.parent.relative_to(source / "likely")) for file in files)
    classes, constants = defined(files)
    settings = source.parent / "pyproject.toml"
    linter = tomllib.loads(settings.read_text(encoding="utf-8"))["tool"]["importlinter"] if settings.exists() else {}
    walls = linter.get("contracts", [])
    return {
        "files": len(files),
        "lines": sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files),
        "folders": len(folders),
        "fullest folders": ", ".join(f"{name} {count}" for name, count in folders.most_common(FULLEST)),
        "modules ending in -ing": sum(file.stem.endswith("ing") for file in files),
        "names of classes more than once": repeated(classes),
        "names of constants more than once": repeated(constants),
        "walls": len(walls),
        "imports ignored": sum(len(wall.get("ignore_imports", [])) for wall in walls),
    }


def walk(source: Path, listed: str = "") -> dict[str, object]:
    run = [sys.executable, "-c", WALK, str(source), listed]
    *lines, last = subprocess.run(run, check=True, capture_output=True, text=True).stdout.splitlines()
    if lines:
        print(*lines, "", sep="\n")
    found: dict[str, object] = json.loads(last)
    return found


def main() -> None:
    trees = [Path(one).resolve() for one in sys.argv[1:] if "." not in Path(one).name]
    listed = next((one for one in sys.argv[1:] if "." in Path(one).name), "")  # such as AODE.fit: its functions, too
    rows = [shape(tree) | walk(tree, listed) for tree in trees or [Path(__file__).resolve().parents[1] / "src"]]
    for name in rows[0]:
        print("| " + " | ".join([name, *(str(row[name]) for row in rows)]) + " |")


if __name__ == "__main__":
    main()
