"""The pairing dialog: QR picture, address, code and countdown."""

import os
import pathlib
import queue
import secrets
import time
from typing import Optional, Union

import xbmc
import xbmcgui

import latchkey

from . import box, texts, worker
from .screen import Screen

_HEADING, _PICTURE, _CODE, _ADDRESS, _MESSAGE, _LEFT, _CANCEL, _INSTRUCTION = range(200, 208)
#: Back and "previous menu".
_LEAVING = (9, 10, 92)
#: Seconds between two looks at what came; the countdown moves with it.
_BEAT = 0.25


class PairingWindow(xbmcgui.WindowXMLDialog):
    """Shows a :class:`~latchkey_kodi.screen.Screen`. Only Kodi's own thread touches it."""

    def __init__(self, *_: object) -> None:
        super().__init__()
        self.cancel = latchkey.Cancellation()
        self._picture: Optional[str] = None
        self._shown: Optional[latchkey.Code] = None
        self._is_ready = False

    def onInit(self) -> None:  # noqa: N802
        """Kodi calls it once the controls are there."""
        self._is_ready = True
        self._set(_HEADING, texts.text(texts.HEADING))
        self._set(_INSTRUCTION, texts.text(texts.INSTRUCTION))
        self._set(_CANCEL, texts.text(texts.CANCEL))

    def onAction(self, action: xbmcgui.Action) -> None:  # noqa: N802
        """Kodi calls it for keys."""
        if action.getId() in _LEAVING:
            self.cancel.cancel()

    def onClick(self, control: int) -> None:  # noqa: N802
        """Kodi calls it for buttons."""
        if control == _CANCEL:
            self.cancel.cancel()

    def show_screen(self, screen: Screen) -> None:
        """Brings the controls up to date."""
        if not self._is_ready:
            return
        if screen.code is not None and screen.code != self._shown:
            self._shown = screen.code
            self._set(_CODE, f"[B]{screen.code.display_code}[/B]")
            self._set(_ADDRESS, screen.code.page)
            self._show_picture(screen.code.qr)
        self._set(_MESSAGE, screen.line)
        self._set(_LEFT, screen.left or "")

    def forget(self) -> None:
        """Removes the picture from the disk, and one that a killed Kodi left: they hold codes."""
        self._picture = None
        try:
            for picture in pathlib.Path(box.folder()).glob("pairing-*.png"):
                picture.unlink()
        except OSError:
            # Kodi's folder was cleared meanwhile, or cannot be written.
            pass

    def _show_picture(self, picture: Optional[bytes]) -> None:
        self.forget()
        if picture:
            try:
                # A new name each time: Kodi keeps pictures by their names.
                self._picture = os.path.join(box.folder(), f"pairing-{secrets.token_hex(8)}.png")
                descriptor = os.open(self._picture, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
                with os.fdopen(descriptor, "wb") as file:
                    file.write(picture)
            except OSError:
                # A viewer can go by the address and the code.
                self.forget()
        self.getControl(_PICTURE).setImage(self._picture or "", False)

    def _set(self, control: int, label: str) -> None:
        self.getControl(control).setLabel(label)


def pair(client: latchkey.Client) -> bool:
    """Pairs the box with the dialog on the screen, says how it went, and returns whether a viewer is signed in.

    Raises what the client raises.
    """
    window = PairingWindow(
        "script-latchkey-pair.xml", box.settings().getAddonInfo("path"), "Default", "1080i")
    news: "queue.Queue[Union[latchkey.Event, latchkey.LatchkeyError]]" = queue.Queue()

    def run() -> None:
        for event in client.pair(cancel=window.cancel):
            news.put(event)

    screen = Screen()
    monitor = xbmc.Monitor()
    window.show()
    pairing = worker.Worker("pairing", run, news.put)
    cancelled: Optional[float] = None
    try:
        while screen.ending is None:
            try:
                while screen.ending is None:
                    item = news.get_nowait()
                    if isinstance(item, latchkey.LatchkeyError):
                        raise item
                    screen = screen.after(item)
            except queue.Empty:
                pass
            window.show_screen(screen)
            if screen.ending is None and window.cancel.is_cancelled:
                # The thread that looks for a server hears of it only afterwards.
                cancelled = cancelled or time.monotonic()
                if time.monotonic() - cancelled >= worker.PATIENCE:
                    return False
            if screen.ending is None and monitor.waitForAbort(_BEAT):
                window.cancel.cancel()
                return False
    except latchkey.AlreadySignedIn:
        # Another program of the box signed it in.
        screen = screen.after(latchkey.Approved())
    finally:
        window.cancel.cancel()
        window.close()
        pairing.leave()
        window.forget()
    if screen.is_signed_in:
        box.publish(True)
    if screen.ending:
        notify(texts.text(screen.ending))
    return screen.is_signed_in


def notify(message: str) -> None:
    """Shows a note in the corner."""
    xbmcgui.Dialog().notification(texts.text(texts.NAME), message, box.settings().getAddonInfo("icon"), 6000)
