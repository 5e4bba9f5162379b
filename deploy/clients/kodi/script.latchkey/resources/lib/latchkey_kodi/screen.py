"""What the pairing dialog shows, as a value: an event makes the next one."""

from dataclasses import dataclass, replace
from typing import Optional

import latchkey

from . import texts


@dataclass(frozen=True)
class Screen:
    """``message`` and ``ending`` are numbers of texts. Nothing of the code is in its ``repr``."""

    code: Optional[latchkey.Code] = None
    message: Optional[int] = texts.ASKING
    #: The provider's own sentence, which goes before ``message``.
    said: Optional[str] = None
    #: Whether the server is away, which is shown in place of the two.
    is_unanswered: bool = False
    #: What is said when the dialog is closed; ``None`` while it is open, 0 to say nothing.
    ending: Optional[int] = None
    is_signed_in: bool = False

    def after(self, event: latchkey.Event) -> "Screen":
        """The screen after an event."""
        if isinstance(event, latchkey.CodeIssued):
            # The same one comes again when its end is known better.
            shown = self if event.code == self.code else self._saying(texts.RENEWED if self.code else None)
            return replace(shown, code=event.code)
        if isinstance(event, latchkey.PageOpened):
            return self._saying(texts.OPENED)
        if isinstance(event, latchkey.Confirming):
            return self._saying(texts.CONFIRMING)
        if isinstance(event, latchkey.PageLeft):
            return self._saying(None)
        if isinstance(event, latchkey.ProviderRefused):
            if event.message == latchkey.ProviderRefused.WRONG_CREDENTIALS:
                return self._saying(texts.WRONG_PASSWORD)
            return self._saying(texts.REFUSED, event.message)
        if isinstance(event, (latchkey.Unanswered, latchkey.Reachable)):
            return replace(self, is_unanswered=isinstance(event, latchkey.Unanswered))
        if isinstance(event, latchkey.Approved):
            return replace(self, ending=texts.SIGNED_IN, is_signed_in=True)
        if isinstance(event, latchkey.Declined):
            return replace(self, ending=texts.DECLINED)
        if isinstance(event, latchkey.CodeExpired):
            return replace(self, ending=texts.EXPIRED)
        if isinstance(event, latchkey.CodeWithdrawn):
            return replace(self, ending=0)
        return self

    def _saying(self, message: Optional[int], said: Optional[str] = None) -> "Screen":
        return replace(self, message=message, said=said, is_unanswered=False)

    @property
    def left(self) -> Optional[str]:
        """How long the code lives, as the dialog shows it."""
        if self.code is None:
            return None
        minutes, seconds = divmod(int(self.code.seconds_left), 60)
        return texts.text(texts.LEFT, minutes=str(minutes), seconds=f"{seconds:02}")

    @property
    def line(self) -> str:
        """The line of news."""
        if self.is_unanswered:
            return texts.text(texts.UNANSWERED)
        return self.said or (texts.text(self.message) if self.message else "")
