"""The numbers of the texts in strings.po, and what is said about an error."""

from typing import Dict

import xbmcaddon

import latchkey

SIGN_IN, SIGN_OUT, PLAY, SETTINGS, NAME = 30000, 30001, 30002, 30003, 30004
HEADING, INSTRUCTION, LEFT, CANCEL, ASKING = 30010, 30011, 30012, 30013, 30014
OPENED, REFUSED, UNANSWERED, RENEWED, CONFIRMING = 30015, 30016, 30017, 30018, 30019
SIGNED_IN, DECLINED, EXPIRED, SIGNED_OUT = 30020, 30021, 30022, 30023
SIGNED_IN_WITH, NOBODY, SIGN_IN_NOW, ENDED = 30024, 30025, 30026, 30027
WRONG_PASSWORD, PERMISSION_NEEDED, PERMISSION_WAIT = 30032, 30043, 30049
#: Why a sign-in has ended.
REASONS: Dict[str, int] = {
    "expired": 30028, "ended_by_operator": 30029, "refused_by_provider": 30030, "signed_out_elsewhere": 30031,
    "replaced": 30033, "device_changed": 30034,
}

#: By the error's code.
_ERRORS: Dict[str, int] = {
    "unreachable": 30040, "untrusted": 30041, "credentials_refused": 30042, "permission_denied": 30044,
    "not_authorized": 30045, "settings": 30046, "throttled": 30047, "server_fault": 30048, "not_signed_in": NOBODY,
    "storage": 30050, "busy": 30051,
}

ADD_ON = "script.latchkey"


def text(number: int, **values: str) -> str:
    """The text in Kodi's language."""
    return xbmcaddon.Addon(ADD_ON).getLocalizedString(number).format(**values)


def sentence(error: latchkey.LatchkeyError) -> str:
    """What is said about an error: the provider's own words before ours, ours in Kodi's language where there are
    some."""
    if isinstance(error, latchkey.NotAuthorized) and error.provider_message:
        return error.provider_message
    number = _ERRORS.get(error.code)
    return text(number) if number else str(error)
