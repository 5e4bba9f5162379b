import Clientless
import Entitlement
import HTTPServer

/// The checks of every call before its endpoint sees it: the look at this node's clock where others judge the same
/// calls, the limit of its rate, and if the operator wants it the look at the page that calls (rest-v1 24, 3.7).
final class CallGate<F: Face>: Sendable {
    private let face: F
    private let context: FaceContext
    private let facts: EndpointFacts
    /// Whether what it answers depends on the time, and other nodes have clocks, too.
    private let needsClock: Bool
    private let refusesOrigins: Bool
    private let throttle: Throttle?
    private let rate: AddressRate?

    init(_ face: F, _ facts: EndpointFacts) {
        self.face = face
        self.context = face.context
        self.facts = facts
        self.needsClock = facts.limits.dependsOnTime && face.domain.upkeep.hasOtherClocks
        self.refusesOrigins = facts.limits.origins == .registered && face.context.origins.isLimiting
        self.throttle = facts.limits.rate == .devices ? face.context.throttle : nil
        self.rate = face.context.rates[facts.limits.rate]
    }

    var group: RouteGroup {
        let (facts, transport) = (self.facts, self.context.transport)
        let origins: OriginPolicy? =
            switch facts.limits.origins {
            case .undecorated: nil
            case .any: .any
            case .registered, .registeredReaders: self.context.origins
            }
        var group = RouteGroup(decorate: { request, response in
            facts.check(response)
            guard let origins else { return transport.add(to: &response) }
            CommonHeaders.decorate(request, &response, origins, transport)
        })
        if self.isNeeded { group.before = { self.refusal(of: $0) } }
        return group
    }

    private var isNeeded: Bool {
        self.facts.limits.codes != .notTried || self.needsClock || self.refusesOrigins || self.throttle != nil
            || self.rate != nil
    }

    /// Whether a page of an unknown site makes the browser ask about a code: it would guess with the viewer's address,
    /// and use it up (rest-v1 24.4).
    private func isForeignGuess(_ request: HTTPRequest) -> Bool {
        guard self.facts.limits.codes != .notTried,
            let kind = CrossSiteRequest(request, self.context.origins)
        else { return false }
        return switch self.facts.limits.codes {
        case .notTried: false
        case .read: true
        case .visited: kind == .embedded
        }
    }

    private func refusal(of request: HTTPRequest) -> HTTPResponse? {
        if self.needsClock, !self.context.isClockRight() {
            return self.turnedAway(WireError(EntitlementError(.storeUnavailable)), request)
        }
        if self.isForeignGuess(request) { return self.turnedAway(.forbidden, request) }
        if let wait = self.waitingTime(of: request) {
            self.face.domain.noteRefusedCall(of: self.context.addresses.address(of: request).network)
            return self.turnedAway(.tooManyRequests(retryAfter: wait), request)
        }
        guard self.refusesOrigins, let origin = request.headers["Origin"],
            !self.context.origins.admits(origin, for: self.requestor(of: request))
        else { return nil }
        return self.turnedAway(.forbidden, request)
    }

    /// Counts a call.
    /// - Returns: `nil` when it may pass, else how long its caller has to wait.
    private func waitingTime(of request: HTTPRequest) -> Duration? {
        guard let throttle = self.throttle else {
            return self.rate?.admit(self.context.addresses.address(of: request), now: self.context.now())
        }
        let now = self.context.now()
        let address = self.context.addresses.address(
            of: request, isFromServer: self.context.authenticator.server(calling: request, now: now) != nil)
        return throttle.admit(address: address, device: self.face.deviceName(in: request), now: now)
    }

    private func turnedAway(_ error: WireError, _ request: HTTPRequest) -> HTTPResponse {
        let place = ErrorPlace(
            preference: Call.preference(of: request, request.parameters), trace: request.id,
            wording: self.facts.errors, requestor: self.requestor(of: request))
        return self.face.turnedAway(error, request, place)
    }

    private func requestor(of request: HTTPRequest) -> RequestorID? {
        let name = self.facts.requestor.name(in: request, request.parameters)
        return self.context.authenticator.presumedRequestor(of: request, named: name)
    }
}
