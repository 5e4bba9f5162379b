"""What can go wrong, each with one sentence for the person in front of the screen.

``str(error)`` is that sentence. It never holds a code, a key or a token.
"""

from typing import Optional

__all__ = [
    "AlreadySignedIn", "BadAnswer", "BadRequest", "Cancelled", "CredentialsRefused", "LatchkeyError", "NotAuthorized",
    "NotSignedIn", "PermissionDenied", "PermissionUndetermined", "ServerFault", "StateError", "Throttled",
    "Unreachable", "Untrusted",
]


class LatchkeyError(Exception):
    """The base of all of them.

    ``code`` is a stable word for programs; two errors with the same class and another code differ only in detail.
    """

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class BadRequest(LatchkeyError):
    """The call itself was wrong: an empty resource, an unknown requestor, a setting that cannot be."""

    def __init__(self, sentence: str, code: str = "bad_request") -> None:
        super().__init__(code, sentence)


class StateError(LatchkeyError):
    """The state file or the credentials file cannot be read, written or understood.

    With the code ``storage`` it is the agent that cannot keep what it knows: the box's disk is full, or cannot be
    written.
    """

    def __init__(self, sentence: str, code: str = "state") -> None:
        super().__init__(code, sentence)


class NotSignedIn(LatchkeyError):
    """No viewer is signed in on this box. ``reason`` says why, as far as it is known."""

    def __init__(
        self, sentence: str = "No viewer is signed in on this box. Sign in first.", reason: Optional[str] = None
    ) -> None:
        super().__init__("not_signed_in", sentence)
        self.reason = reason


class AlreadySignedIn(LatchkeyError):
    """A viewer is signed in already; sign out before you pair anew."""

    def __init__(self, sentence: str = "A viewer is signed in on this box already.") -> None:
        super().__init__("already_signed_in", sentence)


class NotAuthorized(LatchkeyError):
    """The TV provider does not let this viewer play the resource.

    ``provider_message`` is the provider's own sentence, where it gave one: show it instead of ours.
    """

    def __init__(self, resource: str, provider_message: Optional[str] = None) -> None:
        super().__init__("not_authorized", provider_message or f"Your TV provider does not include “{resource}”.")
        self.resource = resource
        self.provider_message = provider_message


class PermissionUndetermined(LatchkeyError):
    """The agent does not know yet whether this application may ask; see ``AgentClient.ask_permission``."""

    def __init__(self, sentence: str = "This application needs the box owner's permission first.") -> None:
        super().__init__("permission_undetermined", sentence)


class PermissionDenied(LatchkeyError):
    """The box's owner does not let this application ask."""

    def __init__(self, sentence: str = "The box's owner does not allow this application to use the sign-in.") -> None:
        super().__init__("permission_denied", sentence)


class CredentialsRefused(LatchkeyError):
    """The server does not take the key pair: it was revoked, or is not for this requestor."""

    def __init__(self, sentence: str = "The server refuses this box's credentials.") -> None:
        super().__init__("credentials_refused", sentence)


class Unreachable(LatchkeyError):
    """No answer from the server or the agent. ``retry_after`` is in seconds, where the agent named it."""

    def __init__(self, sentence: str, retry_after: Optional[float] = None) -> None:
        super().__init__("unreachable", sentence)
        self.retry_after = retry_after


class Untrusted(LatchkeyError):
    """The server's certificate is not trusted. Trying again is no use, unless the box's clock is set meanwhile."""

    def __init__(self, sentence: str) -> None:
        super().__init__("untrusted", sentence)


class Throttled(LatchkeyError):
    """Too many calls. ``retry_after`` is in seconds.

    With the code ``busy`` it is the agent that has too many callers at once.
    """

    def __init__(
        self, retry_after: Optional[float] = None,
        sentence: str = "The server is asked too often. Please try again a little later.", code: str = "throttled",
    ) -> None:
        super().__init__(code, sentence)
        self.retry_after = retry_after


class ServerFault(LatchkeyError):
    """The server or the agent has a fault of its own (5xx). ``status`` is the HTTP status."""

    def __init__(self, status: int) -> None:
        super().__init__("server_fault", f"The server has a fault ({status}). Please try again later.")
        self.status = status


class BadAnswer(LatchkeyError):
    """The answer is not what this protocol says: too long, no JSON, a member missing."""

    def __init__(self, sentence: str = "The server does not answer as expected. Is its address right?") -> None:
        super().__init__("bad_answer", sentence)


class Cancelled(LatchkeyError):
    """The caller cancelled a call that was under way."""

    def __init__(self) -> None:
        super().__init__("cancelled", "Cancelled.")
