#!/usr/bin/env python3
"""Makes passkeys.json: what an authenticator of each kind says, written without any code of ours.

Keys are new at each run, so the file is made once and kept. Needs the package python3-cryptography.
"""
import base64
import hashlib
import json
import pathlib
import struct

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa

PARTY = "tve.example.net"
ORIGIN = "https://tve.example.net"
HANDLE = bytes(range(32))
CHALLENGE = bytes(range(100, 156))


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def head(kind, number):
    if number < 24:
        return bytes([kind << 5 | number])
    for info, form, bound in ((24, ">B", 1 << 8), (25, ">H", 1 << 16), (26, ">I", 1 << 32)):
        if number < bound:
            return bytes([kind << 5 | info]) + struct.pack(form, number)
    raise ValueError(number)


def cbor(value):
    """The canonical form of CTAP2; maps keep the order given, which is theirs."""
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    if isinstance(value, dict):
        return head(5, len(value)) + b"".join(cbor(key) + cbor(item) for key, item in value.items())
    raise TypeError(value)


def whole(number):
    return number.to_bytes((number.bit_length() + 7) // 8, "big")


class ES256:
    algorithm = -7

    def __init__(self):
        self.key = ec.generate_private_key(ec.SECP256R1())

    def public(self):
        numbers = self.key.public_key().public_numbers()
        return {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}

    def sign(self, message):
        return self.key.sign(message, ec.ECDSA(hashes.SHA256()))


class RS256:
    algorithm = -257

    def __init__(self):
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)

    def public(self):
        numbers = self.key.public_key().public_numbers()
        return {1: 3, 3: -257, -1: whole(numbers.n), -2: whole(numbers.e)}

    def sign(self, message):
        return self.key.sign(message, padding.PKCS1v15(), hashes.SHA256())


class EdDSA:
    algorithm = -8

    def __init__(self):
        self.key = ed25519.Ed25519PrivateKey.generate()

    def public(self):
        raw = self.key.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
        return {1: 1, 3: -8, -1: 6, -2: raw}

    def sign(self, message):
        return self.key.sign(message)


def client_data(kind):
    return json.dumps(
        {"type": kind, "challenge": text(CHALLENGE), "origin": ORIGIN, "crossOrigin": False},
        separators=(",", ":")).encode()


def authenticator_data(flags, count, rest=b""):
    return hashlib.sha256(PARTY.encode()).digest() + bytes([flags]) + struct.pack(">I", count) + rest


def passkey(name, maker, *, flags, count, attested=False, extensions=b"", id_length=32):
    signer = maker()
    credential = hashlib.shake_128(name.encode()).digest(id_length)
    new = bytes(16) + struct.pack(">H", len(credential)) + credential + cbor(signer.public()) + extensions
    data = authenticator_data(flags | 0x40 | (0x80 if extensions else 0), count, new)
    made = client_data("webauthn.create")
    statement = {}
    if attested:
        statement = {"alg": signer.algorithm, "sig": signer.sign(data + hashlib.sha256(made).digest())}
    attestation = cbor({"fmt": "packed" if attested else "none", "attStmt": statement, "authData": data})
    used = client_data("webauthn.get")
    later = authenticator_data(flags, count + 1 if count else 0)
    return {
        "name": name, "credential": text(credential), "clientData": text(made), "attestation": text(attestation),
        "signCount": count, "isSyncable": bool(flags & 0x08), "publicKey": text(cbor(signer.public())),
        "use": {
            "clientData": text(used), "authenticatorData": text(later),
            "signature": text(signer.sign(later + hashlib.sha256(used).digest())),
        },
    }


file = pathlib.Path(__file__).with_name("passkeys.json")
file.write_text(json.dumps({
    "publicURL": ORIGIN, "handle": text(HANDLE), "challenge": text(CHALLENGE),
    "passkeys": [
        passkey("ES256, synced, does not count", ES256, flags=0x1D, count=0, id_length=16),
        passkey("RS256, counts", RS256, flags=0x05, count=7),
        passkey("EdDSA, counts, an extension", EdDSA, flags=0x05, count=1, extensions=cbor({"credProtect": 2})),
        passkey("ES256 with its own attestation", ES256, flags=0x05, count=1, attested=True, id_length=64),
        passkey("RS256 with the longest ID", RS256, flags=0x0D, count=0, id_length=1023),
    ],
}, indent=2) + "\n")
