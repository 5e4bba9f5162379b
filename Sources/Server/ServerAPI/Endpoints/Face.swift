import Clientless
import Cryptography
import Entitlement
import HTTPServer
import Observability

/// A translation of one wire to the domain and back: its endpoints, and how it words an error.
///
/// Everything else a call goes through is the ``Pipeline``, which is the same for all.
protocol Face: Sendable {
    /// Its words in place of an answer.
    associatedtype Refusal: Error

    static var name: StaticString { get }
    /// The beginnings of the paths that are its own also where no endpoint takes the call.
    static var prefixes: [String] { get }
    var context: FaceContext { get }
    /// The endpoints that are there with every configuration.
    static var all: [Endpoint<Self>] { get }
    var endpoints: [Endpoint<Self>] { get }

    /// The faults of a call or its caller, in this face's words.
    func refusal(_ error: WireError) -> Refusal
    func refusal(_ error: EntitlementError, at family: EndpointFamily) -> Refusal
    func response(to refusal: Refusal, in place: ErrorPlace) -> HTTPResponse
    /// The answer to a call that does not come so far as to be read: too many of them, or from a page that may not.
    func turnedAway(_ error: WireError, _ request: HTTPRequest, _ place: ErrorPlace) -> HTTPResponse
    /// The style of the answer to a call below ``prefixes`` that no endpoint takes.
    func unroutedStyle(of request: HTTPRequest, _ status: HTTPStatus) -> ErrorStyle
    /// The answer to a device's call that brings no credential, where its body earns another than the refusal; else `nil`.
    func answer(toUnproven call: Call) async -> HTTPResponse?
    /// The device by the word of a call, for limits to count it by.
    func deviceName(in request: HTTPRequest) -> ArraySlice<UInt8>?
}

extension Face {
    static var prefixes: [String] { [] }
    var endpoints: [Endpoint<Self>] { Self.all }
    var domain: Entitlements { self.context.domain }
    var settings: APISettings { self.context.settings }
    var addresses: CallerAddresses { self.context.addresses }
    var authenticator: Authenticator { self.context.authenticator }

    /// In the form asked for; a page for people, and of a limit also where nothing was asked (rest-v1 24.3).
    func turnedAway(_ error: WireError, _ request: HTTPRequest, _ place: ErrorPlace) -> HTTPResponse {
        let preference = place.preference
        if error.status == .tooManyRequests ? preference.nothingWasAsked : preference.isForPeople {
            return Answer.page(error)
        }
        return Answer.error(
            error, place.preference.format, self.context.style(for: place.requestor, trace: place.trace))
    }

    func unroutedStyle(of request: HTTPRequest, _ status: HTTPStatus) -> ErrorStyle { nil }
    func answer(toUnproven call: Call) async -> HTTPResponse? { nil }
    func deviceName(in request: HTTPRequest) -> ArraySlice<UInt8>? { request.parameters.bytes("deviceId") }

    /// The error thrown on the way to an answer, on the wire; what is the server's own fault is logged.
    func response(to error: any Error, in place: ErrorPlace) -> HTTPResponse {
        if let error = error as? Refusal { return self.response(to: error, in: place) }
        if let error = error as? WireError { return self.response(to: self.refusal(error), in: place) }
        let error = error as? EntitlementError ?? EntitlementError(.internal, detail: "\(error)")
        let response = self.response(to: self.refusal(error, at: place.wording.family), in: place)
        if response.status.code >= 500 {
            self.context.logger.named(Self.name).error(
                "a request failed",
                [
                    .requestID: .text(place.trace.description), .error: .text(error.code.description),
                    .detail: .text(error.detail ?? ""),
                ])
        }
        return response
    }
}

extension Face where Refusal == WireError {
    func refusal(_ error: WireError) -> WireError { error }
    func refusal(_ error: EntitlementError, at family: EndpointFamily) -> WireError { WireError(error, at: family) }
    func response(to error: WireError, in place: ErrorPlace) -> HTTPResponse { Answer.error(error, place.format) }
}

/// The place of an error: all that decides about its words besides itself. Small: a held poll keeps one.
struct ErrorPlace: Sendable {
    let preference: FormatPreference
    let trace: RequestID
    let wording: ErrorWording
    /// The requestor whose error style counts; `nil` is the classic one.
    let requestor: RequestorID?

    var format: WireFormat { self.preference.format }
}

/// The common part of all faces.
///
/// A class: every call goes through it several times, and a copy of the value counted some fifty references.
final class FaceContext: Sendable {
    let parts: Faces.Parts
    let addresses: CallerAddresses
    let authenticator: Authenticator
    let origins: OriginPolicy
    let transport: TransportSecurity
    let metadataKeys: [RequestorID: RSAPublicKey]
    let polls: PollReplies
    /// The limit of ``Limits/Rate/devices``; `nil` is none.
    let throttle: Throttle?
    /// The limits of the other rates that have one.
    let rates: [Limits.Rate: AddressRate]

    var domain: Entitlements { self.parts.domain }
    var settings: APISettings { self.parts.settings }
    var logger: Logger { self.parts.logger }

    init(_ parts: Faces.Parts) {
        let (settings, domain) = (parts.settings, parts.domain)
        self.parts = parts
        self.addresses = CallerAddresses(settings)
        self.authenticator = Authenticator(parts, self.addresses)
        self.origins = OriginPolicy(domain.catalogue, settings)
        self.transport = TransportSecurity(settings)
        self.metadataKeys = domain.catalogue.metadataKeys(parts.logger)
        self.polls = PollReplies(
            room: domain.waitingRoom, clock: parts.now, isRight: { domain.upkeep.isRight($0) })
        self.throttle = settings.throttle.map { Throttle($0, nodes: domain.nodes) }
        let rates: [Limits.Rate: AddressRate?] = [
            .browsers: settings.throttle.map { AddressRate($0.browser, bound: $0.bound, nodes: domain.nodes) },
            .operators: settings.degradationCalls.map { AddressRate(callsPerMinute: $0, nodes: domain.nodes) },
            .notices: settings.throttle.map { AddressRate($0.notice, bound: $0.bound, nodes: domain.nodes) },
        ]
        self.rates = rates.compactMapValues(\.self)
    }

    func now() -> Timestamp { self.domain.upkeep.time(by: self.parts.now()) }

    /// Whether calls may be judged by this node's clock.
    func isClockRight() -> Bool { self.domain.upkeep.isRight(self.parts.now()) }

    /// How errors of a call for `requestor` are written; classic if it is not known, or did not opt in to more.
    func style(for requestor: RequestorID?, trace: RequestID) -> ErrorStyle {
        guard let requestor, self.authenticator.catalogue.usesEnhancedErrors(requestor) else { return nil }
        return (self.settings.helpURL, trace)
    }
}
