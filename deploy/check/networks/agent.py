"""The agent's socket, and its events as they come."""

import http.client
import json
import socket
import threading
import time
from typing import Any


class GaveUp(Exception):
    """What was waited for did not come."""


class _Connection(http.client.HTTPConnection):
    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


class Agent:
    """Calls an agent, and collects its events on a thread until it is closed."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._changed = threading.Condition()
        self._events: list[dict[str, Any]] = []
        self._is_open = True
        self._thread = threading.Thread(target=self._listen, name="events", daemon=True)
        self._thread.start()

    def call(self, method: str, path: str, body: Any = None, timeout: float = 75) -> tuple[int, Any]:
        connection = _Connection(self._path, timeout)
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None)
            answer = connection.getresponse()
            text = answer.read()
            return answer.status, json.loads(text) if text else None
        finally:
            connection.close()

    def here(self) -> int:
        """The place in the list of events from which on later ones come."""
        with self._changed:
            return len(self._events)

    def all(self, after: int) -> list[dict[str, Any]]:
        with self._changed:
            return self._events[after:]

    def event(self, name: str, requestor: str, after: int, within: float) -> dict[str, Any]:
        """Waits for an event of a requestor."""
        end = time.monotonic() + within
        with self._changed:
            while True:
                for event in self._events[after:]:
                    if event["event"] == name and event.get("requestor") == requestor:
                        return event
                left = end - time.monotonic()
                if left <= 0:
                    names = [(event["event"], event.get("requestor")) for event in self._events[after:]]
                    raise GaveUp(f"no {name} of {requestor} within {within:.0f} s, only {names}")
                self._changed.wait(left)

    def close(self) -> None:
        self._is_open = False

    def _listen(self) -> None:
        # From the first event on, also those from before the first question.
        number = 1
        while self._is_open:
            try:
                status, answer = self.call("GET", f"/v1/events?after={number}&wait=20")
            except (OSError, http.client.HTTPException, ValueError):
                # It does not listen yet, or is about to stop.
                with self._changed:
                    self._changed.wait(0.05)
                continue
            if status == 200:
                number = answer["next"]
                with self._changed:
                    self._events += [event for event in answer["events"] if event["event"] != "gap"]
                    self._changed.notify_all()
