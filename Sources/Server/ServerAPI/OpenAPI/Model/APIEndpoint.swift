package import HTTPServer

/// What the description says of one endpoint: which calls reach it, what it takes and what it answers.
struct APIEndpoint: Sendable {
    /// One way to call it.
    struct Call: Sendable {
        let method: HTTPMethod
        let path: String
        /// Unique in the description; generated clients name their functions by it.
        let id: String

        init(_ method: HTTPMethod, _ path: String, _ id: String) {
            self.method = method
            self.path = path
            self.id = id
        }
    }

    /// Who may call (rest-v1 7.1).
    enum Access: Sendable {
        case everybody
        /// A signed header, or a bearer token with `api:client:v1`.
        case device
        /// A bearer token with this scope.
        case bearer(scope: String)
    }

    /// How the body of a POST carries the fields; every other method has them in the query.
    enum Body: Sendable {
        case form
        case json
        case formOrJSON
    }

    let calls: [Call]
    let tag: APITag
    let access: Access
    let summary: String
    /// Further sentences, in CommonMark.
    let text: String
    /// Where the protocol documents have it.
    let section: String
    let headers: [APIField]
    let fields: [APIField]
    let body: Body
    let answers: [APIAnswer]

    init(
        _ calls: [Call], _ tag: APITag, _ access: Access, _ summary: String, _ text: String = "", section: String,
        headers: [APIField] = [], fields: [APIField] = [], body: Body = .form, answers: [APIAnswer]
    ) {
        self.calls = calls
        self.tag = tag
        self.access = access
        self.summary = summary
        self.text = text
        self.section = section
        self.headers = headers
        self.fields = fields
        self.body = body
        self.answers = answers
    }
}

extension APIEndpoint {
    /// Every answer to a call, by status.
    func answers(to call: Call) -> [APIAnswer] {
        let general: [APIAnswer] = call.method == .post ? [.tooLarge] : self.fields.isEmpty ? [] : [.uriTooLong]
        return (self.answers + general).sorted { $0.status < $1.status }
    }
}

/// One operation of the description, for whoever compares it with something.
package struct APIOperation: Hashable, Sendable {
    package let method: HTTPMethod
    package let path: String
    package let id: String
    /// Every status it may answer with.
    package let statuses: Set<Int>

    /// Method and path, such as `GET /api/v1/authorize`.
    package var label: String { "\(self.method.text) \(self.path)" }
}
