// On the page of a finished login: tells that the TV has answered, which it asks the server, and keeps the provider.
"use strict";

const answers = document.querySelector("[data-answer]");

// Shows one of the sentences that the page has for it.
function show(name) {
    for (const sentence of answers.querySelectorAll(".answer")) sentence.hidden = !sentence.classList.contains(name);
}

let end = 0;
let asks = false;

// One answer held for so long, and a sentence for a TV that stays silent; it may still answer after that.
// A page that is looked at again asks on, until it was told.
async function wait() {
    end = Date.now() + 600000;
    if (asks) return;
    asks = true;
    const silent = window.setTimeout(() => show("silent"), 45000);
    while (Date.now() < end) {
        let word = "";
        let pause = 3000;
        try {
            const answer = await fetch(answers.dataset.answer, {
                cache: "no-store", headers: { Prefer: "wait=50" }, signal: AbortSignal.timeout?.(70000),
            });
            word = answer.ok ? await answer.text() : "";
            // A full server holds no answer.
            if (answer.headers.has("Preference-Applied")) pause = 0;
        } catch {
            // Offline for a while, perhaps.
        }
        if (word === "ready" || word === "unknown") {
            window.clearTimeout(silent);
            // A server that does not know the login any more knows nothing of its TV.
            return show(word === "ready" ? "ready" : "");
        }
        await new Promise((done) => window.setTimeout(done, pause));
    }
    window.clearTimeout(silent);
    asks = false;
}

// The provider that signed a TV in comes first next time. This phone alone remembers it; the server is not told.
const { provider } = document.querySelector("[data-provider]")?.dataset ?? {};
try {
    if (provider) window.localStorage.setItem("latchkey-provider", provider);
} catch {
    // A browser may keep nothing.
}

if (answers) {
    wait();
    document.addEventListener("visibilitychange", () => document.hidden || wait());
}
