"""The Kodi side of Latchkey. Another add-on that requires script.latchkey asks for a token like this::

    from latchkey_kodi import box
    token = box.client().media_token("North Sport HD").token
"""
