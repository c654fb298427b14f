"""A Chromium without a window, asked over a pipe: what it is told, what it answers, and what happens meanwhile."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage")


def chromium() -> str | None:
    """Where a Chromium is."""
    return next(
        (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
    )


class Browser:
    """One tab; `events` are those since a page was opened."""

    def __init__(self, program: str, profile: Path) -> None:
        theirs, self._out = os.pipe()
        self._in, mine = os.pipe()
        command = f'exec "$0" "$@" 3<&{theirs} 4>&{mine}'
        words = [program, *FLAGS, f"--user-data-dir={profile}", "--remote-debugging-pipe", "about:blank"]
        self._process = subprocess.Popen(
            ["bash", "-c", command, *words],
            pass_fds=(theirs, mine),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs)
        os.close(mine)
        self._left, self._asked, self._session = b"", 0, None
        self.events: list[dict[str, Any]] = []
        tabs = self.ask("Target.getTargets")["targetInfos"]
        tab = next(one["targetId"] for one in tabs if one["type"] == "page")
        self._session = self.ask("Target.attachToTarget", targetId=tab, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **params: Any) -> Any:
        """The answer to a command of the DevTools protocol."""
        self._asked += 1
        wish: dict[str, Any] = {"id": self._asked, "method": method, "params": params}
        if self._session is not None:
            wish["sessionId"] = self._session
        os.write(self._out, json.dumps(wish).encode() + b"\0")
        while True:
            said = self._read()
            if said.get("id") == self._asked:
                assert "error" not in said, said["error"]
                return said["result"]

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._left:
            part = os.read(self._in, 1 << 16)
            assert part, "the browser has gone"
            self._left += part
        line, _, self._left = self._left.partition(b"\0")
        said: dict[str, Any] = json.loads(line)
        if "method" in said:
            self.events.append(said)
        return said

    def open(self, path: Path, **media: str) -> None:
        """Show a page, and wait until it has loaded."""
        features = [{"name": name.replace("_", "-"), "value": value} for name, value in media.items()]
        self.ask("Emulation.setEmulatedMedia", features=features)
        self.events = []
        self.ask("Page.navigate", url=path.as_uri())
        while not any(one["method"] == "Page.loadEventFired" for one in self.events):
            self._read()

    def run(self, expression: str) -> Any:
        """The value of an expression in the page; a promise is awaited."""
        said = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in said, said["exceptionDetails"]
        return said["result"].get("value")

    def complaints(self) -> list[str]:
        """What went wrong in the page: errors, what its policy refused, dialogs that opened."""
        found = []
        for one in self.events:
            kind, told = one["method"], one["params"]
            if kind == "Runtime.exceptionThrown":
                found.append(told["exceptionDetails"].get("exception", {}).get("description", "exception"))
            elif kind == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
                found.append(told["entry"]["text"])
            elif kind == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning"):
                found.append(str(told["args"]))
            elif kind == "Page.javascriptDialogOpening":
                found.append(f"dialog {told['message']}")
        return found

    def requests(self) -> list[str]:
        """What was asked of the network or of files."""
        return [one["params"]["request"]["url"] for one in self.events if one["method"] == "Network.requestWillBeSent"]

    def close(self) -> None:
        self._session = None
        os.write(self._out, json.dumps({"id": 0, "method": "Browser.close"}).encode() + b"\0")
        self._process.wait()
        os.close(self._in)
        os.close(self._out)
