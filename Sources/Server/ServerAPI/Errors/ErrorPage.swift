import HTTPServer

/// An error for a person in front of a browser: the same words as the document, in a page without anything that loads
/// (rest-v1 13.1, 24.3).
enum ErrorPage {
    static let contentType = "text/html; charset=utf-8"
    /// The page may run and load nothing, whatever got into the sentence.
    static let policy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

    static func bytes(of error: WireError) -> [UInt8] {
        self.bytes(
            title: "\(error.status.code) \(error.status.reason)", "<p>\(HTML(escaping: error.message).markup)</p>")
    }

    /// A code that cannot be used, reached from a programmer's page: what to do now, and the way back to that page.
    ///
    /// It says the same of a code that is over, used or unknown: a guesser learns nothing.
    static func ofUnusableCode(_ error: WireError, returningTo address: String) -> [UInt8] {
        self.bytes(
            title: "This code cannot be used",
            """
            <p>It was used already, or its time is over. Ask your TV for a new code, then enter that one.</p>\
            <p><a href="\(HTML(escaping: address).markup)">Go back</a></p><p>\(HTML(escaping: error.message).markup)</p>
            """)
    }

    /// The page for a viewer whom an unknown site sent to sign in: nothing is looked up until the viewer goes on.
    /// - Parameter address: where to.
    static func ofUnknownSite(goingOnAt address: String) -> [UInt8] {
        self.bytes(
            title: "Sign in on your TV?",
            """
            <p>Another site sent you here to sign a TV in. Go on only if you typed the code that your own TV shows.</p>\
            <p><a href="\(HTML(escaping: address).markup)">Go on</a></p>
            """)
    }

    private static func bytes(title: String, _ content: String) -> [UInt8] {
        let title = HTML(escaping: title).markup
        let page = """
            <!DOCTYPE html><html lang="en"><head><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width, initial-scale=1">\
            <meta name="color-scheme" content="light dark"><title>\(title)</title></head>\
            <body><h1>\(title)</h1>\(content)</body></html>

            """
        return Array(page.utf8)
    }
}
