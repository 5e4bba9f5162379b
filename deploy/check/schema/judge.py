"""Says of each operation whether it kept to the description, and whether it was seen to work at all.

    judge.py SCHEMA_FOLDER STATUS_OF_SCHEMATHESIS

An operation that only ever refuses proves little, so each has to succeed at least once. The last line of standard
output is "N passed, N failed", counting operations.
"""

import json
import pathlib
import sys

folder, status = pathlib.Path(sys.argv[1]), int(sys.argv[2])
description = json.loads((folder / "openapi.json").read_text())
try:
    counted = json.loads((folder / "seen.json").read_text())
except FileNotFoundError:
    counted = {"statuses": {}, "violations": {}}

# No platform is boarded in the demo, so nobody can sign in by one; and no provider sends browsers back to it.
CANNOT_SUCCEED = {
    "readProfileRequest",
    "exchangeProfileResponse",
    "sdkPlatform",
    "sdkProfile",
    "sdk1Platform",
    "sdk1Profile",
    "acceptAssertion",
    "acceptGrant",
    "takeAnswer",
    "takeAnswerByForm",
    "takeLogout",
    "takeLogoutByBrowser",
    "takeLogoutBySOAP",
    "getServiceMetadata",
    "endProviderLogout",
}

passed, complaints, calls = 0, [], 0
for path, item in description["paths"].items() if counted["statuses"] else ():
    for method, operation in item.items():
        label = f"{method.upper()} {path}"
        statuses = {int(code): count for code, count in counted["statuses"].get(label, {}).items()}
        calls += sum(statuses.values())
        answered = ", ".join(f"{code} × {count}" for code, count in sorted(statuses.items())) or "nothing"
        if counted["violations"].get(label):
            complaints.append(f"{label} does not keep to the description; it answered {answered}")
        elif not any(code < 400 or operation["operationId"] in CANNOT_SUCCEED for code in statuses):
            complaints.append(f"{label} was never seen to succeed; it answered {answered}")
        else:
            passed += 1
# It may also fail by itself, without an operation that does.
if status and not counted["violations"]:
    complaints.append(f"Schemathesis ended with {status}")
for complaint in complaints:
    print(complaint, file=sys.stderr)
print(f"{calls} calls of {len(description['paths'])} paths", file=sys.stderr)
print(f"{passed} passed, {len(complaints)} failed")
sys.exit(1 if complaints else 0)
