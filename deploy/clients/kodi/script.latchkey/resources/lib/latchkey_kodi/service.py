"""Watches the sign-in while Kodi runs: other add-ons read the property, the viewer is told when it has ended."""

import queue
import random
from typing import Optional, Union

import xbmc

import latchkey

from . import box, texts
from .window import notify
from .worker import Worker

#: Seconds between two looks at the sign-in, and after a failure for the first time and at most.
_INTERVAL = 3600.0
_FIRST_RETRY, _LONGEST_RETRY = 30.0, 900.0
#: A change of the settings is seen after so many seconds at most: two wake-ups in a minute.
_BEAT = 30.0
#: Seconds between two looks whether an answer has come: Kodi must not wait for a server that is away.
_ASKING_BEAT = 0.25
#: What may pass by itself. The network and the box's time may come late, and a network's own page may answer first.
_PASSING = (latchkey.Unreachable, latchkey.ServerFault, latchkey.Throttled, latchkey.Untrusted, latchkey.BadAnswer)


class Service(xbmc.Monitor):
    """One loop; Kodi ends it by its abort request."""

    def __init__(self) -> None:
        super().__init__()
        self._has_changed = False
        self._retry = _FIRST_RETRY

    def onSettingsChanged(self) -> None:  # noqa: N802
        """Kodi calls it when the settings were saved."""
        self._has_changed = True

    def run(self) -> None:
        """Looks at the sign-in until Kodi ends."""
        while not self._pause(self.look()):
            pass
        box.publish(None)

    def _pause(self, seconds: float) -> bool:
        """Pauses, shorter when the settings change; returns whether Kodi ends."""
        while seconds > 0 and not self._has_changed:
            if self.waitForAbort(min(seconds, _BEAT)):
                return True
            seconds -= _BEAT
        if self._has_changed:
            # What is known is of another server or requestor.
            self._has_changed, self._retry = False, _FIRST_RETRY
            box.publish(None)
        return self.abortRequested()

    def look(self) -> float:
        """Looks at the sign-in once, and returns when to look again, in seconds."""
        try:
            status = self._ask()
        except latchkey.LatchkeyError as error:
            if error.code != "settings":
                xbmc.log(f"script.latchkey: {type(error).__name__} {error.code}", xbmc.LOGWARNING)
            if isinstance(error, _PASSING):
                # What was known stays.
                pause = self._retry * (1 + random.random())
                self._retry = min(self._retry * 2, _LONGEST_RETRY)
                return pause
            # Settings that are not complete, a permission that is missing: only a person can change that.
            box.publish(None)
            return _INTERVAL
        if status is None:
            return 0.0
        self._retry = _FIRST_RETRY
        if status.state is latchkey.SignInState.SIGNED_OUT:
            self._tell(status)
        box.publish(status.is_signed_in)
        return _INTERVAL

    def _ask(self) -> Optional[latchkey.Status]:
        """Where the box stands; ``None`` when Kodi ends first. Raises what the client raises."""
        client, cancel = box.client(), latchkey.Cancellation()
        answers: "queue.Queue[Union[latchkey.Status, latchkey.LatchkeyError]]" = queue.Queue()
        # The module has no public call for it that can be cancelled.
        asking = Worker("sign-in", lambda: answers.put(client._status(cancel)), answers.put)
        while answers.empty():
            if self.waitForAbort(_ASKING_BEAT):
                cancel.cancel()
                asking.leave()
                return None
        answer = answers.get_nowait()
        if isinstance(answer, latchkey.LatchkeyError):
            raise answer
        return answer

    def _tell(self, status: latchkey.Status) -> None:
        """Tells the viewer that nobody is signed in any more, or once at the start."""
        was_signed_in = box.published()
        if was_signed_in:
            reason = texts.REASONS.get(status.reason or "")
            notify(" ".join([texts.text(texts.ENDED)] + ([texts.text(reason)] if reason else [])))
        elif was_signed_in is None and box.settings().getSettingBool("remind"):
            notify(texts.text(texts.NOBODY))
