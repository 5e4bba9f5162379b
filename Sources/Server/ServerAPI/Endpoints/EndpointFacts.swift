import HTTPServer

/// The facts of one endpoint besides its handler. The routes, the pipeline and the description read it.
///
/// A class: every call refers to it, and it never changes.
final class EndpointFacts: Sendable {
    /// One way to call it. The ID is unique in the description; generated clients name their functions by it.
    typealias Call = (method: HTTPMethod, path: String, id: String)

    /// The callers that an endpoint admits (rest-v1 7.1). The kind of the handler decides it.
    enum Access: Sendable {
        case everybody
        /// A signed header, or a bearer token with `api:client:v1`.
        case device
        case bearer(ManagementScopes)
    }

    /// How the body of a POST carries the fields; every other method has them in the query.
    enum Body: Sendable {
        case form
        case json
        case formOrJSON
        /// A document that the handler reads itself; there are no fields.
        case xml
    }

    /// The most bytes of body a call may have.
    enum BodyLimit: Int, Sendable {
        /// Pages, `authenticate`, registration and tokens, and whatever has no body of use.
        case page = 16_384
        /// The fields of a device's call: a resource of 8 KiB and a description of the device, percent-encoded.
        case form = 65_536
        /// Signed token documents, percent-encoded.
        case documents = 131_072
        /// A SAML response of 96 KiB in Base64, its signs written as forms have them.
        case assertion = 175_104
    }

    let calls: [Call]
    let name: String
    /// The chapter of the description; `nil` for an endpoint that is not described: pages, and what operators watch.
    let tag: APITag?
    let summary: String
    /// Further sentences, in CommonMark.
    let text: String
    let section: String
    let access: Access
    let requestor: RequestorPlace
    let limits: Limits
    let bodyLimit: BodyLimit
    let headers: [APIField]
    let fields: [APIField]
    let body: Body
    let answers: [APIAnswer]
    let errors: ErrorWording

    init(
        _ calls: [Call], name: String, _ tag: APITag?, _ summary: String, _ text: String, section: String,
        access: Access, requestor: RequestorPlace, limits: Limits, bodyLimit: BodyLimit, headers: [APIField],
        fields: [APIField], body: Body, answers: [APIAnswer], errors: ErrorWording
    ) {
        self.calls = calls
        self.name = name
        self.tag = tag
        self.summary = summary
        self.text = text
        self.section = section
        self.access = access
        self.requestor = requestor
        self.limits = limits
        self.bodyLimit = bodyLimit
        self.headers = headers
        self.fields = fields
        self.body = body
        self.answers = answers
        self.errors = errors
    }

    func declares(field name: String) -> Bool {
        self.fields.contains { $0.name == name || $0.aliases.contains(name) }
    }

    /// - Precondition: the endpoint declares its status.
    func check(_ response: HTTPResponse) {
        assert(
            self.answers.contains { $0.status == response.status.code },
            "\(self.name) does not declare the status \(response.status.code)")
    }

    func answers(to call: Call) -> [APIAnswer] {
        let general: [APIAnswer] = call.method == .post ? [.tooLarge] : self.fields.isEmpty ? [] : [.uriTooLong]
        return (self.answers + general).sorted { $0.status < $1.status }
    }
}

struct Limits: Sendable {
    enum Rate: Sendable {
        /// As often as it likes: it costs nothing, or only operators can reach it.
        case unlimited
        /// The rights of a device and its address (rest-v1 24).
        case devices
        /// Generous, by address alone: a person's browser comes a few times.
        case browsers
        /// The degradation calls of an operator's program (rest-v1 25).
        case operators
        /// The notices of providers, by address: a burst when it ends the sessions of many viewers.
        case notices
    }

    /// Which pages may call, and what fields for them an answer has (rest-v1 3.7).
    enum Origins: Sendable {
        /// Answers have no common field at all.
        case undecorated
        case any
        /// Those of registered domains, where the requestor is strict or the operator wants it so; calls of others are refused.
        case registered
        /// The same, but calls of others are served: a browser navigates here.
        case registeredReaders
    }

    /// How a call may try registration codes without a credential; wrong ones count against its address then.
    enum Codes: Sendable {
        case notTried
        /// Programs and scripts ask. A call that a page of an unknown site causes is refused.
        case read
        /// Viewers come here. The handler does not look a code up for a viewer whom a page of an unknown site sent; a
        /// call that the viewer does not see is refused.
        case visited
    }

