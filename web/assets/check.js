// Asks whether a code is one as soon as it is typed completely. The button says the same; without this it says it first.
"use strict";

const field = document.querySelector("input[data-complete]");
const form = field?.closest("form");
const sentences = document.querySelectorAll("[data-check]");
// What was asked last: a code is asked about once.
let asked = "";

// Shows one of the sentences that the page has, or none.
function show(word) {
    for (const sentence of sentences) sentence.hidden = sentence.dataset.check !== word;
    if (word === "good") field.removeAttribute("aria-invalid");
}

async function check() {
    const plain = field.value.normalize("NFKC").toUpperCase().replace(/[^0-9A-Z]/g, "");
    if (plain !== asked) show("");
    if (plain.length !== Number(field.dataset.complete) || plain === asked) return;
    asked = plain;
    try {
        const answer = await fetch("/activate/check", {
            method: "POST", body: new URLSearchParams(new FormData(form)), cache: "no-store",
            signal: AbortSignal.timeout?.(10000),
        });
        const word = answer.ok ? await answer.text() : "";
        if (plain === asked) show(word);
    } catch {
        // Offline for a while, perhaps; the button asks again.
    }
}

if (form) {
    field.addEventListener("input", (event) => {
        const now = field.value.normalize("NFKC").toUpperCase().replace(/[^0-9A-Z]/g, "");
        if (now !== asked) asked = "";
        if (!event.isComposing) check();
    });
}
