"""A stand-in for Kodi's module of the same name: as much as the add-on uses."""

from typing import Callable, Dict, List, Optional

import xbmcgui

LOGWARNING = 2

#: What the tests look at.
log_lines: List[str] = []
played: List[str] = []
info_labels: Dict[str, str] = {"System.BuildVersion": "20.1 (20.1.0) Git:x", "System.FriendlyName": "Kodi (den)"}
#: Called with the seconds of every pause; says whether Kodi ends.
on_wait: Callable[[float], bool] = lambda seconds: False


def log(message: str, level: int = 0) -> None:
    """Adds a line to Kodi's log."""
    log_lines.append(message)


def getInfoLabel(label: str) -> str:  # noqa: N802
    """What Kodi knows about itself."""
    return info_labels.get(label, "")


class Monitor:
    """Says when Kodi ends."""

    def __init__(self) -> None:
        self._is_over = False

    def waitForAbort(self, timeout: float = -1) -> bool:  # noqa: N802
        """Pauses."""
        self._is_over = on_wait(timeout)
        return self._is_over

    def abortRequested(self) -> bool:  # noqa: N802
        """Whether Kodi ends."""
        return self._is_over


class Player:
    """Plays."""

    def play(self, item: str, listitem: Optional[xbmcgui.ListItem] = None) -> None:
        """Plays an address."""
        played.append(item)
