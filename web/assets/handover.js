// Tells on the page of a finished login that the TV has answered: asks the server, which holds its answer until then.
"use strict";

const answers = document.querySelector("[data-answer]");

// Shows one of the sentences that the page has for it.
function show(name) {
    for (const sentence of answers.querySelectorAll(".answer")) sentence.hidden = !sentence.classList.contains(name);
}

// One answer held for so long, and a sentence for a TV that stays silent; it may still answer after that.
async function wait() {
    const start = Date.now();
    const silent = window.setTimeout(() => show("silent"), 45000);
    while (Date.now() - start < 600000) {
        let word = "";
        try {
            const answer = await fetch(answers.dataset.answer, {
                cache: "no-store", headers: { Prefer: "wait=50" }, signal: AbortSignal.timeout(70000),
            });
            word = answer.ok ? await answer.text() : "";
        } catch {
            // Offline for a while, perhaps.
        }
        if (word === "ready" || word === "unknown") {
            window.clearTimeout(silent);
            return show(word === "ready" ? "ready" : "silent");
        }
        if (word === "") await new Promise((done) => window.setTimeout(done, 3000));
    }
}

if (answers) wait();
