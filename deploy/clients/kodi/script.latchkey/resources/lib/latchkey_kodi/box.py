"""The client that the settings describe."""

import os
from typing import Optional, Union

import xbmc
import xbmcaddon
import xbmcgui
import xbmcvfs

import latchkey

from .texts import ADD_ON

_DIRECT = 1
#: The home window, whose properties skins and add-ons read.
_HOME = 10000
#: ``true``, ``false``, or empty while it is not known.
PROPERTY = "latchkey.signed_in"


def publish(is_signed_in: Optional[bool]) -> None:
    """Lets skins and other add-ons know where the box stands."""
    xbmcgui.Window(_HOME).setProperty(PROPERTY, {True: "true", False: "false", None: ""}[is_signed_in])


def published() -> Optional[bool]:
    """What was published last, by the service or by the script."""
    return {"true": True, "false": False}.get(xbmcgui.Window(_HOME).getProperty(PROPERTY))


def settings() -> xbmcaddon.Addon:
    """The settings as they are now."""
    return xbmcaddon.Addon(ADD_ON)


def folder() -> str:
    """The add-on's private folder; made when it is missing."""
    path = xbmcvfs.translatePath(settings().getAddonInfo("profile"))
    os.makedirs(path, mode=0o700, exist_ok=True)
    return path


def client() -> Union[latchkey.AgentClient, latchkey.DirectClient]:
    """The client of the agent or of the server, as the settings say.

    Raises ``BadRequest`` with the code ``settings`` where they are not complete, ``StateError``.
    """
    chosen = settings()
    requestor = chosen.getSettingString("requestor").strip()
    if not requestor:
        raise latchkey.BadRequest("The settings of Latchkey name no requestor.", "settings")
    if chosen.getSettingInt("way") != _DIRECT:
        return latchkey.AgentClient(requestor, chosen.getSettingString("socket") or latchkey.AGENT_SOCKET)
    server = chosen.getSettingString("server").strip()
    if not server:
        raise latchkey.BadRequest("The settings of Latchkey name no server.", "settings")
    credentials = xbmcvfs.translatePath(chosen.getSettingString("credentials"))
    # The file is read while it is there; the pair stays in the state file when it goes.
    pair = None
    if credentials and os.path.exists(credentials):
        pair = latchkey.key_pair_from_file(credentials, requestor)
    version = xbmc.getInfoLabel("System.BuildVersion").partition(" ")[0]
    return latchkey.DirectClient(
        server, requestor, latchkey.StateFile(os.path.join(folder(), "state.json"), scope="latchkey-kodi"), pair,
        ca_file=xbmcvfs.translatePath(chosen.getSettingString("ca_file")) or None,
        insecure=chosen.getSettingBool("insecure"),
        device=latchkey.DeviceInformation(
            model=xbmc.getInfoLabel("System.FriendlyName") or "Kodi", version=version, application_id=ADD_ON))
