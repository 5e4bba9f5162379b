"""A thread that talks to the box, beside Kodi's own."""

import threading
from typing import Callable

import xbmc

import latchkey

#: How long its end is waited for, in seconds. Kodi kills a script that takes five to leave.
PATIENCE = 2.0


class Worker:
    """Runs one piece of work on a thread, and hands its failure on; no failure is lost."""

    def __init__(self, name: str, work: Callable[[], None], fail: Callable[[latchkey.LatchkeyError], None]) -> None:
        def run() -> None:
            try:
                work()
            except latchkey.LatchkeyError as error:
                fail(error)
            except Exception as error:  # pylint: disable=broad-except
                xbmc.log(f"script.latchkey: {type(error).__name__} in {name}", xbmc.LOGWARNING)
                fail(latchkey.LatchkeyError("internal", "Something unforeseen happened. Kodi's log says more."))

        # Looking for a server cannot be cut short, so Kodi ends without this thread.
        self._thread = threading.Thread(target=run, name=name, daemon=True)
        self._thread.start()

    def leave(self) -> None:
        """Waits for its end, and not for long."""
        self._thread.join(PATIENCE)