    let rate: Rate
    let origins: Origins
    var codes = Codes.notTried
    /// Whether what is answered depends on the time: a node of several whose clock is wrong refuses then.
    var dependsOnTime = true

    static let devices = Limits(rate: .devices, origins: .registered)
    /// The limits of calls that a device has to get through: a client that ignores the answer would believe that it is
    /// signed out (rest-v1 24.3). Only a node whose clock is wrong refuses it, with a 503, as while the store is away.
    static let logout = Limits(rate: .unlimited, origins: .registered)
    /// Calls of a page about a code, without a credential.
    static let guessers = Limits(rate: .devices, origins: .registered, codes: .read)
    /// Client registration: any page may call.
    static let registration = Limits(rate: .devices, origins: .any)
    /// The limits of pages to which a programmer's page or a provider sends a browser.
    static let browsers = Limits(rate: .browsers, origins: .registeredReaders)
    /// The same with a code that may be wrong.
    static let guessingBrowsers = Limits(rate: .browsers, origins: .registeredReaders, codes: .visited)
    /// The pages of the second screen; their visits count guesses.
    static let pages = Limits(rate: .browsers, origins: .undecorated, codes: .visited)
    static let operators = Limits(rate: .operators, origins: .registered)
    static let publicData = Limits(rate: .unlimited, origins: .any, dependsOnTime: false)
    /// A provider's own calls. Its signature is asked for before anything is looked up, and costs what a stranger may not
    /// ask for without end.
    static let notices = Limits(rate: .notices, origins: .any)
    /// The endpoints that operators watch, and files.
    static let unlimited = Limits(rate: .unlimited, origins: .undecorated, dependsOnTime: false)
}

struct ErrorWording: Hashable, Sendable {
    let family: EndpointFamily
    /// Whether a person may be reading; an error is a page then, unless the call named a form.
    let isForPeople: Bool
    /// Whether requestors that opted in get the fields of rest-v1 8.3.
    let mayBeEnhanced: Bool

    /// As a device's endpoint of this family has them.
    static func devices(_ family: EndpointFamily) -> ErrorWording {
        ErrorWording(family: family, isForPeople: false, mayBeEnhanced: true)
    }

    /// Without the fields of rest-v1 8.3.
    static func classic(_ family: EndpointFamily) -> ErrorWording {
        ErrorWording(family: family, isForPeople: false, mayBeEnhanced: false)
    }

    static let people = ErrorWording(family: .authentication, isForPeople: true, mayBeEnhanced: false)
}

/// The place where an endpoint's calls name their requestor (rest-v1 4).
enum RequestorPlace: Sendable {
    /// `requestor`, or `requestor_id`; a credential that stands for one requestor settles it as well.
    case parameter
    /// The same, for calls that do without where neither settles it.
    case optionalParameter
    /// The variable `requestor` of the route.
    case path
    /// Nowhere: the endpoint is about no requestor, or finds it among its own fields.
    case nowhere

    /// The name, before anything about the call is proven.
    func name(in request: HTTPRequest, _ parameters: HTTPParameters) -> ArraySlice<UInt8>? {
        switch self {
        case .parameter, .optionalParameter: Call.requestorName(in: parameters)
        case .path: Array(request.segment("requestor").utf8)[...]
        case .nowhere: nil
        }
    }

    /// The call's word on its requestor, for the authenticator to settle.
    func claim(in request: HTTPRequest, _ parameters: HTTPParameters) -> RequestorClaim {
        let name = self.name(in: request, parameters)
        return switch self {
        case .parameter: .parameter(name)
        case .optionalParameter, .nowhere: .parameter(name, orElse: .optional)
        case .path: .named(name ?? [])
        }
    }
}

/// Which requestor a call says it is for (rest-v1 4).
enum RequestorClaim {
    /// Named in path or parameter; not yet checked.
    case named(ArraySlice<UInt8>)
    /// Not named: the credential has to settle it.
    case open
    /// Not named, and not needed when the credential does not settle it.
    case optional

    /// The name, unless it is empty.
    static func parameter(_ value: ArraySlice<UInt8>?, orElse absent: RequestorClaim = .open) -> RequestorClaim {
        guard let value, !value.isEmpty else { return absent }
        return .named(value)
    }
}
