"""The values that both kinds of client hand out. All times are milliseconds since 1970, by the server's clock."""

import time
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, ClassVar, Dict, List, Optional, Union

__all__ = [
    "Account", "AccountProvider", "Approved", "Authorization", "Code", "CodeIssued", "CodeExpired", "CodeWithdrawn",
    "Confirming", "Declined", "Decision", "Event", "JSON", "MediaToken", "PageLeft", "PageOpened", "Provider",
    "ProviderRefused", "Reachable", "SignInState", "SlowDown", "Status", "Unanswered", "ViewerBox", "ViewerBoxes",
]

#: Any value of a JSON document.
JSON = Union[None, bool, int, float, str, List[Any], Dict[str, Any]]


class SignInState(Enum):
    """Where a box stands."""

    SIGNED_OUT = "signed_out"
    PAIRING = "pairing"
    SIGNED_IN = "signed_in"


@dataclass(frozen=True)
class Status:
    """Where the box stands for one requestor. Members are ``None`` where it is not known."""

    requestor: str
    state: SignInState
    #: The TV provider, for programs and for people.
    mvpd: Optional[str] = None
    mvpd_name: Optional[str] = None
    #: When the sign-in ends.
    expires: Optional[int] = None
    #: Why there is none: ``never``, ``signed_out``, ``replaced`` (by a newer sign-in of the device),
    #: ``signed_out_elsewhere`` (from another device), ``expired``, ``ended_by_operator``, ``refused_by_provider``,
    #: ``device_changed`` (the box has a new device ID).
    reason: Optional[str] = None
    #: Whether the server confirmed it just now. An agent tells what is in its file, which calls that ask the server
    #: bring up to date.
    is_checked: bool = True

    @property
    def is_signed_in(self) -> bool:
        """Whether a viewer is signed in."""
        return self.state is SignInState.SIGNED_IN


@dataclass(frozen=True)
class Account:
    """Where the account of the box stands. Members are ``None`` where it is not known."""

    #: The requestor whose sign-in it is.
    requestor: str
    state: SignInState
    #: The TV provider, for programs and for people.
    mvpd: Optional[str] = None
    mvpd_name: Optional[str] = None
    #: What boxes call the provider, whatever the requestor; also after the sign-in expired.
    provider: Optional[str] = None
    #: When the sign-in ends.
    expires: Optional[int] = None
    #: Why there is none, as :attr:`Status.reason`.
    reason: Optional[str] = None


@dataclass(frozen=True)
class AccountProvider:
    """A TV provider that the account of the box can be signed in with."""

    #: For ``AgentClient.pair_account``.
    id: str
    name: str
    #: What boxes call it, whatever the requestor.
    provider: str


@dataclass(frozen=True)
class Provider:
    """A TV provider that viewers can pick."""

    id: str
    name: str


@dataclass(frozen=True)
class Code:
    """A code to show. Its ``repr`` shows none of it: a live code must not reach a log."""

    #: Seven or eight letters and digits, without separators.
    code: str = field(repr=False)
    #: The same in two groups, as people read it.
    display_code: str = field(repr=False)
    #: The page where it is entered, the code filled in; empty where the server names none.
    url: str = field(repr=False)
    #: The page without the code, for people who type it.
    page: str = field(repr=False)
    #: The shortest address of the same page, where the server offers one.
    short_url: Optional[str] = field(repr=False)
    #: The QR picture of the address, a PNG; ``None`` when the address is too long for one.
    qr: Optional[bytes] = field(repr=False)
    expires: int
    #: By ``time.monotonic()``: the clocks of box and server need not agree.
    deadline: float = field(repr=False, compare=False)

    @property
    def seconds_left(self) -> float:
        """How long it lives still; never below zero."""
        return max(0.0, self.deadline - time.monotonic())


@dataclass(frozen=True)
class Event:
    """What happens while a box is paired."""

    @property
    def is_last(self) -> bool:
        """Whether the pairing is over with it."""
        return isinstance(self, (Approved, Declined, CodeExpired, CodeWithdrawn))


@dataclass(frozen=True)
class CodeIssued(Event):
    """Show this code. It comes again when a code that nobody opened was renewed: then the old one is void.

    The same code comes again with another ``deadline`` once the server's clock is known.
    """

    code: Code


@dataclass(frozen=True)
class PageOpened(Event):
    """The viewer has the page open; the code is not renewed any more."""


@dataclass(frozen=True)
class PageLeft(Event):
    """The viewer went back; the code can be entered again."""


@dataclass(frozen=True)
class Confirming(Event):
    """The viewer signed in at the provider and is asked whether this is the box."""


@dataclass(frozen=True)
class ProviderRefused(Event):
    """The TV provider did not let the viewer in; the code is good for another try."""

    #: The ``message`` after a wrong name or password, in place of a sentence.
    WRONG_CREDENTIALS: ClassVar[str] = "wrong_credentials"

    #: The provider's own sentence, where it gave one.
    message: Optional[str] = None


@dataclass(frozen=True)
class SlowDown(Event):
    """The server asked for fewer questions. Nothing to do."""

    #: Seconds.
    retry_after: float


@dataclass(frozen=True)
class Unanswered(Event):
    """Server or agent cannot be reached; it is tried again until the code ends."""

    message: str


@dataclass(frozen=True)
class Reachable(Event):
    """It answers again."""


@dataclass(frozen=True)
class Approved(Event):
    """The box is signed in. The last event."""

    mvpd: Optional[str] = None
    expires: Optional[int] = None


@dataclass(frozen=True)
class Declined(Event):
    """The viewer declined this box. The last event."""


@dataclass(frozen=True)
class CodeExpired(Event):
    """The code's time is over. The last event."""


@dataclass(frozen=True)
class CodeWithdrawn(Event):
    """The pairing was cancelled, here or elsewhere. The last event."""


@dataclass(frozen=True)
class Authorization:
    """The viewer may play the resource."""

    resource: str
    #: Until when, where it is known.
    expires: Optional[int] = None


@dataclass(frozen=True)
class MediaToken:
    """A proof for the media back end: short-lived, for one use. Its ``repr`` does not show it."""

    resource: str
    #: Base64, as the back end takes it.
    token: str = field(repr=False)
    expires: Optional[int] = None


@dataclass(frozen=True)
class Decision:
    """Whether a resource would be authorized: for locks on a list of channels, not for playing."""

    resource: str
    authorized: bool
    message: Optional[str] = None


@dataclass(frozen=True)
class ViewerBox:
    """A box that the viewer is signed in on."""

    #: The server's name for it, which a sign-out takes.
    box: str
    #: When the viewer signed in there.
    since: int
    expires: int
    #: Whether it is this box.
    is_this: bool
    #: What it calls itself, where the server knows.
    name: Optional[str] = None
    model: Optional[str] = None
    #: When it last asked for something to play; ``None`` where it did not for a day or two.
    seen: Optional[int] = None


@dataclass(frozen=True)
class ViewerBoxes:
    """The viewer's boxes: this one first, then the others, the newest sign-in first."""

    boxes: List[ViewerBox]
    #: Whether there are boxes beyond these.
    has_more: bool
