#!/usr/bin/python3
"""An identity provider made of lasso, independent of ours: writes SAML responses as a real one would send them.

    identity_provider.py FOLDER

FOLDER holds idp.key, idp.crt and sp.crt (PEM), and scenarios.json: response name -> what is special about it. Writes
idp.xml, the metadata of the identity provider, and NAME.xml for every response.
"""

import base64
import json
import pathlib
import sys

import lasso

ISSUER = "https://idp.provider.example/saml"
AUDIENCE = "https://sp.latchkey.example/saml"
RECIPIENT = "https://sp.latchkey.example/sp/saml/SAMLAssertionConsumer"
METADATA = "urn:oasis:names:tc:SAML:2.0:metadata"
PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol"
POST = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"

folder = pathlib.Path(sys.argv[1])


def read(name):
    return (folder / name).read_text()


def key_descriptor(use, certificate):
    body = "".join(certificate.split("-----")[2].split())
    return (
        f'<KeyDescriptor use="{use}"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>'
        f"<ds:X509Certificate>{body}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>"
    )


def idp_metadata():
    return (
        f'<EntityDescriptor xmlns="{METADATA}" entityID="{ISSUER}"><!-- made by a test -->'
        f'<IDPSSODescriptor protocolSupportEnumeration="{PROTOCOL}">{key_descriptor("signing", read("idp.crt"))}'
        f'<SingleSignOnService Binding="{POST}" Location="https://idp.provider.example/sso"/>'
        "</IDPSSODescriptor></EntityDescriptor>"
    )


def sp_metadata(audience, recipient):
    return (
        f'<EntityDescriptor xmlns="{METADATA}" entityID="{audience}">'
        f'<SPSSODescriptor protocolSupportEnumeration="{PROTOCOL}" WantAssertionsSigned="true">'
        f'{key_descriptor("signing", read("sp.crt"))}{key_descriptor("encryption", read("sp.crt"))}'
        f'<AssertionConsumerService Binding="{POST}" Location="{recipient}" index="0" isDefault="true"/>'
        "</SPSSODescriptor></EntityDescriptor>"
    )


def attribute(name, values, strange=None):
    result = lasso.Saml2Attribute()
    result.name = name
    result.nameFormat = lasso.SAML2_ATTRIBUTE_NAME_FORMAT_BASIC
    nodes = []
    for value in values:
        text = lasso.MiscTextNode.newWithString(value)
        text.textChild = True
        node = lasso.Saml2AttributeValue()
        node.any = [lasso.MiscTextNode.newWithXmlNode(strange)] if strange else [text]
        nodes.append(node)
    result.attributeValue = nodes
    return result


def respond(name, scenario):
    audience = scenario.get("audience", AUDIENCE)
    recipient = scenario.get("recipient", RECIPIENT)
    signs_assertion = scenario.get("signAssertion", True)
    key, certificate = scenario.get("key", "idp.key"), scenario.get("certificate", "idp.crt")
    server = lasso.Server.newFromBuffers(idp_metadata(), read(key), None, read(certificate))
    if scenario.get("sha1"):
        server.signatureMethod = lasso.SIGNATURE_METHOD_RSA_SHA1
    else:
        server.signatureMethod = lasso.SIGNATURE_METHOD_RSA_SHA256
    server.addProviderFromBuffer(lasso.PROVIDER_ROLE_SP, sp_metadata(audience, recipient))
    provider = server.providers[audience]
    if scenario.get("encrypt"):
        provider.setEncryptionMode(lasso.ENCRYPTION_MODE_ASSERTION)
        provider.setKeyEncryptionMethod(lasso.KEY_ENCRYPTION_METHOD_OAEP)

    login = lasso.Login(server)
    login.initIdpInitiatedAuthnRequest(audience)
    login.request.protocolBinding = POST
    login.request.nameIdPolicy.format = lasso.SAML2_NAME_IDENTIFIER_FORMAT_UNSPECIFIED
    login.processAuthnRequestMsg(None)
    if scenario.get("denied"):
        try:
            login.validateRequestMsg(False, True)
        except lasso.LoginRequestDeniedError:
            pass
    else:
        login.validateRequestMsg(True, True)
        start, end = scenario["notBefore"], scenario["notOnOrAfter"]
        login.buildAssertion(lasso.SAML2_AUTHN_CONTEXT_PASSWORD, start, None, start, end)
        fill(login.assertion, scenario)
        if scenario.get("encryptName"):
            hide_name(login.assertion.subject, provider, scenario)
    if not signs_assertion and not scenario.get("denied"):
        assertion = unsigned(login.assertion)
        if scenario.get("encrypt"):
            login.response.assertion = []
            login.response.encryptedAssertion = [provider.saml2NodeEncrypt(assertion)]
        else:
            login.response.assertion = [assertion]
    hint = lasso.PROFILE_SIGNATURE_HINT_FORCE if scenario.get("signResponse") else lasso.PROFILE_SIGNATURE_HINT_FORBID
    login.setSignatureHint(hint)
    login.buildAuthnResponseMsg()
    (folder / f"{name}.xml").write_bytes(base64.b64decode(login.msgBody))


def fill(assertion, scenario):
    """What the embedder of an identity provider says of the viewer."""
    if scenario.get("nameID") is None:
        assertion.subject.nameId = None
    else:
        assertion.subject.nameId.content = scenario["nameID"]
    confirmation = assertion.subject.subjectConfirmation.subjectConfirmationData
    confirmation.recipient = scenario.get("recipient", RECIPIENT)
    if "confirmedUntil" in scenario:
        confirmation.notOnOrAfter = scenario["confirmedUntil"]
    if "issuer" in scenario:
        assertion.issuer.content = scenario["issuer"]
    if scenario.get("unrestricted"):
        assertion.conditions.audienceRestriction = []
    statement = assertion.authnStatement[0]
    statement.sessionIndex = scenario.get("sessionIndex")
    statement.sessionNotOnOrAfter = scenario.get("sessionNotOnOrAfter")
    attributes = lasso.Saml2AttributeStatement()
    strange = scenario.get("strangeValue")
    attributes.attribute = [attribute(*item, strange) for item in scenario.get("attributes", {}).items()]
    assertion.attributeStatement = [attributes] if attributes.attribute else []


def hide_name(subject, provider, scenario):
    """The viewer's name, encrypted for the service."""
    provider.setKeyEncryptionMethod(lasso.KEY_ENCRYPTION_METHOD_OAEP)
    hidden = subject.subjectConfirmation if scenario.get("hidesOther") else subject.nameId
    subject.encryptedId = provider.saml2NodeEncrypt(hidden)
    subject.nameId = None


def unsigned(assertion):
    """The same assertion without what makes lasso sign it."""
    copy = lasso.Saml2Assertion()
    for field in ["id", "version", "issueInstant", "issuer", "subject", "conditions", "authnStatement",
                  "attributeStatement"]:
        setattr(copy, field, getattr(assertion, field))
    return copy


(folder / "idp.xml").write_text(idp_metadata())
for scenario_name, options in json.loads(read("scenarios.json")).items():
    respond(scenario_name, options)
