"""A run that is killed leaves the old file or the new one, and what else it leaves is swept by the next run."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import likely
from likely.output.atomic_write import atomic_write, machine, sweep_dead

from .specimens import table

fcntl = pytest.importorskip("fcntl")
ROOT = Path(__file__).parents[2]

# Each child of a process without threads kills itself when it is about to touch the folder for the k-th time: to make,
# open, lock, rename or remove something there.
STEPS = """
import json, os, signal, sys
import likely
from tests.files.specimens import table

TOUCHES = {"open", "os.rename", "os.remove", "os.chmod", "fcntl.flock", "os.listdir"}
place = os.path.realpath("one.likely")
frame, label, _ = table()
old, new = likely.NaiveBayes().fit(frame, label), likely.NaiveBayes(smoothing=2.0).fit(frame, label)
old.save(place)
before = open(place, "rb").read()
new.save("other.likely")
after = open("other.likely", "rb").read()

def child(k):
    left = [k]
    def hook(event, args):
        if event in TOUCHES and (event == "fcntl.flock" or os.path.dirname(place) in str(args)):
            left[0] -= 1
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)
    pid = os.fork()
    if not pid:
        sys.addaudithook(hook)
        new.save(place)
        os._exit(0)
    return os.waitpid(pid, 0)[1]

found, k = [], 0
while True:
    k += 1
    old.save(place)
    status = child(k)
    content = open(place, "rb").read()
    left = [name for name in os.listdir() if name.endswith(".part")]
    new.save("other.likely")  # the next run
    swept = not [name for name in os.listdir() if name.endswith(".part")]
    found.append([status, "old" if content == before else "new" if content == after else "other", len(left), swept])
    if not status:
        break
print(json.dumps(found))
"""


def test_killed_at_every_step(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", STEPS], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert not done.returncode, done.stderr
    found = json.loads(done.stdout)
    *killed, (last, content, _, _) = found
    assert (last, content) == (0, "new")
    assert len(killed) >= 6  # listed, made, locked, opened, looked at, renamed
    assert {status for status, *_ in killed} == {signal.SIGKILL}
    assert {content for _, content, _, _ in killed} == {"old"}  # nothing is touched once it has been renamed
    assert any(left for _, _, left, _ in killed)
    assert all(swept for *_, swept in found)


def test_what_a_live_run_writes_stays(tmp_path: Path) -> None:
    """A second run in the same folder tells a part that is being written from one whose writer is dead."""
    program = """
import sys
from likely.output.atomic_write import atomic_write
with atomic_write("theirs.txt") as part:
    print(part, flush=True)
    sys.stdin.readline()
    open(part, "w").write("whole")
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    live = subprocess.Popen([sys.executable, "-c", program], cwd=tmp_path, env=environment, **pipes)
    assert live.stdout is not None
    part = Path(live.stdout.readline().strip())
    dead, link = (tmp_path / f".likely-{machine()}-{name}.part" for name in ("dead", "link"))
    dead.write_text("half")
    link.symlink_to(tmp_path / "theirs.txt")
    with atomic_write(tmp_path / "mine.txt") as mine:
        Path(mine).write_text("mine")
        sweep_dead(str(tmp_path), (".likely-", ".part"))
        assert part.exists()
        assert Path(mine).exists()
        assert not dead.exists()
    live.communicate("go on\n")
    assert (tmp_path / "theirs.txt").read_text() == "whole"
    assert sorted(path.name for path in tmp_path.iterdir()) == [link.name, "mine.txt", "theirs.txt"]


def test_what_another_machine_left_behind_stays(tmp_path: Path) -> None:
    """Where a folder is shared and locks are not, its writer may be alive."""
    theirs = [tmp_path / f".likely-{name}.part" for name in (f"{'0' * 12}-3f", "3f")]
    for part in theirs:
        part.write_text("half")
    with atomic_write(tmp_path / "mine.txt") as mine:
        Path(mine).write_text("mine")
        assert machine() in mine
    assert sorted(tmp_path.iterdir()) == sorted([*theirs, tmp_path / "mine.txt"])


def test_temporary_folders_of_dead_runs_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import tempfile

    from likely.output.atomic_write import UNFINISHED, temporary_folder

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr("likely.output.atomic_write._folders", {})
    dead = tmp_path / f"likely-{machine()}-dead.temporary"
    dead.mkdir()
    (dead / "rows").write_text("half")
    (tmp_path / "likely-notes").mkdir()
    first = temporary_folder()
    second = temporary_folder()
    own = Path(first).parent
    assert first != second
    assert Path(second).parent == own
    assert {path.name for path in tmp_path.iterdir()} == {own.name, "likely-notes"}
    UNFINISHED.discard(str(own))


MOMENTS = 50  # of each verb
COMMANDS = {
    "fit": ["fit", "rows.csv", "--target", "fate", "-o", "out.likely"],
    "merge": ["merge", "a.likely", "b.likely", "-o", "out.likely"],
    "predict": ["predict", "a.likely", "rows.csv", "-o", "out.csv"],
    "network": ["network", "learn", "rows.csv", "-o", "out.bif"],
}
# The command, which kills itself at the k-th thing that the interpreter tells of (0: never) and counts them: every
# import, every file that is opened, every object that the compiler or another library hands over.
MOMENT = """
import os, signal, sys
left = int(sys.argv[1])
told = 0
def hook(event, args):
    global told
    told += 1
    if told == left:
        os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(hook)
from likely.cli.main import run
status = run(sys.argv[2:])
sys.stderr.write(f"\\n{told}")
sys.exit(status)
"""


@pytest.mark.slow
@pytest.mark.parametrize("verb", COMMANDS)
def test_killed_at_any_moment(verb: str, tmp_path: Path) -> None:
    """At moments drawn from all that the verb does; the next run is as if nothing had been."""
    frame, label, _ = table(4000)
    frame.assign(fate=label).to_csv(tmp_path / "rows.csv", index=False)
    for name in ("a", "b"):
        likely.NaiveBayes().fit(frame, label).save(tmp_path / f"{name}.likely")
    out = tmp_path / COMMANDS[verb][-1]

    def run(moment: int) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-c", MOMENT, str(moment), *COMMANDS[verb]]
        return subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)

    assert run(0).returncode == 0  # compiled
    done = run(0)
    assert done.returncode == 0
    events, new, old = int(done.stderr.rsplit("\n", 1)[1]), out.read_bytes(), b"what was there before"
    draw = random.Random(verb)
    killed = 0
    for _ in range(MOMENTS):
        out.write_bytes(old)
        killed += run(draw.randrange(1, events)).returncode == -signal.SIGKILL
        assert out.read_bytes() in (old, new)
    assert killed > 0.9 * MOMENTS
    assert run(0).returncode == 0
    assert out.read_bytes() == new
    assert not [path for path in tmp_path.iterdir() if path.name.endswith(".part")]
