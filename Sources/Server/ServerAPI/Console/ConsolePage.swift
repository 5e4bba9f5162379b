import Clientless
import Entitlement
import FoundationEssentials
import HTTPServer

/// A page of the console: its heading, and what stands below.
struct ConsolePage: Sendable {
    /// Where the pages are.
    enum Path {
        static let overview = "/"
        static let boxes = "/boxes"
        static let endSignIns = "/boxes/sign-out"
        static let audit = "/audit"
        static let cancel = "/codes/cancel"
        static let signIn = "/sign-in"
        static let signOut = "/sign-out"
    }

    let title: String
    let body: Markup
    var status = HTTPStatus.ok

    /// The whole document.
    /// - Parameters:
    ///   - path: of this page, for the navigation; `nil` on one that has none.
    ///   - signOut: the token of the form that signs out; `nil` for an operator who did not sign in.
    func document(at path: String?, signOut: FormToken?, style: String, icon: String, now: Timestamp) -> String {
        let markup: Markup = """
            <!DOCTYPE html>
            <html lang="en" dir="ltr">
            <head>
            <meta charset="utf-8" />
            <title>\(self.title) · Latchkey console</title>
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <meta name="color-scheme" content="light dark" />
            <meta name="robots" content="noindex" />
            <link rel="icon" href="\(icon)" type="image/svg+xml" />
            <link rel="stylesheet" href="\(style)" />
            <link rel="stylesheet" href="\(ConsoleStyle.path)" />
            </head>
            <body>
            <a class="skip" href="#content">Skip to the content</a>
            <header class="top">
            <a class="brand" href="\(Path.overview)"><img src="\(icon)" alt="" height="32" /><span>Latchkey \
            console</span></a>
            \(path.map { Self.navigation(at: $0, signOut) } ?? "")
            </header>
            <main id="content" tabindex="-1">
            <h1>\(self.title)</h1>
            \(self.body)
            </main>
            <footer class="bottom"><p>As of \(ConsoleTime.markup(now)). Reload the page for what came since.</p></footer>
            </body>
            </html>

            """
        return markup.text
    }

    private static func navigation(at path: String, _ signOut: FormToken?) -> Markup {
        let links = [(Path.overview, "Overview"), (Path.boxes, "Boxes"), (Path.audit, "Audit")].map {
            to, name -> Markup in
            let current: Markup = to == path ? " aria-current=\"page\"" : ""
            return "<li><a href=\"\(to)\"\(current)>\(name)</a></li>"
        }
        let leave: Markup =
            signOut.map { token in
                """
                <li><form method="post" action="\(Path.signOut)">\(ConsoleForm.token(token))<button>Sign \
                out</button></form></li>
                """
            } ?? ""
        return "<nav aria-label=\"Console\"><ul>\(Markup(links))\(leave)</ul></nav>"
    }

    /// What stands there when something is not as it should be.
    static func problem(_ title: String, _ sentence: String, _ status: HTTPStatus) -> ConsolePage {
        ConsolePage(
            title: title,
            body: """
                <div class="card narrow"><p class="alert" role="alert">\(sentence)</p>
                <p class="actions"><a class="button" href="\(Path.overview)">To the overview</a></p></div>
                """, status: status)
    }

    /// - Parameter refusal: why signing in failed; `nil` at first.
    static func signIn(_ token: FormToken, refusal: String? = nil, status: HTTPStatus = .ok) -> ConsolePage {
        let alert: Markup = refusal.map { "<p class=\"alert\" role=\"alert\">\($0)</p>" } ?? ""
        return ConsolePage(
            title: "Sign in",
            body: """
                <form class="card narrow" method="post" action="\(Path.signIn)">
                \(alert)\(ConsoleForm.token(token))
                <p class="lead">With the client of an application that has the scope devices:owner and all requestors.</p>
                <label for="client">Client ID</label>
                <input type="text" id="client" name="client" required="required" maxlength="256" \
                autocomplete="username" autocapitalize="none" spellcheck="false" />
                <label for="secret">Client secret</label>
                <input type="password" id="secret" name="secret" required="required" maxlength="256" \
                autocomplete="current-password" />
                <p class="actions"><button class="button" type="submit">Sign in</button></p>
                </form>
                """, status: status)
    }
}

/// Parts of the console's forms.
enum ConsoleForm {
    static func token(_ token: FormToken) -> Markup { self.hidden(FormToken.field, token.text) }

    static func hidden(_ name: String, _ value: String) -> Markup {
        "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\" />"
    }

    /// A field that may stay empty.
    static func field(_ name: String, _ label: String, _ value: String, atMost bytes: Int) -> Markup {
        """
        <div><label for="\(name)">\(label)</label>
        <input type="text" id="\(name)" name="\(name)" value="\(value)" maxlength="\(bytes)" autocapitalize="none" \
        autocomplete="off" spellcheck="false" /></div>
        """
    }
}

/// Moments as the console writes them.
enum ConsoleTime {
    /// `2026-01-31 20:00:00 UTC`.
    static func markup(_ moment: Timestamp) -> Markup {
        let text = self.text(moment)
        let day = String(decoding: text.utf8.prefix(10), as: UTF8.self)
        let clock = String(decoding: text.utf8.dropFirst(11).prefix(8), as: UTF8.self)
        return "<time datetime=\"\(text)\">\(day) \(clock) UTC</time>"
    }

    /// `2026-01-31T20:00:00Z` (RFC 3339).
    static func text(_ moment: Timestamp) -> String {
        Date(timeIntervalSince1970: Double(moment.seconds)).formatted(.iso8601)
    }

    /// A span in its largest unit, rounded down: `3 min`.
    static func span(_ duration: Duration) -> String {
        let seconds = max(0, duration.wholeMilliseconds / 1000)
        return switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) min"
        case ..<86_400: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) d"
        }
    }
}
