"""What the add-on does when it is called: a menu, or what the arguments say.

- ``RunScript(script.latchkey)``: the menu.
- ``RunScript(script.latchkey,pair)``, ``…,logout``, ``…,settings``.
- ``RunScript(script.latchkey,play,resource=North Sport,stream=https://cdn.example/live.m3u8?token={token})``: both have
  ``%2C`` for a comma, and nothing else is decoded; left out, the settings' count.
"""

import urllib.parse
from typing import Dict, List, Sequence

import xbmc
import xbmcgui

import latchkey

from . import box, texts
from .permission import wait_for_permission
from .window import notify, pair


def main(arguments: Sequence[str]) -> None:
    """Does it, and says what went wrong in a sentence."""
    try:
        try:
            start(arguments)
        except latchkey.PermissionUndetermined:
            if wait_for_permission():
                start(arguments)
    except latchkey.LatchkeyError as error:
        tell(error)
        if error.code == "settings":
            box.settings().openSettings()


def tell(error: latchkey.LatchkeyError) -> None:
    """Says what went wrong; the log gets no more than the kind of it."""
    xbmc.log(f"script.latchkey: {type(error).__name__} {error.code}", xbmc.LOGWARNING)
    xbmcgui.Dialog().ok(texts.text(texts.NAME), texts.sentence(error))


def start(arguments: Sequence[str]) -> None:
    """Runs the command of the arguments, or the menu without any."""
    if arguments:
        command, *rest = arguments
        run(command, options(rest))
    else:
        menu()


def options(words: Sequence[str]) -> Dict[str, str]:
    """The options among the arguments, ``name=value`` each."""
    pairs = [word.partition("=") for word in words]
    return {name: value.replace("%2C", ",").replace("%2c", ",") for name, _, value in pairs}


def run(command: str, given: Dict[str, str]) -> None:
    """Runs one command; an unknown one is a fault of the caller and only logged."""
    if command == "pair":
        pair(box.client())
    elif command == "logout":
        box.client().logout()
        box.publish(False)
        notify(texts.text(texts.SIGNED_OUT))
    elif command == "play":
        chosen = box.settings()
        play(
            given.get("resource") or chosen.getSettingString("resource"),
            given.get("stream") or chosen.getSettingString("stream"))
    elif command == "settings":
        box.settings().openSettings()
    else:
        xbmc.log("script.latchkey: unknown command", xbmc.LOGWARNING)


def menu() -> None:
    """Shows where the box stands and what can be done."""
    status = box.client().status()
    box.publish(status.is_signed_in)
    chosen = box.settings()
    if status.is_signed_in:
        provider = status.mvpd_name or status.mvpd or "?"
        heading = texts.text(texts.SIGNED_IN_WITH, provider=provider)
    else:
        heading = texts.text(texts.NOBODY)
    commands: List[str] = ["logout" if status.is_signed_in else "pair"]
    if chosen.getSettingString("resource") and chosen.getSettingString("stream"):
        commands.append("play")
    commands.append("settings")
    names = {"logout": texts.SIGN_OUT, "pair": texts.SIGN_IN, "play": texts.PLAY, "settings": texts.SETTINGS}
    picked = xbmcgui.Dialog().select(heading, [texts.text(names[command]) for command in commands])
    if picked >= 0:
        run(commands[picked], {})


def play(resource: str, stream: str) -> None:
    """Gets a media token and plays the stream with it; lets a viewer sign in first where nobody is.

    Raises what the client raises; ``BadRequest`` with the code ``settings`` without a resource or a stream.
    """
    if not resource or not stream:
        raise latchkey.BadRequest("No channel is set.", "settings")
    client = box.client()
    try:
        token = client.media_token(resource)
    except latchkey.NotSignedIn:
        box.publish(False)
        if not xbmcgui.Dialog().yesno(texts.text(texts.NAME), texts.text(texts.SIGN_IN_NOW)):
            return
        if not pair(client):
            return
        token = client.media_token(resource)
    address = address_with(stream, token)
    item = xbmcgui.ListItem(resource, path=address)
    item.setProperty("IsPlayable", "true")
    xbmc.Player().play(address, item)


def address_with(stream: str, token: latchkey.MediaToken) -> str:
    """The stream's address with the token and the resource in their places, percent-encoded.

    Kodi decodes headers behind '|' again, so the encoding is right in both places.
    """
    return stream.replace("{token}", urllib.parse.quote(token.token, safe="")).replace(
        "{resource}", urllib.parse.quote(token.resource, safe=""))
