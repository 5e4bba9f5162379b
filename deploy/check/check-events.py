"""Holds lines of `latchkey --json` to the schema beside this file.

  python3 deploy/check/check-events.py [--strict] FILE…    `-` is standard input

Says every line that is not as the schema says and ends with 1 if there is one. With --strict a member that the schema
does not name is a fault too: programs pass over it, but our own must not send it. Needs Debian's python3-jsonschema.
"""
import json
import pathlib
import sys

import jsonschema

schema = json.loads((pathlib.Path(__file__).parent.parent / "contracts/events.schema.json").read_text())
validator = jsonschema.Draft202012Validator(schema)


def faults(line, is_strict):
    try:
        event = json.loads(line)
    except ValueError as error:
        return [f"is no JSON: {error}"]
    found = [error.message for error in validator.iter_errors(event)]
    if found:
        # Only the kind it says it is; that it is none of the others is no news.
        kind = schema["$defs"].get(event.get("event") if isinstance(event, dict) else None)
        if kind:
            found = [error.message for error in jsonschema.Draft202012Validator(kind).iter_errors(event)] or found
        return found
    if is_strict:
        known = schema["properties"].keys() | schema["$defs"][event["event"]]["properties"].keys()
        return [f"the schema has no member '{name}' for it" for name in event.keys() - known]
    return []


def main(words):
    is_strict = "--strict" in words
    count = bad = 0
    for name in (word for word in words if word != "--strict"):
        for line in sys.stdin if name == "-" else open(name, encoding="utf-8"):
            count += 1
            for fault in faults(line, is_strict):
                bad += 1
                print(f"{name}: event {count}: {fault}")
    print(f"{count} events, {bad} faults")
    return 0 if bad == 0 and count > 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
