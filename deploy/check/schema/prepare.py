"""Makes callers for Schemathesis on a running demo server: credentials, a device that is signed in, its documents.

    prepare.py URL DEMO_FOLDER SCHEMA_FOLDER PHONE ACCOUNT PASSWORD

Writes callers.json, which hooks.py reads, and schemathesis.toml, which mixes the values that are good here among those
that are made up; and gives openapi.json an example of each operation, so that each is called well at least once.
"""

import base64
import hashlib
import hmac
import html
import json
import pathlib
import re
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

url, demo, schema, phone, account, password = sys.argv[1:]
demo, schema = pathlib.Path(demo), pathlib.Path(schema)

REQUESTOR, COMPATIBLE = "DEMO", "DEMO-CLASSIC"
PROVIDER, TRIAL = "DemoTV", "FreePreview"
SPARE, LEAVING, LOST, ENDED, OTHER = (
    hashlib.sha256(name).hexdigest() for name in (b"spare", b"leaving", b"lost", b"ended", b"other")
)
MRSS = "<rss><channel><title>Demo Two</title></channel></rss>"


def call(method, path, fields=None, headers=None, as_json=False):
    """Status, headers and body of the answer, whatever the status is."""
    body = None
    headers = dict(headers or {})
    if fields is not None and method == "POST":
        body = (json.dumps(fields) if as_json else urllib.parse.urlencode(fields)).encode()
        headers["Content-Type"] = "application/json" if as_json else "application/x-www-form-urlencoded"
    elif fields:
        path += "?" + urllib.parse.urlencode(fields)
    request = urllib.request.Request(url + path, data=body, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()


def expect(status, answer, what):
    if answer[0] != status:
        sys.exit(f"prepare.py: {what} was answered with {answer[0]} instead of {status}: {answer[2]}")
    return answer


def bearer(file):
    """Registers the application of a demo file and gets a token for it."""
    statement = json.loads(file.read_text())["softwareStatement"]
    fields = {"software_statement": statement}
    client = json.loads(expect(201, call("POST", "/o/client/register", fields, as_json=True), "registering")[2])
    fields = {
        "grant_type": "client_credentials",
        "client_id": client["client_id"],
        "client_secret": client["client_secret"],
    }
    token = json.loads(expect(201, call("POST", "/o/client/token", fields), "getting a token")[2])
    return client, statement, "Bearer " + token["access_token"]


def signed():
    """One header for every call of the compatible requestor, as deployed clients send it."""
    pair = json.loads((demo / "demo-key-pair.json").read_text())
    text = (
        f"POST requestor_id={COMPATIBLE}, nonce={uuid.uuid4()}, signature_method=HMAC-SHA1, "
        f"request_time={int(time.time() * 1000)}, request_uri=/regcode"
    )
    mac = hmac.new(pair["privateKey"].encode(), text.encode(), hashlib.sha1).digest()
    return f"{text}, public_key={pair['publicKey']}, signature={base64.b64encode(mac).decode()}"


def code(device, headers, requestor):
    answer = call("POST", f"/reggie/v1/{requestor}/regcode.json", {"deviceId": device, "ttl": "1800"}, headers)
    return json.loads(expect(201, answer, "asking for a code")[2])["code"]


def element(name, text):
    found = re.search(f"<{name}>(.+?)</{name}>", text)
    if not found:
        sys.exit(f"prepare.py: no {name} in {text}")
    return html.unescape(found.group(1))


def sign_in(device, headers):
    """Pairs a device as a person with a phone would."""
    used = code(device, headers, REQUESTOR)
    subprocess.run([phone, f"{url}/activate?code={used}", account, password], check=True)
    return used


def documents(device, used, headers):
    """The AuthN and the AuthZ document of a device that is signed in."""
    headers = {**headers, "ap_21": device}
    fields = {"requestor_id": REQUESTOR, "reg_code": used}
    answer = expect(200, call("POST", "/adobe-services/session", fields, headers), "asking for the session")
    authentication = element("authnToken", answer[2])
    fields = {"requestor_id": REQUESTOR, "resource_id": "Demo One", "authentication_token": authentication}
    answer = expect(200, call("POST", "/adobe-services/authorize", fields, headers), "authorizing with a document")
    return authentication, element("authzToken", answer[2])


def newest_other_box(authentication, headers):
    """What the viewer's list calls the box that was signed in last, beside the one that asks."""
    fields = {"requestor_id": REQUESTOR, "authentication_token": authentication}
    answer = call("POST", "/adobe-services/boxes", fields, {**headers, "ap_21": DEVICE})
    return json.loads(expect(200, answer, "listing the boxes")[2])["boxes"][1]["box"]


def record(device, operator):
    """What management calls the sign-in of a device."""
    answer = call("GET", "/management/v1/devices/records.json", {"deviceId": device}, {"Authorization": operator})
    return json.loads(expect(200, answer, "listing the records")[2])["signIns"][0]["id"]


client, statement, token = bearer(demo / "demo-application.json")
_, _, operator = bearer(demo / "demo-operator.json")
box = {"Authorization": token}

answer = call("POST", "/indiv/devices", {"fingerprint": "schema"}, box, as_json=True)
DEVICE = json.loads(expect(200, answer, "naming the device")[2])["deviceId"]
PASS = answer[1]["pass_sfp"]
used = sign_in(DEVICE, box)
authentication, authorization = documents(DEVICE, used, box)
fields = {"deviceId": DEVICE, "resource": "Demo One"}
expect(200, call("GET", "/api/v1/authorize.json", fields, box), "authorizing")
waiting = [code("schema-waiting", box, REQUESTOR) for _ in range(3)]

# What operations that end something may end, so that the others have their device to the last.
spare_authentication, _ = documents(SPARE, sign_in(SPARE, box), box)
leaving_authentication, _ = documents(LEAVING, sign_in(LEAVING, box), box)
sign_in(LOST, box)
sign_in(ENDED, box)
sign_in(OTHER, box)
other_box = newest_other_box(authentication, box)
spare_pair = json.loads((schema / "spare-key-pair.json").read_text())["publicKey"]
spare_client, _, _ = bearer(demo / "demo-application.json")
spare_application = json.loads((schema / "spare-application.json").read_text())["softwareID"]

for rule in ("authnAll", "authzAll", "authzNone"):
    fields = {"programmer": COMPATIBLE, "mvpd": TRIAL}
    answer = call("POST", f"/control/v3/degradation/demo/{rule}", fields, {"Authorization": operator})
    expect(200, answer, "adding a rule")

fields = {"requestor": COMPATIBLE}
answer = call("POST", "/management/v1/setup-codes.json", fields, {"Authorization": operator})
setup_code = json.loads(expect(200, answer, "making a set-up code")[2])["code"]

(schema / "callers.json").write_text(
    json.dumps({"bearer": token, "operator": operator, "signed": signed(), "compatibleRequestor": COMPATIBLE})
)

def sdk(*names):
    """Operations of the SDK services, by both forms of their paths."""
    return [form + name for name in names for form in ("sdk", "sdk1")]


# The columns of reports, in an order that any number of them may have.
DIMENSIONS = [
    "media-company", "year", "month", "day", "hour", "minute", "requestor-id", "proxy", "mvpd", "device", "platform",
    "os-family", "event", "dc", "nsdk", "eap",
]

# Parameters, the values that are good here, and how often these stand in for what is made up.
REPLACED = [
    (["requestor", "requestor_id"], 0.9, [REQUESTOR, REQUESTOR, COMPATIBLE]),
    # Rules for one brand leave the other's devices alone.
    (["programmer"], 0.9, [COMPATIBLE]),
    (["mvpd", "mso_id"], 0.8, [PROVIDER, TRIAL]),
    (["mvpd_id"], 0.9, [TRIAL]),
    (["code", "reg_code"], 0.7, [used, used.lower(), *waiting]),
    (["deviceId", "device_id", "ap_21"], 0.8, [DEVICE]),
    (["pass_sfp"], 0.9, ["", PASS]),
    (["resource", "resource_id"], 0.8, ["Demo One", "Demo Extra", MRSS]),
    (["format"], 0.5, ["json", "xml"]),
    (["start"], 0.7, ["", "2026", "2026-01-31T20:00:00Z"]),
    (["end"], 0.7, [""]),
    (["metrics"], 0.7, ["", "codes,media-tokens"]),
    *(([f"dimension{place + 1}"], 0.98, [name]) for place, name in enumerate(DIMENSIONS)),
    (["domain_name"], 0.9, ["demo.example"]),
    (["redirect_url"], 0.9, ["https://demo.example/back", "https://elsewhere.example/"]),
    (["deviceType"], 0.9, ["iOS", "tvOS"]),
    (["fingerprint"], 0.5, ["schema"]),
    (["software_statement"], 0.8, [statement]),
    (["grant_type"], 0.9, ["client_credentials"]),
    (["client_id"], 0.8, [client["client_id"]]),
    (["client_secret"], 0.8, [client["client_secret"]]),
    (["authentication_token"], 0.8, [authentication]),
    (["authz_token"], 0.8, [authorization]),
    (["rule"], 0.9, ["authnAll", "authzAll", "authzNone"]),
    (["ttl"], 0.7, ["1", "60", "36000", ""]),
    (["channel"], 0.5, ["Demo One", ""]),
    (["mediaCompany"], 0.5, ["demo"]),
    (["appId", "deviceUser", "generic_data", "session_guid"], 0.7, [""]),
    # Never a wait of more than a second: a poll that is held takes its time from all the others.
    (["Prefer"], 1.0, ["wait=0", "respond-async", "wait=x", 'return=minimal; foo="bar"', "handling=lenient", "wait=1"]),
]
AUTHENTICATE = [
    name + way for name in ("authenticate", "authenticateOfSDK", "authenticateOfSDK1") for way in ("", "ByForm")
]
PREAUTHORIZE = [name + way for name in ("preauthorize", "preauthorizeCode") for way in ("", "ByForm")]
# The same for single operations.
REPLACED_IN = [
    # Five parameters have to be good at once.
    (AUTHENTICATE, ["reg_code"], 0.95, waiting),
    (AUTHENTICATE, ["requestor_id"], 0.95, [REQUESTOR]),
    (AUTHENTICATE, ["mso_id"], 0.95, [PROVIDER]),
    (AUTHENTICATE, ["domain_name"], 0.95, ["demo.example"]),
    (AUTHENTICATE, ["redirect_url"], 0.95, ["https://demo.example/back", "https://www.demo.example/"]),
    # So do those of a session.
    (sdk("Session", "SessionDevice"), ["reg_code"], 0.95, [used]),
    (sdk("Session", "SessionDevice"), ["requestor_id"], 0.95, [REQUESTOR]),
    (sdk("Session", "SessionDevice"), ["ap_21", "device_id"], 0.95, [DEVICE]),
    # Always another code or device where one ends or is replaced.
    (["deleteCode", "deleteCodeOfCredential"], ["code"], 1.0, [code("schema-leaving", box, REQUESTOR)]),
    (["logout"], ["deviceId"], 1.0, [LEAVING]),
    (["deleteDeviceRecords"], ["deviceId"], 1.0, [LOST]),
    (["startTrial"], ["deviceId"], 1.0, ["schema-trial"]),
    (["exchangeProfileResponse"], ["deviceId"], 1.0, ["schema-platform"]),
    (sdk("Temporary", "Platform"), ["ap_21", "device_id"], 1.0, ["schema-trial"]),
    (sdk("Passive"), ["ap_21", "device_id"], 1.0, [SPARE]),
    (sdk("Passive"), ["authentication_token"], 0.9, [spare_authentication]),
    (sdk("Logout"), ["ap_21", "device_id"], 1.0, [LEAVING]),
    (sdk("Logout"), ["authentication_token"], 1.0, [leaving_authentication]),
    (sdk("Temporary", "Platform", "Passive", "Logout"), ["pass_sfp"], 0.9, [""]),
    (["startTrial", *sdk("Temporary")], ["mso_id"], 0.9, [TRIAL]),
    (["endDegradationRules"], ["mvpd"], 0.9, ["", TRIAL]),
    (["endDegradationRules"], ["resource", "channel"], 0.9, [""]),
    (["endSignIn"], ["id"], 0.5, [record(ENDED, operator)]),
    (sdk("BoxLogout"), ["box"], 0.7, [other_box]),
    # Good once; rarely, or the guesses of all the others would close the address.
    (["setUpBox"], ["setup_code"], 0.5, [setup_code]),
    (["issueSetUpCode"], ["ttl"], 0.9, ["", "60", "604800"]),
    (["revokeKeyPair"], ["publicKey"], 0.5, [spare_pair]),
    (["revokeApplication"], ["softwareId"], 0.5, [spare_application]),
    (["revokeClient"], ["clientId"], 0.5, [spare_client["client_id"]]),
    # Sign-ins of the brand that no box here signs in for.
    (["endSignIns"], ["requestor"], 1.0, [COMPATIBLE]),
    (["readAuditLog"], ["limit"], 0.3, ["2"]),
    (PREAUTHORIZE, ["resource"], 0.8, ["Demo One,Demo Extra", "a,b,c,d,e,f"]),
]


def toml(value):
    return json.dumps(value)


def everywhere(names):
    """Parameters of this name, and members of a body."""
    return [place + name for name in names for place in ("", "body.")]


def bound(name, number, probability):
    return f'{toml(name)} = {{ dictionary = "set{number}", probability = {probability} }}'


def good_values(operation):
    """What is good for the parameters of an operation: the first of each."""
    good = {name: values[0] for names, _, values in REPLACED for name in names}
    for ids, names, _, values in REPLACED_IN:
        if operation in ids:
            good.update((name, values[0]) for name in names)
    return {name: value for name, value in good.items() if value}


def with_examples(description):
    """The description with a good value for every parameter and member of a body that has one."""
    shared = description["components"]["parameters"]
    for item in description["paths"].values():
        for operation in item.values():
            good = good_values(operation["operationId"])
            parameters = []
            for parameter in operation.get("parameters", []):
                if "$ref" in parameter:
                    parameter = shared[parameter["$ref"].rsplit("/", 1)[1]]
                name = parameter["name"]
                parameters.append({**parameter, "example": good[name]} if name in good else parameter)
            operation["parameters"] = parameters
            for content in operation.get("requestBody", {}).get("content", {}).values():
                # A body in another form than fields, an envelope for instance, has none.
                names = content["schema"].get("properties", {})
                if not names:
                    continue
                content["example"] = {name: value for name, value in good.items() if name in names}
    return description


def configuration():
    lines = ['hooks = "hooks"', "warnings = false", "max-redirects = 0", "", "[phases.coverage]"]
    lines += ["unexpected-methods = []", "generate-duplicate-query-parameters = true"]
    # What an answer says is not for other calls: one would end what another needs.
    for phase in ("examples", "coverage", "fuzzing"):
        lines += [f"[phases.{phase}.extra-data-sources]", "responses = false"]
    sets, bindings = [], []
    for names, probability, values in REPLACED:
        sets.append(values)
        bindings += [bound(name, len(sets), probability) for name in everywhere(names)]
    # One block for each operation: of several that speak of it, one would count.
    operations = {}
    for ids, names, probability, values in REPLACED_IN:
        sets.append(values)
        for name in ids:
            operations.setdefault(name, []).extend(
                bound(parameter, len(sets), probability) for parameter in everywhere(names)
            )
    blocks = []
    for name, replaced in operations.items():
        blocks += ["[[operations]]", f"include-operation-id = [{toml(name)}]", "[operations.parameters]", *replaced]
    lines += ["[parameters]", *bindings, ""]
    for number, values in enumerate(sets, 1):
        lines += [f"[dictionaries.set{number}]", f"values = {toml(values)}"]
    return "\n".join([*lines, "", *blocks, ""])


(schema / "schemathesis.toml").write_text(configuration())
document = schema / "openapi.json"
document.write_text(json.dumps(with_examples(json.loads(document.read_text()))))
