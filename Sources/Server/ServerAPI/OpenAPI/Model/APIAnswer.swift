import Clientless

/// One status an operation may answer with, and what comes with it.
struct APIAnswer: Sendable {
    struct Header: Sendable {
        let name: String
        let schema: JSONSchema
        let text: String
        /// Whether every such answer has it.
        let isAlways: Bool
        /// The component's name, if the header is one of the components.
        let component: String?

        static func always(_ name: String, _ schema: JSONSchema, _ text: String, component: String? = nil) -> Header {
            Header(name: name, schema: schema, text: text, isAlways: true, component: component)
        }

        static func sometimes(
            _ name: String, _ schema: JSONSchema, _ text: String, component: String? = nil
        ) -> Header {
            Header(name: name, schema: schema, text: text, isAlways: false, component: component)
        }
    }

    /// A form an answer may take.
    struct Content: Sendable {
        let type: String
        let schema: JSONSchema

        static func json(_ schema: JSONSchema) -> Content { Content(type: "application/json", schema: schema) }
        static func xml(_ schema: JSONSchema) -> Content { Content(type: "application/xml", schema: schema) }
        static let html = Content(type: "text/html", schema: .text())
    }

    let status: Int
    let text: String
    let content: [Content]
    let headers: [Header]
    let component: String?

    func adding(_ headers: [Header]) -> APIAnswer {
        APIAnswer(
            status: self.status, text: self.text, content: self.content, headers: self.headers + headers,
            component: nil)
    }

    /// As it is written under the status of an operation.
    var reference: JSONValue {
        self.component.map { ["$ref": .string("#/components/responses/\($0)")] } ?? self.json
    }

    /// In full.
    var json: JSONValue {
        var members: [JSONValue.Member] = [.init("description", .string(self.text))]
        if !self.headers.isEmpty {
            members.append(.init("headers", .object(self.headers.map { .init($0.name, $0.reference) })))
        }
        if !self.content.isEmpty {
            let content = self.content.map { JSONValue.Member($0.type, ["schema": $0.schema.json]) }
            members.append(.init("content", .object(content)))
        }
        return .object(members)
    }
}

extension APIAnswer {
    /// - Parameter caching: what `Cache-Control` says; `nil` if it is absent.
    init(
        _ status: Int, _ text: String, _ content: [Content] = [], headers: [Header] = [], component: String? = nil,
        caching: String? = Answer.uncached
    ) {
        let caching = caching.map { [Header.cacheControl($0)] } ?? []
        self.init(
            status: status, text: text, content: content, headers: [.requestID] + caching + headers,
            component: component)
    }
}

extension APIAnswer.Header {
    fileprivate var reference: JSONValue {
        self.component.map { ["$ref": .string("#/components/headers/\($0)")] } ?? self.json
    }

    var json: JSONValue {
        [
            "description": .string(self.text), "required": .boolean(self.isAlways), "schema": self.schema.json,
        ]
    }

    static func cacheControl(_ value: String) -> APIAnswer.Header {
        guard value != Answer.uncached else { return self.uncached }
        return .always("Cache-Control", .constant(.string(value)), "How long the answer may be kept.")
    }

    static let requestID = always(
        "Adobe-Request-Id", .text(format: "uuid"), "Names this request in the server's log.", component: "RequestID")

    private static let uncached = always(
        "Cache-Control", .constant(.string(Answer.uncached)), "The answer must not be kept.", component: "Uncached")

    static let retryAfter = always(
        "Retry-After", .integer(1...), "Seconds to wait before the next call.", component: "RetryAfter")

    static let challenge = sometimes(
        "WWW-Authenticate", .text(pattern: #"^Bearer( error="(invalid_request|invalid_token)")?$"#),
        "Absent when a signed header was refused.", component: "Challenge")

    static let preferenceApplied = sometimes(
        "Preference-Applied", .text(pattern: "^wait=([1-9]|[1-4][0-9]|5[0-5])$"),
        "The wait that was granted (RFC 7240); only when the call asked for one.", component: "PreferenceApplied")

    static let codeState = sometimes(
        "Latchkey-Code-State",
        .choice("waiting", "loggingIn", "confirming", "completed", "declined", "cancelled", "expired"),
        "The state of the code, only for the device whose code it is.", component: "CodeState")

    static let codeOpened = sometimes(
        "Latchkey-Code-Opened", .constant(.string("true")),
        "A viewer entered the code; for the device whose code it is alone.", component: "CodeOpened")

    static let shortURL = sometimes(
        "Latchkey-Short-URL", .text(pattern: "^HTTPS?://[0-9A-Z.:\\[\\]-]+/G/[2-9A-Z]{6,8}$"),
        "A shorter address of the page with the code filled in, in upper case, for a QR code; if the page is ours.",
        component: "ShortURL")

    static let providerReason = sometimes(
        "Latchkey-Provider-Reason", .text(1...3600),
        "Why the last login failed: `wrong_credentials`, or the provider's own words, percent-encoded UTF-8.",
        component: "ProviderReason")

    static let signInEnding = sometimes(
        "Latchkey-Sign-In-Ending",
        .choice("signed_out", "replaced", "signed_out_elsewhere", "ended_by_operator", "refused_by_provider"),
        "How the sign-in ended, with `pendingLogout` and where that is known.", component: "SignInEnding")

    /// Everything that is written once, in the components.
    static let components = [
        requestID, uncached, retryAfter, challenge, preferenceApplied, codeState, codeOpened, shortURL, providerReason,
        signInEnding,
    ]

    static let cookie = sometimes("Set-Cookie", .text(1...4096), "Binds the login to the browser that began it.")

    static let vary = always(
        "Vary", .text(pattern: "^(Accept, )?Origin$"), "The other fields that decide about the answer.")

    static let location = always("Location", .text(1...8192), "The next address of the browser.")
}
