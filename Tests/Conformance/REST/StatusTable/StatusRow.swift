import HTTPClient
import Testing

/// One row of the status tables of rest-v1 11 to 21: what is asked, of a server in which state, and the whole answer.
struct StatusRow: Sendable, CustomTestStringConvertible {
    enum Caller: Sendable {
        /// A box with the right key pair.
        case box
        /// A page: no credential.
        case page
        /// A box whose `Authorization` is nonsense.
        case broken
        /// A box with another requestor's key pair.
        case foreign
    }

    let section: String
    let condition: StatusCondition
    let method: HTTPClient.Method
    /// Without the format; `{code}` is the device's code.
    let target: String
    let body: String?
    let caller: Caller
    let expected: StatusAnswer

    /// - Parameters:
    ///   - target: below `/api/v1` unless it begins with a slash.
    ///   - method: `nil` is `POST` with a body and `GET` without one.
    init(
        _ section: String, _ condition: StatusCondition, _ target: String, method: HTTPClient.Method? = nil,
        body: String? = nil, by caller: Caller = .box, _ expected: StatusAnswer
    ) {
        self.section = section
        self.condition = condition
        self.method = method ?? (body == nil ? .get : .post)
        self.target = Self.path(target)
        self.body = body
        self.caller = caller
        self.expected = expected
    }

    static func path(_ target: String) -> String { target.hasPrefix("/") ? target : "/api/v1/\(target)" }

    var testDescription: String {
        "\(self.section), \(self.condition): \(self.method.rawValue) \(self.target.prefix(100)) \(self.body ?? "") "
            + "by \(self.caller) is \(self.expected.status)"
    }
}

/// The whole answer in both forms. `{…}` in a body stands for what differs from run to run.
struct StatusAnswer: Sendable {
    static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>"

    let status: Int
    let json: String
    /// Without the declaration.
    let xml: String
    /// The same whatever form was asked for.
    let contentType: String?
    let location: String?

    /// What is sent in a form, the declaration included.
    func body(_ form: StatusTableTests.Form) -> String {
        switch form {
        case .json: self.json
        case .xml: self.contentType == nil && !self.xml.isEmpty ? Self.declaration + self.xml : self.xml
        }
    }

    func contentType(_ form: StatusTableTests.Form) -> String {
        self.contentType ?? "application/\(form.rawValue);charset=utf-8"
    }

    static func document(_ status: Int = 200, json: String, xml: String) -> StatusAnswer {
        StatusAnswer(status: status, json: json, xml: xml, contentType: nil, location: nil)
    }

    /// An error without `details`.
    static func error(_ status: Int, _ message: String, xml: String? = nil) -> StatusAnswer {
        .document(
            status, json: #"{"status":\#(status),"message":"\#(message)"}"#,
            xml: "<error><status>\(status)</status><message>\(xml ?? message)</message></error>")
    }

    /// An error of the AuthZ family.
    static func refusal(_ status: Int, _ message: String, xml: String? = nil, details: String? = nil) -> StatusAnswer {
        .document(
            status,
            json: #"{"status":\#(status),"message":"\#(message)","details":\#(details.map { "\"\($0)\"" } ?? "null")}"#,
            xml: "<error><status>\(status)</status><message>\(xml ?? message)</message>"
                + (details.map { "<details>\($0)</details>" } ?? "") + "</error>")
    }

    static func missing(_ name: String) -> StatusAnswer { .error(400, "Required '\(name)' is not present") }

    static func empty(_ status: Int = 204) -> StatusAnswer { .document(status, json: "", xml: "") }

    static func redirect(_ location: String, _ status: Int = 302) -> StatusAnswer {
        StatusAnswer(status: status, json: "", xml: "", contentType: nil, location: location)
    }

    /// The same bytes in either form.
    static func bytes(_ text: String, _ contentType: String) -> StatusAnswer {
        StatusAnswer(status: 200, json: text, xml: text, contentType: contentType, location: nil)
    }

    static let notAuthorized = StatusAnswer.error(401, "Not Authorized")
    static let forbidden = StatusAnswer.error(403, "Forbidden")
    static let notAllowed = StatusAnswer.error(405, "Method Not Allowed")
}
