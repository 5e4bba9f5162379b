// Makes the pages quicker to use. Without it everything still works.
"use strict";

// Groups the code while it is typed at the end of the field: 7KQ-4M2X.
for (const field of document.querySelectorAll("input[data-group]")) {
    field.addEventListener("input", (event) => {
        const typing = event.inputType === undefined || event.inputType.startsWith("insert");
        if (!typing || field.selectionStart !== field.value.length) return;
        // Full-width letters of Japanese keyboards, any dash, and what only looks like a symbol of a code.
        const plain = field.value.normalize("NFKC").toUpperCase().replace(/[\s\p{Pd}]+/gu, "")
            .replace(/[1I]/g, "L").replace(/[0O]/g, "Q").replace(/U/g, "V");
        if (/[^0-9A-Z]/.test(plain)) return;
        const head = plain.length === 8 ? 4 : 3;
        field.value = plain.length > head ? `${plain.slice(0, head)}-${plain.slice(head)}` : plain;
    });
}

// What was typed wrongly is ready to be typed over.
document.querySelector("input[data-group][aria-invalid]")?.select();

// A second tap on a slow line sends nothing. The button itself stays enabled, or its value would not be sent.
for (const form of document.querySelectorAll("form[data-once]")) {
    form.addEventListener("submit", (event) => {
        if (form.getAttribute("aria-busy") === "true") event.preventDefault();
        form.setAttribute("aria-busy", "true");
        // A viewer who stopped the page from loading may try again.
        setTimeout(() => form.removeAttribute("aria-busy"), 10_000);
    });
}

// A page that comes back from the browser's memory may be used again, and one that asks for a decision is asked for
// again: the decision may have been taken.
window.addEventListener("pageshow", (event) => {
    for (const form of document.querySelectorAll("form[data-once]")) form.removeAttribute("aria-busy");
    if (event.persisted && document.querySelector("form[data-fresh]")) window.location.reload();
});

// A menu that is open closes with a tap elsewhere.
document.addEventListener("click", ({ target }) => {
    for (const menu of document.querySelectorAll(".languages[open]")) menu.open = menu.contains(target);
});

// The server does not know the viewer's time zone; the browser does.
for (const time of document.querySelectorAll("time[datetime]")) {
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.valueOf())) continue;
    const isToday = moment.toDateString() === new Date().toDateString();
    const style = isToday ? { timeStyle: "short" } : { dateStyle: "long", timeStyle: "short" };
    time.textContent = new Intl.DateTimeFormat(document.documentElement.lang, style).format(moment);
}

// Browsers know what countries are called in the language of the page.
const lands = document.querySelectorAll("[data-region]");
if (lands.length > 0 && Intl.DisplayNames) {
    const names = new Intl.DisplayNames(document.documentElement.lang, { type: "region", fallback: "none" });
    for (const land of lands) land.textContent = names.of(land.dataset.region) ?? land.textContent;
}

// A form that is for a provider sends itself. A viewer who comes back by the Back button stays.
const [arrival] = performance.getEntriesByType("navigation");
if (arrival === undefined || arrival.type !== "back_forward") {
    for (const form of document.querySelectorAll("form[data-send]")) (form.requestSubmit ?? form.submit).call(form);
}
