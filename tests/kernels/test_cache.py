"""Compiled code is kept, found again, and never that of other sources, other arguments or other people."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import likely.kernels

SOURCES = Path(likely.kernels.__file__).parent.parent
ONE = """
import numpy as np
from likely.kernels.cache_folder import folder
from likely.kernels.scoring.posteriors import divide_by_sum
divide_by_sum(np.ones((2, 2)))
print(sum(divide_by_sum.stats.cache_hits.values()), sum(divide_by_sum.stats.cache_misses.values()), folder())
"""
PLACE = "from likely.kernels.cache_folder import folder; print(folder())"  # which needs no compiler


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package whose kernels' folder has no place for compiled code, as for root all can be written to."""
    package = tmp_path / "site" / "likely"
    shutil.copytree(SOURCES, package, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    (package / "kernels" / "__pycache__").write_text("not a folder")
    return package.parent


def run(package: Path, code: str, **changed: str | None) -> list[str]:
    """What a fresh process prints that has the copy and this environment; None takes a variable away."""
    environment = {**os.environ, "PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"}
    environment = {key: value for key, value in environment.items() if key not in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME")}
    environment = {key: value for key, value in {**environment, **changed}.items() if value is not None}
    command = [sys.executable, "-P", "-c", code]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.split()


def test_every_kernel_goes_through_the_one_door() -> None:
    own = [path.name for path in SOURCES.rglob("*.py") if re.search(r"numba.*\bimport\b.*\bn?jit\b", path.read_text())]
    assert own == []


def test_a_package_that_cannot_be_written_to_finds_its_code_in_the_users_cache(package: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    hits, misses, place = run(package, ONE, HOME=str(home))
    assert (hits, misses) == ("0", "1")
    assert Path(place).is_relative_to(home)
    assert run(package, ONE, HOME=str(home)) == ["1", "0", place]


def test_without_home_the_users_temporary_folder_serves_if_it_is_the_users_alone(package: Path, tmp_path: Path) -> None:
    nowhere, temporary = tmp_path / "file", tmp_path / "temporary"
    nowhere.touch()
    temporary.mkdir()
    around = {"HOME": str(nowhere / "home"), "TMPDIR": str(temporary)}
    _, misses, place = run(package, ONE, **around)
    mine = temporary / f"likely-{os.getuid()}"
    assert misses == "1"
    assert Path(place).parent == mine
    assert mine.stat().st_mode & 0o777 == 0o700
    assert run(package, ONE, **around) == ["1", "0", place]
    mine.chmod(0o777)  # whoever can write there could have put code there
    assert run(package, PLACE, **around) == ["None"]


def test_a_link_is_not_the_users_own_folder(package: Path, tmp_path: Path) -> None:
    nowhere, temporary = tmp_path / "file", tmp_path / "temporary"
    nowhere.touch()
    temporary.mkdir()
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (temporary / f"likely-{os.getuid()}").symlink_to(tmp_path / "elsewhere")
    assert run(package, PLACE, HOME=str(nowhere / "home"), TMPDIR=str(temporary)) == ["None"]


def test_no_home_at_all_is_no_failure(package: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    (place,) = run(package, PLACE, HOME=None, XDG_CACHE_HOME=str(cache))
    assert Path(place).is_relative_to(cache)


def test_a_user_without_a_home_has_the_temporary_folder(package: Path, tmp_path: Path) -> None:
    homeless = """
from pathlib import Path
def nowhere():
    raise RuntimeError("Could not determine home directory.")
Path.home = nowhere
"""
    (place,) = run(package, homeless + PLACE, HOME=None, TMPDIR=str(tmp_path))
    assert Path(place).is_relative_to(tmp_path / f"likely-{os.getuid()}")


def test_no_file_in_the_folder_that_one_is_in_says_where_code_comes_from(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("yaml")
    (tmp_path / ".numba_config.yaml").write_text(f"cache_dir: {tmp_path / 'theirs'}\n")
    monkeypatch.chdir(tmp_path)
    _, _, place = run(package, ONE, HOME=str(tmp_path / "home"))
    assert Path(place).is_relative_to(tmp_path / "home")
    assert not (tmp_path / "theirs").exists()


def test_code_that_is_cut_short_is_compiled_again(package: Path, tmp_path: Path) -> None:
    around = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    _, _, place = run(package, ONE, **around)
    (kept,) = Path(place).glob("scoring.posteriors.divide_by_sum*.nbc")
    kept.write_bytes(kept.read_bytes()[:100])
    assert run(package, ONE, **around)[:2] == ["0", "1"]
    assert run(package, ONE, **around)[:2] == ["1", "0"]


def test_an_edit_in_a_kernel_that_is_called_from_another_file_is_noticed(package: Path) -> None:
    code = """
import likely.kernels.densities.leave_one_out, likely.kernels.scoring.posteriors
from likely.kernels.compiler import stamp
print(stamp("likely.kernels.densities.leave_one_out"), stamp("likely.kernels.scoring.posteriors"))
"""
    caller, other = run(package, code)
    with open(package / "likely" / "kernels" / "arithmetic" / "elementary.py", "a") as file:
        file.write("# edited\n")
    again, same = run(package, code)
    assert again != caller
    assert same == other


@pytest.mark.parametrize(
    "kinds",
    [("uint8", "int32"), pytest.param(("uint8", "uint16", "int32", "uint8"), marks=pytest.mark.slow)],
    ids=["two", "four"],
)
def test_processes_that_compile_for_different_arguments_at_once_keep_all(
    kinds: tuple[str, ...], package: Path, tmp_path: Path
) -> None:
    code = """
import sys
import numpy as np
from likely.kernels import compiler
from likely.kernels.counting.level_counts import count_one_by_one
compiler.MOST_ENTRIES_INTERPRETED = 0
for kind in sys.stdin.readline().split():
    out = np.zeros((1, 4), np.int64)
    count_one_by_one(np.ones((3, 2), kind), np.zeros(3, np.int32), np.array([0, 2]), None, out)
    assert out.tolist() == [[0, 3, 0, 3]]
(kernel,) = [one for one in compiler.IMPORTED_KERNELS if one.__name__ == "count_one_by_one"]
print(sum(kernel.stats.cache_misses.values()))
"""
    environment = {**os.environ, "PYTHONPATH": str(package), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    command, pipe = [sys.executable, "-P", "-c", code], subprocess.PIPE

    def compiled(*kinds: str) -> list[int]:
        """How many forms each of several processes compiles, begun at once; each is told its kinds as they all run."""
        started = [subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True) for _ in kinds]
        for process, kind in zip(started, kinds, strict=True):
            assert process.stdin is not None
            process.stdin.write(f"{kind}\n")
            process.stdin.flush()
        return [int(process.communicate()[0]) for process in started]

    assert set(compiled(*kinds)) <= {0, 1}
    assert compiled(" ".join(kinds)) == [0]
