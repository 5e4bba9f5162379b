// Shows a password while its box is ticked. Without this there is no such box.
"use strict";

for (const box of document.querySelectorAll("input[data-reveal]")) {
    const field = document.getElementById(box.dataset.reveal);
    box.closest("[hidden]").hidden = false;
    box.checked = false;
    box.addEventListener("change", () => { field.type = box.checked ? "text" : "password"; });
    // Browsers offer to keep what is sent as a password only.
    field.form.addEventListener("submit", () => { field.type = "password"; });
}
