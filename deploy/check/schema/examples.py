"""Calls each operation of a running demo server once, and holds calls and answers against the kept examples.

    examples.py URL SCHEMA_FOLDER [--accept]

prepare.py has made the callers and the good values. What differs from run to run, such as times and secrets, gets a steady
value. `latchkeyd openapi` prints the kept example beside an operation, or makes one of its schemas. --accept records the kept
ones anew; to keep one more, first add a line "### ID" to the file. The last line of standard output is "N passed, N failed",
counting examples.
"""

import datetime
import difflib
import json
import pathlib
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import xml.dom.minidom

url, folder, accepts = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:] == ["--accept"]
KEPT = pathlib.Path("Sources/Server/ServerAPI/OpenAPI/examples.http")
description = json.loads((folder / "openapi.json").read_text())
callers = json.loads((folder / "callers.json").read_text())
start, UTC = time.time(), datetime.timezone.utc
# Optional parameters that an example shows all the same.
SHOWN = {"ap_21", "device_id", "deviceId", "limit", "reg_code", "requestor", "requestor_id"}
# What differs from run to run, and what examples show instead; the first that fits counts.
STEADY = [
    (r"(?<=KEY-----\n)[^-]+", "MIIBojANBgkqh…\n"),
    (r"<signatureInfo>.*Token>", "<signatureInfo>…"),
    (r"(?<=start=)[^&]+&end=[^&]+", "2026-01-01T00:00:00&end=2026-01-02T00:00:00"),
    (r"eyJ[\w-]+\.[\w-]+\.[\w-]*", "eyJhbGciOi…"),
    (r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "2c1d7f10-5a3e-4b8c-9d6f-7e0a1b2c3d4e"),
    (r"\b[0-9a-f]{8}-[0-9a-f]{8}\b", "45b46c68-05c2ad71"),
    (r"\bschema-(?:platform|trial)\b", "9f86d081…"),
    (r"\b(?=[0-9a-f]*\d)(?:[0-9a-f]{8}|[0-9a-f]{16}|[0-9a-f]{64})\b", "9f86d081…"),
    (r"\b[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}\b", "F7V8-9SV5-CGJ7"),
    (r"\b[BCDFGHJKLMNPQRSTVWXZ2-9]{7}\b", "BCDFGHJ"),
    (r'(?<="privateKey": ")\w+', "k7Qm2vTx9LbN4cRz…"),
    (r"(?=[\w+/-]*\d)(?=[\w+/-]*[a-z])[\w+/-]{22,}={0,2}", "k7Qm2vTx9LbN4cRz…"),
]
TIMES = [
    (r"\b1[789]\d{11}\b", lambda text: int(text) / 1000, lambda time: f"{time.timestamp():.0f}000"),
    (r"\b1[789]\d{8}\b", int, lambda time: f"{time.timestamp():.0f}"),
    (
        r"\b20\d\d/\d\d/\d\d \d\d:\d\d:\d\d\b",
        lambda text: datetime.datetime.strptime(text, "%Y/%m/%d %H:%M:%S").replace(tzinfo=UTC).timestamp(),
        lambda time: time.strftime("%Y/%m/%d %H:%M:%S"),
    ),
]


def steady(text):
    """The text as examples show it. Times keep their distance from the start, to ten minutes."""
    text = text.replace(url, "https://tv.example")
    for pattern, read, write in TIMES:
        text = re.sub(pattern, lambda found: write(
            datetime.datetime(2026, 1, 1, tzinfo=UTC) + datetime.timedelta(minutes=10 * round((read(found[0]) - start) / 600))
        ), text)
    return re.sub("|".join(f"({pattern})" for pattern, _ in STEADY), lambda found: STEADY[found.lastindex - 1][1], text)


class Unfollowed(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


opener = urllib.request.build_opener(Unfollowed)
opener.addheaders = [("User-Agent", "demo-box/1.0")]


def content(answer):
    """The body of an answer, laid out in lines."""
    text, kind = answer.read().decode().strip(), answer.headers.get_content_type()
    if kind == "text/html":
        return "<!DOCTYPE html>…"
    if kind == "application/json":
        return json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    return xml.dom.minidom.parseString(text).toprettyxml(indent="  ").strip() if text.startswith("<?xml") else text


def call(path, method, operation, change):
    """A call and its answer; `change` is made to all values."""
    values, fields, kind = {}, {}, None
    headers = {"Accept": "application/json"}
    if operation["security"]:
        headers["Authorization"] = change(callers["operator" if "Management" in operation["tags"] else "bearer"])
    for parameter in operation["parameters"]:
        name, value = parameter["name"], parameter.get("example")
        if value is None or not (parameter["required"] or name in SHOWN):
            continue
        places = {"query": values, "header": headers}
        if parameter["in"] == "path":
            path = path.replace("{" + name + "}", urllib.parse.quote(change(value)))
        else:
            places[parameter["in"]][name] = change(value)
    for kind, form in reversed(operation.get("requestBody", {}).get("content", {}).items()):
        good, required = form.get("example", {}), form["schema"].get("required", [])
        fields = {name: change(value) for name, value in good.items() if name in required or name in SHOWN}
        headers["Content-Type"] = kind
    query, form = (urllib.parse.urlencode(one, quote_via=urllib.parse.quote) for one in (values, fields))
    body = json.dumps(fields, ensure_ascii=False) if kind == "application/json" else form
    return path + ("?" + query if query else ""), headers, body


def example(path, method, operation):
    """One call and its answer, as they travel."""
    target, headers, body = call(path, method, operation, lambda value: value)
    request = urllib.request.Request(url + target, body.encode() if body else None, headers, method=method)
    try:
        answer = opener.open(request, timeout=30)
    except urllib.error.HTTPError as error:
        answer = error
    target, headers, body = call(path, method, operation, steady)
    told = {name: steady(answer.headers[name]) for name in ("Content-Type", "Location") if name in answer.headers}
    call_text = "\n".join([f"{method} {target}", *(f"{name}: {value}" for name, value in headers.items())])
    answer_text = "\n".join([f"HTTP/1.1 {answer.status}", *(f"{name}: {value}" for name, value in told.items())])
    parts = (call_text, body, answer_text, steady(content(answer)))
    return "\n\n".join(part for part in parts if part).replace("%E2%80%A6", "…")


# Operations of one endpoint that differ in their path alone have one example.
firsts = {}
for path, item in description["paths"].items():
    for method, operation in item.items():
        key = (method, operation["summary"], *operation["tags"])
        firsts.setdefault(key, (operation["operationId"], path, method.upper(), operation))
kept = KEPT.read_text()
# Calls whose example is not kept are made, too: later ones show what they did.
recorded = {name: example(*rest) for name, *rest in firsts.values()}
recorded = {name: one for name, one in recorded.items() if f"### {name}\n" in kept}
text = "".join(f"### {name}\n{one}\n\n" for name, one in sorted(recorded.items()))
if accepts:
    KEPT.write_text(kept := text)
sys.stderr.writelines(difflib.unified_diff(kept.splitlines(True), text.splitlines(True), "kept", "recorded", n=8))
failed = sum(f"### {name}\n{one}\n\n" not in kept for name, one in recorded.items()) or int(kept != text)
print(f"{len(recorded) - failed} passed, {failed} failed")
sys.exit(failed > 0)
