import Clientless

// Answers that many operations have.
extension APIAnswer {
    /// How an operation's errors are worded (rest-v1 8.1).
    enum Family: Sendable {
        /// Without `details`.
        case authentication
        /// `details` is always there, as text or null.
        case authorization
    }

    /// An error document.
    /// - Parameter families: more than one where more than one of the server's parts may answer so.
    static func error(_ status: Int, _ text: String, _ families: Family..., headers: [Header] = []) -> APIAnswer {
        APIAnswer(status, text, self.errorContent(status, families), headers: headers)
    }

    /// The JSON and XML of an error; the document repeats the status.
    private static func errorContent(_ status: Int, _ families: [Family]) -> [Content] {
        let name =
            switch (families.contains(.authentication), families.contains(.authorization)) {
            case (true, true): "AnyError"
            case (_, true): "DetailedError"
            case (_, false): "Error"
            }
        return [.json(.named("\(name)\(status)")), .xml(.named("ErrorDocument\(status)"))]
    }

    /// A document in both forms.
    static func document(
        _ status: Int, _ text: String, json: String, xml: String? = nil, headers: [Header] = [],
        caching: String = Answer.uncached
    ) -> APIAnswer {
        APIAnswer(status, text, [.json(.named(json)), .xml(.named(xml ?? json))], headers: headers, caching: caching)
    }

    static func object<Value>(_ text: String, _ root: XMLName, _ shape: Shape<Value>) -> APIAnswer {
        APIAnswer(200, text, [.json(shape.schema(.json)), .xml(shape.schema(.xml).element(root))])
    }

    /// An error a person may be looking at, unless a program named a form.
    static func pageOrError(_ status: Int, _ text: String, headers: [Header] = []) -> APIAnswer {
        APIAnswer(status, text, self.errorContent(status, [.authentication]) + [.html], headers: headers)
    }

    /// A page for a person, or the way to one; not described.
    static func page(_ status: Int) -> APIAnswer { APIAnswer(status, "For a person.", [.html], caching: nil) }

    static func empty(_ status: Int, _ text: String) -> APIAnswer { APIAnswer(status, text) }

    static let unauthorized = APIAnswer(
        401, "No credential, or one that is not good: get a new token, or sign anew.",
        errorContent(401, [.authentication]), headers: [.challenge], component: "Unauthorized")

    /// Of every operation with a body; no face is asked before.
    static let tooLarge = APIAnswer(
        413, "A body longer than the server reads. A page for people who ask for one.",
        errorContent(413, [.authentication]) + [.html], component: "TooLarge")

    /// Of every operation with a query; the connection answers before an endpoint reads the call, without common headers.
    static let uriTooLong = APIAnswer(
        status: 414, text: "A query longer than the server reads; with its header fields, some 60 KiB.", content: [],
        headers: [], component: "URITooLong")

    static let tooManyRequests = APIAnswer(
        429, "Too many calls. A page where the call names no form.",
        errorContent(429, [.authentication, .authorization]) + [.html], headers: [.retryAfter],
        component: "TooManyRequests")

    static let serverError = APIAnswer(
        500, "The server's own fault; its log names the request.",
        errorContent(500, [.authentication, .authorization]),
        component: "ServerError")

    static let unavailable = APIAnswer(
        503, "The store does not answer.", errorContent(503, [.authentication, .authorization]),
        headers: [.retryAfter], component: "Unavailable")

    static let components =
        [tooLarge, uriTooLong, unauthorized, tooManyRequests, serverError, unavailable] + sdkComponents

    /// The answers that any operation may give.
    static let always = [tooManyRequests, serverError, unavailable]

    /// The failures of a device's call.
    /// - Parameters:
    ///   - invalid: what makes it 400.
    ///   - forbidden: what makes it 403 beside the credential.
    static func device(invalid: String, forbidden: String? = nil, _ family: Family = .authentication) -> [APIAnswer] {
        let credential = "The credential may not speak for this requestor, or not at all any more."
        let families: [Family] = family == .authentication ? [.authentication] : [.authentication, .authorization]
        return [
            APIAnswer(400, invalid, self.errorContent(400, families)), .unauthorized,
            APIAnswer(
                403, forbidden.map { "\($0) Or: \(credential)" } ?? credential, self.errorContent(403, families)),
        ] + self.always
    }

    /// A page calls that is of no domain which the requestor, or the operator, admits.
    static let foreignOrigin = pageOrError(403, "The page that calls is of no registered domain.")

    /// For minutes (rest-v1 3.6).
    static let kept = "max-age=300"
    static let missing = "A parameter is missing or of no use; the message names it."
}
