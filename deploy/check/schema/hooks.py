"""What Schemathesis has to know of this API beyond its description.

- Answers in XML are read by the schemas of their status, so that both forms are held against the description.
- Every call comes from an address of its own (the server under test trusts this machine as a proxy), or the limit on
  guessing codes would soon be all that is seen; and each has the credential its requestor needs, sometimes none.
- What each operation answered is counted, for the script to see whether the operation worked at all.

Everything that varies does so with the call's own content: the same call is the same again when it is replayed.
"""

import atexit
import collections
import json
import os
import pathlib
import xml.etree.ElementTree as ElementTree
import zlib

import schemathesis

folder = pathlib.Path(os.environ["SCHEMA_FOLDER"])
description = json.loads((folder / "openapi.json").read_text())
callers = json.loads((folder / "callers.json").read_text())
seen = collections.defaultdict(collections.Counter)
violations = collections.Counter()

ACCEPT = ["application/json", "application/xml", "application/json, text/plain, */*", "*/*", "text/html,*/*;q=0.8"]
BAD_CREDENTIALS = [None, "Bearer", "Bearer a.b.c", "GET requestor_id=DEMO, nonce=1, signature=x", "Basic ZGVtbzo="]


def resolved(schema):
    """The schema itself, where there is only a reference to it."""
    while "$ref" in schema:
        target = description
        for name in schema["$ref"][2:].split("/"):
            target = target[name]
        schema = target
    return schema


def alternatives(schema):
    schema = resolved(schema)
    return [resolved(one) for one in schema["anyOf"]] if "anyOf" in schema else [schema]


def properties(schema):
    """The members of an object, those of all its parts together."""
    schema = resolved(schema)
    found = dict(schema.get("properties", {}))
    for part in schema.get("allOf", []):
        for name, member in properties(part).items():
            found.setdefault(name, member)
    return found


def value(element, schema):
    """An element as the JSON value that its schema speaks of. What does not fit stays text, and fails the schema."""
    schema = resolved(schema)
    members = properties(schema)
    if schema.get("type") == "object" or members:
        result = dict(element.attrib)
        for name, member in members.items():
            member = resolved(member)
            if name in result and member.get("type") == "boolean":
                result[name] = {"true": True, "false": False}.get(result[name], result[name])
            elif member.get("type") == "array":
                result[name] = [value(child, member["items"]) for child in element.findall(name)]
        for child in element:
            if resolved(members.get(child.tag, {})).get("type") != "array":
                read = value(child, members.get(child.tag, {}))
                result[child.tag] = [result[child.tag], read] if child.tag in result else read
        return result
    if len(element):
        return {child.tag: value(child, {}) for child in element}
    text = element.text or ""
    if schema.get("type") == "integer" and text.isascii() and text.isdigit():
        return int(text)
    if schema.get("type") == "boolean":
        return {"true": True, "false": False}.get(text, text)
    return text


@schemathesis.deserializer("application/xml")
def read_xml(context, response):
    operation = description["paths"][context.operation.path][context.operation.method.lower()]
    answer = resolved(operation["responses"][str(response.status_code)])
    text = response.content.decode("utf-8")
    candidates = alternatives(answer["content"]["application/xml"]["schema"])
    if text.startswith("<signatureInfo>") and any(one.get("type") == "string" for one in candidates):
        return text
    root = ElementTree.fromstring(text)
    for one in candidates:
        name = one.get("xml", {})
        namespace = "{" + name["namespace"] + "}" if "namespace" in name else ""
        if root.tag == namespace + name.get("name", ""):
            return value(root, one)
    raise AssertionError(f"the description has no root element {root.tag} for status {response.status_code}")


def choice(case):
    """A number that is the same whenever the call is."""
    content = (case.path_parameters, case.query, case.body, case.operation.label)
    return zlib.crc32(repr(content).encode("utf-8", "surrogatepass"))


def named(case, names):
    """The first of these parameters, wherever the call has it."""
    for place in (case.path_parameters, case.query, case.body):
        for name in names:
            if isinstance(place, dict) and isinstance(place.get(name), str):
                return place[name]
    return None


def is_example(case):
    return case.meta is not None and case.meta.phase.name.value == "examples"


def credential(case, number):
    if number % 16 == 0 and not is_example(case):
        return BAD_CREDENTIALS[number // 16 % len(BAD_CREDENTIALS)]
    if "Management" in case.operation.tags:
        return callers["operator"]
    if named(case, ["requestor", "requestor_id"]) == callers["compatibleRequestor"]:
        return callers["signed"]
    return callers["bearer"]


@schemathesis.hook
def before_call(context, case, kwargs):
    number = choice(case)
    headers = dict(case.headers or {})
    headers["Accept"] = ACCEPT[number // 7 % len(ACCEPT)]
    headers["X-Forwarded-For"] = f"198.18.{number // 251 % 256}.{number % 251 + 1}"
    authorization = credential(case, number // 1000)
    if authorization and not case.path.startswith("/o/client/"):
        headers["Authorization"] = authorization
    else:
        headers.pop("Authorization", None)
    case.headers = headers


@schemathesis.hook
def after_call(context, case, response):
    seen[case.operation.label][response.status_code] += 1


@schemathesis.hook
def filter_failure(context, failure, case, response):
    violations[case.operation.label] += 1
    return True


@atexit.register
def write_seen():
    (folder / "seen.json").write_text(json.dumps({"statuses": seen, "violations": violations}))
