// Finds one of many TV providers: by any word of its name, and by what was picked here last time. Without it the list
// is plain, and as long as it is.
"use strict";

const key = "latchkey-provider";
const list = document.querySelector("ul.providers");
const finder = document.querySelector(".finder");
const items = list ? [...list.children] : [];

// Letters without accents, in lower case; those that are no letter with an accent by themselves are told one by one.
const plain = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", ł: "l", ı: "i", þ: "th" };
const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase("en")
    .replace(/[ßæœøđðłıþ]/g, (letter) => plain[letter]);
const words = (text) => fold(text).split(/[^\p{L}\p{N}]+/u).filter(Boolean);

// The page of a finished sign-in has kept it (handover.js).
function remembered() {
    try {
        return window.localStorage.getItem(key);
    } catch {
        return null;
    }
}
const last = items.find((item) => item.querySelector("button").value === remembered());
if (last && !last.querySelector(".chosen")) {
    const note = document.createElement("small");
    note.textContent = list.dataset.last;
    last.querySelector(".provider-name").append(" ", note);
    last.querySelector("button").classList.add("chosen");
    const first = items[0].querySelector(".chosen") && items[0] !== last ? items[0].nextSibling : list.firstChild;
    // The letter that led to it leads to the next one of that letter, if there is one.
    const next = last.nextElementSibling;
    if (last.id && next && !next.id) [next.id, last.id] = [last.id, ""];
    list.insertBefore(last, first);
}

if (finder && items.length > 1) {
    finder.hidden = false;
    const field = finder.querySelector("input");
    const none = document.querySelector(".no-match");
    const order = [...list.children].map((item) => {
        const name = item.querySelector(".provider-name").firstChild.textContent;
        // Who has no umlauts on the keyboard types an e behind the letter.
        const spelt = [name, name.normalize("NFC").replace(/[äöü]/gi, "$&e")].map(words);
        return { item, spellings: spelt.map((own) => ({ own, initials: own.map((word) => word[0]).join("") })) };
    });

    // How well an entry fits, best first: 0 its name begins so, 1 a word of it, 2 its initials, 3 somewhere within.
    const fit = ({ own, initials }, wanted) => {
        const name = own.join(" ");
        if (name.startsWith(wanted.join(" "))) return 0;
        if (wanted.every((part) => own.some((word) => word.startsWith(part)))) return 1;
        if (wanted.length === 1 && initials.startsWith(wanted[0])) return 2;
        if (wanted.every((part) => name.includes(part))) return 3;
        return 4;
    };
    const search = () => {
        const wanted = words(field.value);
        const ranks = order.map((entry) => 
            wanted.length ? Math.min(...entry.spellings.map((spelling) => fit(spelling, wanted))) : 0);
        order.forEach(({ item }, place) => { item.hidden = ranks[place] === 4; });
        const found = order.map(({ item }, place) => ({ item, place })).filter(({ item }) => !item.hidden)
            .sort((one, other) => ranks[one.place] - ranks[other.place] || one.place - other.place);
        list.prepend(...found.map(({ item }) => item));
        none.hidden = found.length > 0;
        document.querySelector(".letters")?.toggleAttribute("hidden", wanted.length > 0);
    };
    field.addEventListener("input", search);
    // Enter takes the only one that is left, and otherwise goes to the first.
    field.addEventListener("keydown", (event) => {
        // The Enter that ends a composition of Japanese letters is none; in Safari its code alone says so.
        if (event.key !== "Enter" || event.isComposing || event.keyCode === 229) return;
        event.preventDefault();
        const left = [...list.querySelectorAll("li:not([hidden]) button")];
        if (left.length === 1) left[0].click();
        else left[0]?.focus();
    });
    // A browser that comes back keeps what was typed.
    if (field.value) search();
}
