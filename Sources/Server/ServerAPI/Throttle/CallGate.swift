import Clientless
import Entitlement
import HTTPServer

/// What every call passes before its endpoint sees it: the throttle, and where the operator wants it the look at the
/// page that calls (rest-v1 24, 3.7).
struct CallGate: Sendable {
    private let throttle: Throttle?
    private let settings: APISettings
    private let authenticator: Authenticator?
    private let styles: ErrorStyles?
    private let origins: OriginPolicy
    private let place: RequestorPlace
    private let device: @Sendable (HTTPRequest) -> String?
    private let words: (@Sendable (WireError) -> HTTPResponse)?
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - device: what a call says its device is.
    ///   - words: how the face words a refusal; in the form asked for when it says nothing.
    init(
        throttle: Throttle?, settings: APISettings, authenticator: Authenticator?, place: RequestorPlace,
        device: @escaping @Sendable (HTTPRequest) -> String? = { $0.parameters["deviceId"] },
        words: (@Sendable (WireError) -> HTTPResponse)? = nil, now: @escaping @Sendable () -> Timestamp
    ) {
        self.throttle = throttle
        self.settings = settings
        self.authenticator = authenticator
        self.styles = authenticator.map { ErrorStyles($0.requestors, settings) }
        self.origins = authenticator.map { settings.originPolicy($0.domain.catalogue) } ?? .any
        self.place = place
        self.device = device
        self.words = words
        self.now = now
    }

    /// The routes behind this gate.
    var group: RouteGroup {
        let origins = self.origins
        var group = RouteGroup(decorate: { CommonHeaders.decorate($0, $1, origins) })
        if self.throttle != nil || self.settings.limitsOrigins { group.before = { self.refusal(of: $0) } }
        return group
    }

    private func refusal(of request: HTTPRequest) -> HTTPResponse? {
        if let throttle = self.throttle, let refusal = self.refusal(of: request, throttle) { return refusal }
        guard let origin = request.headers["Origin"], !self.origins.admits(origin, for: self.requestor(of: request))
        else { return nil }
        return self.answer(.forbidden, request, at: self.now())
    }

    /// 429 in the form asked for; a page only when nothing was asked.
    private func refusal(of request: HTTPRequest, _ throttle: Throttle) -> HTTPResponse? {
        let now = self.now()
        let address = self.settings.address(
            of: request, isFromServer: self.authenticator?.isFromServer(request, now: now) ?? false)
        guard let wait = throttle.admit(address: address, device: self.device(request), now: now)
        else { return nil }
        return self.answer(.tooManyRequests(retryAfter: wait), request, at: now)
    }

    private func answer(_ error: WireError, _ request: HTTPRequest, at now: Timestamp) -> HTTPResponse {
        if let words = self.words { return words(error) }
        let preference = Call(request, now: now).preference
        if preference.nothingWasAsked { return Answer.page(error) }
        guard let styles = self.styles else { return Answer.error(error, preference.format) }
        return Answer.error(
            error, preference.format, styles.style(for: self.requestor(of: request), trace: request.id))
    }

    private func requestor(of request: HTTPRequest) -> RequestorID? {
        self.authenticator?.presumedRequestor(of: request, named: self.place.name(in: request))
    }
}
