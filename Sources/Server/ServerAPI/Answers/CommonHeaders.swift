import Clientless
import Entitlement
package import HTTPServer

/// The fields every answer of the API carries (rest-v1 3.6, 3.7). `Date` is the server's.
package enum CommonHeaders {
    /// Sent to a caller that names an `Origin`. Only browsers read these fields, and a browser that obeys them names its
    /// origin; a box saves the bytes.
    private static let crossOrigin: [(name: String, value: String)] = [
        ("Access-Control-Allow-Credentials", "true"),
        ("Access-Control-Allow-Methods", "POST,GET,OPTIONS,DELETE"),
        (
            "Access-Control-Allow-Headers",
            "ap_11,ap_42,ap_z,ap_19,ap_21,ap_23,authorization,content-type,pass_sfp,AP-Session-Identifier,"
                + "AP-Device-Identifier,AP-SDK-Identifier,X-Device-Info"
        ),
        ("Access-Control-Expose-Headers", "pass_sfp,Authzf-Error-Code,Authzf-Sub-Error-Code,Authzf-Error-Details"),
    ]

    /// Adds the request's id and, for browsers, the field of secure transport and, on pages of the origins of `policy`,
    /// the cross-origin fields.
    static func decorate(
        _ request: MatchedRoute, _ response: inout HTTPResponse, _ policy: OriginPolicy,
        _ transport: TransportSecurity
    ) {
        transport.add(to: &response)
        response.addID(request.id, as: "Adobe-Request-Id")
        if let origin = request.origin, policy.admits(origin) {
            self.addCrossOrigin(origin, to: &response)
        } else if !response.isPrepared, !response.headers.has("Cache-Control", Answer.uncached) {
            // A shared cache must not hand this answer to a browser that names an origin. A prepared one has it already.
            self.addVary(to: &response)
        }
    }

    /// Names the fields that an answer a cache may keep depends on besides the address, once. If neither suffix nor
    /// `format` is given, `Accept` chooses JSON or XML, and a browser's cache would hand out one for the other (RFC 9110
    /// 12.5.5).
    static func addVary(to response: inout HTTPResponse) {
        let caching = response.headers["Cache-Control"]
        let vary = caching == nil || caching == Answer.uncached ? "Origin" : "Accept, Origin"
        if !response.headers.has("Vary", vary) { response.headers.add("Vary", vary) }
    }

    /// `OPTIONS` on any path: no authentication, no throttle.
    package static func preflight(_ request: HTTPRequest) -> HTTPResponse {
        var response = HTTPResponse(status: .noContent)
        for field in self.crossOrigin { response.headers.add(field.name, field.value) }
        // Without it every call of a television's web page costs two.
        response.headers.add("Access-Control-Max-Age", "600")
        return response
    }

    private static func addCrossOrigin(_ origin: String, to response: inout HTTPResponse) {
        response.headers.add("Access-Control-Allow-Origin", origin)
        self.addVary(to: &response)
        guard !response.headers.contains("Access-Control-Allow-Methods") else { return }
        for field in self.crossOrigin { response.headers.add(field.name, field.value) }
    }
}

/// Tells browsers to come by https alone, where the public address is https (RFC 6797).
///
/// Every answer says so: a browser may see a page of ours first, or an answer that a programmer's page asked for.
struct TransportSecurity: Sendable {
    private static let name: StaticString = "Strict-Transport-Security"
    /// A year.
    private static let value = "max-age=31536000"

    private let isHTTPS: Bool

    init(_ settings: APISettings) {
        self.isHTTPS = settings.publicURL.hasPrefix("https://")
    }

    /// Adds the field, once. A prepared answer has it already, and so stays one.
    func add(to response: inout HTTPResponse) {
        guard self.isHTTPS, !response.isPrepared, !response.headers.contains(Self.name) else { return }
        response.headers.add(Self.name.description, Self.value)
    }

    func added(to response: HTTPResponse) -> HTTPResponse {
        var copy = response
        self.add(to: &copy)
        return copy
    }
}

/// Which pages may call and read answers across origins (rest-v1 3.7): any for compatible requestors, those of
/// registered domains for strict ones, and for all if the operator says so.
struct OriginPolicy: Sendable {
    static let any = OriginPolicy(limited: [:], limitsAll: false, all: [], own: "")

    /// The registered domains of the requestors whose origins are limited.
    private let limited: [RequestorID: [String]]
    /// Whether compatible requestors are limited, too.
    private let limitsAll: Bool
    private let all: [String]
    /// This server's own address, whose pages may always call.
    private let own: String

    var isLimiting: Bool { self.limitsAll || !self.limited.isEmpty }

    /// Whether a page of `origin` may read answers of some requestor.
    func admits(_ origin: String) -> Bool { !self.limitsAll || self.isRegistered(origin, self.all) }

    /// Whether a page of `origin` may call for `requestor`; for any where `requestor` is `nil`.
    func admits(_ origin: String, for requestor: RequestorID?) -> Bool {
        guard let requestor, let domains = self.limited[requestor] else { return self.admits(origin) }
        return self.isRegistered(origin, domains)
    }

    /// Whether `origin` is of a registered domain of some requestor, or this server's own.
    func isRegistered(_ origin: String) -> Bool { self.isRegistered(origin, self.all) }

    private func isRegistered(_ origin: String, _ domains: [String]) -> Bool {
        if origin.lowercased() == self.own { return true }
        // `null`, files and applications' own schemes have no host, and so no domain.
        guard let host = RedirectTarget.parts(of: origin)?.host else { return false }
        return RedirectTarget.isBelow(host, domains)
    }
}

extension OriginPolicy {
    init(_ catalogue: Catalogue, _ settings: APISettings) {
        let limitsAll = settings.limitsOrigins
        let requestors = catalogue.requestors.filter { limitsAll || $0.strictness == .strict }
        self.init(
            limited: Dictionary(uniqueKeysWithValues: requestors.map { ($0.id, $0.domains) }), limitsAll: limitsAll,
            all: Array(Set(catalogue.requestors.flatMap(\.domains))), own: settings.publicURL.lowercased())
    }
}
