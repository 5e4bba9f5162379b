package import Clientless
package import Entitlement
package import HTTPServer
package import Observability

/// The clientless REST API, generation 1 (rest-v1): translates its wire to the domain and back, and decides nothing.
///
/// One file for each family of endpoints; this one has what they share.
package final class RESTv1: Sendable {
    let pairing: Pairing
    let settings: APISettings
    let authenticator: Authenticator
    let throttle: Throttle?
    let now: @Sendable () -> Timestamp
    let logger: Logger
    let configurations: ConfigurationDocuments
    let polls: PollAnswers

    package init(
        pairing: Pairing, settings: APISettings, authenticator: Authenticator, throttle: Throttle?, logger: Logger,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.pairing = pairing
        self.settings = settings
        self.authenticator = authenticator
        self.throttle = throttle
        self.now = now
        self.logger = logger.named("rest-v1")
        self.configurations = ConfigurationDocuments(pairing.catalogue, settings)
        self.polls = PollAnswers()
    }

    /// Adds every endpoint of this face.
    package func addRoutes(to router: inout Router) {
        self.addRegistrationCodeRoutes(to: &router)
        self.addConfigurationRoutes(to: &router)
        self.addAuthenticationRoutes(to: &router)
        self.addPollRoutes(to: &router)
        self.addAuthorizationRoutes(to: &router)
    }

    /// Endpoints that are throttled (rest-v1 24.2).
    var throttled: RouteGroup {
        RouteGroup.api(throttle: self.throttle, settings: self.settings, now: self.now)
    }

    /// Endpoints that are not.
    var unthrottled: RouteGroup { RouteGroup.api() }
}

// How endpoints are put together.
extension RESTv1 {
    /// What a device-class endpoint works with, once the caller is known.
    struct DeviceCall: Sendable {
        let call: Call
        let caller: Caller
    }

    /// Whether an endpoint's errors carry `details` (rest-v1 8.1).
    enum ErrorFamily: Sendable {
        case authentication, authorization

        /// The error as this family words it. What is wrong with the caller is said alike in both (rest-v1 7.5, 7.6).
        func worded(_ error: WireError) -> WireError {
            guard self == .authorization, error.status == .badRequest, error.oauthError == nil else { return error }
            return error.inAuthorizationFamily()
        }
    }

    /// An endpoint without authentication that needs the store.
    func open(
        _ request: HTTPRequest,
        _ answer: @escaping @Sendable (Call) async throws -> HTTPResponse
    ) -> HTTPReply {
        let call = Call(request, now: self.now())
        return .later { await self.answered(call, .authentication) { try await answer(call) } }
    }

    /// An endpoint of the device class that needs the store anyway.
    func device(
        _ request: HTTPRequest, for claim: (Call) -> RequestorClaim = { .parameter($0.requestorName) },
        _ family: ErrorFamily,
        _ answer: @escaping @Sendable (DeviceCall) async throws -> HTTPResponse
    ) -> HTTPReply {
        let call = Call(request, now: self.now())
        let outcome = self.authenticator.authenticate(request, call.parameters, for: claim(call), now: call.now)
        switch outcome {
        case .refused(let error):
            return .now(Answer.error(family.worded(error), call.format))
        case .caller(let caller):
            return .later {
                await self.answered(call, family) { try await answer(DeviceCall(call: call, caller: caller)) }
            }
        case .undecided(let undecided):
            return .later {
                switch await self.authenticator.settle(undecided) {
                case .failure(let error): return Answer.error(family.worded(error), call.format)
                case .success(let caller):
                    return await self.answered(call, family) {
                        try await answer(DeviceCall(call: call, caller: caller))
                    }
                }
            }
        }
    }

    /// The answer, or the error it threw in the words of its family.
    func answered(
        _ call: Call, _ family: ErrorFamily, _ answer: () async throws -> HTTPResponse
    ) async -> HTTPResponse {
        do {
            return try await answer()
        } catch let error as WireError {
            return Answer.error(family.worded(error), call.format)
        } catch let error as EntitlementError {
            return self.refused(call, error)
        } catch {
            return self.refused(call, EntitlementError(.internal, detail: "\(error)"))
        }
    }

    /// The wire's words for an error of the domain; what is the server's own fault is logged.
    func refused(_ call: Call, _ error: EntitlementError) -> HTTPResponse {
        let wire = WireError(error)
        if wire.status.code >= 500 {
            self.logger.error(
                "a request failed",
                [
                    .requestID: .text(call.request.id.description), .error: .text(error.code.description),
                    .detail: .text(error.detail ?? ""),
                ])
        }
        return Answer.error(wire, call.format)
    }

    /// The caller's address, as limits count it.
    func address(of request: HTTPRequest) -> IPAddress {
        self.settings.address(of: request)
    }
}
