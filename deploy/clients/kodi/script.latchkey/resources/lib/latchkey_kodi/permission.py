"""Asking the box's owner for the permission that the agent wants."""

import queue
from typing import Union

import xbmc
import xbmcgui

import latchkey

from . import box, texts
from .worker import Worker

#: How long the owner has to answer while the viewer waits, in seconds.
PATIENCE = 300.0
#: Seconds between two looks at the answer and at the viewer's button.
_BEAT = 0.25


def wait_for_permission() -> bool:
    """Makes the agent ask the owner, shows the viewer how the owner answers, and waits for it.

    Returns whether it is granted. The viewer may leave; the question stands. Raises ``PermissionDenied`` and what the
    client raises.
    """
    chosen = box.client()
    assert isinstance(chosen, latchkey.AgentClient)
    client: latchkey.AgentClient = chosen
    application = client.application()
    cancel = latchkey.Cancellation()
    answers: "queue.Queue[Union[str, latchkey.LatchkeyError]]" = queue.Queue()

    monitor = xbmc.Monitor()
    progress = xbmcgui.DialogProgress()
    progress.create(texts.text(texts.NAME), texts.text(texts.PERMISSION_WAIT, application=application))
    worker = Worker("permission", lambda: answers.put(client.ask_permission(PATIENCE, cancel)), answers.put)
    try:
        while answers.empty() and not progress.iscanceled():
            if monitor.waitForAbort(_BEAT):
                return False
    finally:
        cancel.cancel()
        progress.close()
        worker.leave()
    if answers.empty():
        return False
    answer = answers.get_nowait()
    if isinstance(answer, latchkey.Cancelled):
        return False
    if isinstance(answer, latchkey.LatchkeyError):
        raise answer
    if answer == "denied":
        raise latchkey.PermissionDenied()
    if answer == "undetermined":
        xbmcgui.Dialog().ok(
            texts.text(texts.NAME), texts.text(texts.PERMISSION_NEEDED, application=application))
    return answer == "granted"
