// Passkeys: asks the browser for one, and sends what it answers with a plain form. Where the browser has none to offer the
// form stays hidden, and the password is the way in.
"use strict";

// What a form cannot carry goes as Base64 for addresses, without padding.
const toText = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes ?? [])))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const toBytes = (text) => Uint8Array.from(
    atob(text.replaceAll("-", "+").replaceAll("_", "/")), (symbol) => symbol.charCodeAt(0));
const toCredentials = (texts) => texts.filter(Boolean).map((text) => ({ type: "public-key", id: toBytes(text) }));

// The passkeys of the account that was typed, for authenticators that cannot tell by themselves; without a name, or
// without an answer, the browser offers those it knows of.
async function listed(form) {
    const account = document.querySelector("#account")?.value;
    if (!account) return [];
    const fields = { form_token: form.elements.form_token.value, attempt: form.elements.attempt.value, account };
    const answer = await fetch(form.dataset.list, { method: "POST", body: new URLSearchParams(fields), cache: "no-store" });
    return answer.ok ? toCredentials((await answer.text()).split("\n")) : [];
}

// A browser that has a passkey here which needs no name is asked for it without a tap. It tells no server.
const mark = "latchkey-passkey";
function remember(isUsual) {
    try {
        if (isUsual) window.localStorage.setItem(mark, "yes");
        else window.localStorage.removeItem(mark);
    } catch {
        // A browser may keep nothing.
    }
}
function isUsual() {
    try {
        return window.localStorage.getItem(mark) !== null;
    } catch {
        return false;
    }
}

// Both give whether a passkey here needs no name; one that was asked for by a name leaves it as it was.
async function use(form) {
    const allowed = await listed(form);
    const { rawId, response } = await navigator.credentials.get({
        publicKey: {
            challenge: toBytes(form.dataset.challenge), rpId: form.dataset.party, userVerification: "required",
            allowCredentials: allowed, timeout: 300000,
        },
    });
    form.elements.credential.value = toText(rawId);
    form.elements.client_data.value = toText(response.clientDataJSON);
    form.elements.authenticator_data.value = toText(response.authenticatorData);
    form.elements.signature.value = toText(response.signature);
    form.elements.user_handle.value = toText(response.userHandle);
    return allowed.length === 0 || isUsual();
}

async function make(form) {
    const { account, challenge, handle, known, party, service } = form.dataset;
    const made = await navigator.credentials.create({
        publicKey: {
            challenge: toBytes(challenge), rp: { id: party, name: service },
            user: { id: toBytes(handle), name: account, displayName: account },
            // EdDSA, ES256, RS256.
            pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: "public-key", alg })),
            authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
            attestation: "none", extensions: { credProps: true }, excludeCredentials: toCredentials(known.split(" ")), timeout: 120000,
        },
    });
    form.elements.client_data.value = toText(made.response.clientDataJSON);
    form.elements.attestation.value = toText(made.response.attestationObject);
    return made.getClientExtensionResults().credProps?.rk === true;
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
    // A passkey is bound to the public address; under another one the browser would refuse it.
    if (!window.PublicKeyCredential || window.location.origin !== form.dataset.origin) continue;
    const sorry = form.querySelector(".alert");
    form.hidden = false;
    // A page that comes back from the browser's memory may be used again; the server says whether its question is good.
    window.addEventListener("pageshow", () => form.removeAttribute("aria-busy"));
    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (form.getAttribute("aria-busy") === "true") return;
        form.setAttribute("aria-busy", "true");
        sorry.hidden = true;
        try {
            remember(await (form.dataset.passkey === "use" ? use(form) : make(form)));
            // Sent without another submit event.
            form.submit();
        } catch {
            // Cancelled, too late, or no passkey here: the browser does not say which.
            remember(false);
            form.removeAttribute("aria-busy");
            sorry.hidden = false;
        }
    });
    // Once on the way here: not after Back, a reload, or a refusal.
    const [arrival] = performance.getEntriesByType("navigation");
    const isFirst = arrival?.type === "navigate" && !document.querySelector("[aria-invalid], #sign-in-problem");
    if (form.dataset.passkey === "use" && isFirst && isUsual()) form.requestSubmit?.();
}
