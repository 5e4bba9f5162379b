import HTTPServer

/// Where a form was sent from, as far as the browser says.
enum FormOrigin {
    /// Whether nothing says that `request` came from a foreign page.
    ///
    /// `Sec-Fetch-Site` cannot be forged by a page, and decides where it is sent. Our pages send no referrer, for which
    /// browsers write `Origin: null` on their forms (Fetch, "append a request Origin header"); that says nothing, and
    /// the form's token has to do. Any other origin must be the host the request was sent to.
    static func isOurs(_ request: HTTPRequest) -> Bool {
        if let site = request.headers["Sec-Fetch-Site"] { return site == "same-origin" }
        guard let origin = request.headers["Origin"], origin != "null" else { return true }
        guard let host = request.headers["Host"] else { return false }
        return ["http://\(host)", "https://\(host)"].contains { $0.lowercased() == origin.lowercased() }
    }
}
