// WebPages: the files of the second screen, embedded into the program that serves them. `pages/` holds templates,
// `assets/` what pages link to, `locales/` the sentences. It hands out bytes and does nothing with them: templates,
// languages and addresses are ServerAPI's.

/// One embedded file.
package struct WebFile: Sendable {
    /// The name without its folder, such as `layout.html`.
    package let name: String
    package let bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}

/// Every file of `web/`, by folder. A new file is listed here, or it is not served.
package enum WebFiles {
    package static let pages = [
        WebFile(name: "layout.html", bytes: PackageResources.layout_html),
        WebFile(name: "landing.html", bytes: PackageResources.landing_html),
        WebFile(name: "code.html", bytes: PackageResources.code_html),
        WebFile(name: "provider.html", bytes: PackageResources.provider_html),
        WebFile(name: "sign-in.html", bytes: PackageResources.sign_in_html),
        WebFile(name: "hand-over.html", bytes: PackageResources.hand_over_html),
        WebFile(name: "confirm.html", bytes: PackageResources.confirm_html),
        WebFile(name: "done.html", bytes: PackageResources.done_html),
        WebFile(name: "declined.html", bytes: PackageResources.declined_html),
        WebFile(name: "boxes-sign-in.html", bytes: PackageResources.boxes_sign_in_html),
        WebFile(name: "boxes-all.html", bytes: PackageResources.boxes_all_html),
        WebFile(name: "boxes.html", bytes: PackageResources.boxes_html),
        WebFile(name: "new-box.html", bytes: PackageResources.new_box_html),
        WebFile(name: "problem.html", bytes: PackageResources.problem_html),
        WebFile(name: "error-codes.html", bytes: PackageResources.error_codes_html),
    ]

    /// The operator's pages. Their names begin with `console-` where they are kept, as embedded files share one space.
    package static let console = [
        WebFile(name: "layout.html", bytes: PackageResources.console_layout_html),
        WebFile(name: "overview.html", bytes: PackageResources.console_overview_html),
        WebFile(name: "boxes.html", bytes: PackageResources.console_boxes_html),
        WebFile(name: "box.html", bytes: PackageResources.console_box_html),
        WebFile(name: "revoke.html", bytes: PackageResources.console_revoke_html),
        WebFile(name: "audit.html", bytes: PackageResources.console_audit_html),
        WebFile(name: "sign-in.html", bytes: PackageResources.console_sign_in_html),
        WebFile(name: "problem.html", bytes: PackageResources.console_problem_html),
    ]

    package static let consoleStyle = WebFile(name: "console.css", bytes: PackageResources.console_css)

    package static let assets = [
        WebFile(name: "latchkey.css", bytes: PackageResources.latchkey_css),
        WebFile(name: "latchkey.js", bytes: PackageResources.latchkey_js),
        WebFile(name: "picker.js", bytes: PackageResources.picker_js),
        WebFile(name: "handover.js", bytes: PackageResources.handover_js),
        WebFile(name: "check.js", bytes: PackageResources.check_js),
        WebFile(name: "reveal.js", bytes: PackageResources.reveal_js),
        WebFile(name: "more.css", bytes: PackageResources.more_css),
        WebFile(name: "passkey.js", bytes: PackageResources.passkey_js),
        WebFile(name: "favicon.svg", bytes: PackageResources.favicon_svg),
        WebFile(name: "logo.svg", bytes: PackageResources.logo_svg),
        WebFile(name: "pairing.svg", bytes: PackageResources.pairing_svg),
        WebFile(name: "done.svg", bytes: PackageResources.done_svg),
        WebFile(name: "declined.svg", bytes: PackageResources.declined_svg),
        WebFile(name: "trouble.svg", bytes: PackageResources.trouble_svg),
    ]

    package static let locales = [
        WebFile(name: "en.json", bytes: PackageResources.en_json),
        WebFile(name: "de.json", bytes: PackageResources.de_json),
        WebFile(name: "fr.json", bytes: PackageResources.fr_json),
        WebFile(name: "sv.json", bytes: PackageResources.sv_json),
        WebFile(name: "es.json", bytes: PackageResources.es_json),
        WebFile(name: "pt.json", bytes: PackageResources.pt_json),
        WebFile(name: "it.json", bytes: PackageResources.it_json),
        WebFile(name: "nl.json", bytes: PackageResources.nl_json),
        WebFile(name: "pl.json", bytes: PackageResources.pl_json),
        WebFile(name: "tr.json", bytes: PackageResources.tr_json),
        WebFile(name: "ja.json", bytes: PackageResources.ja_json),
        WebFile(name: "ar.json", bytes: PackageResources.ar_json),
    ]
}
