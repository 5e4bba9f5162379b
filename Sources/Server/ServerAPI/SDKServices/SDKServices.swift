package import Clientless
package import Entitlement
package import HTTPServer
package import Observability

/// The wire of the AccessEnabler library (sdk-services): boxes hold their tokens as signed documents and present them,
/// where the clientless face keeps them here. Both speak of the same codes, records and decisions.
///
/// One file for each family of endpoints; this one has what they share.
package final class SDKServices: Sendable {
    let domain: Entitlements
    let settings: APISettings
    let authenticator: Authenticator
    let throttle: Throttle?
    let now: @Sendable () -> Timestamp
    let logger: Logger
    let metadataKeys: MetadataKeys
    let styles: ErrorStyles

    package init(
        domain: Entitlements, settings: APISettings, authenticator: Authenticator, throttle: Throttle?, logger: Logger,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.domain = domain
        self.settings = settings
        self.authenticator = authenticator
        self.throttle = throttle
        self.now = now
        self.logger = logger.named("sdk-services")
        self.metadataKeys = MetadataKeys(domain.catalogue, logger: self.logger)
        self.styles = ErrorStyles(authenticator.requestors, settings)
    }

    /// Adds every endpoint of this face.
    package func addRoutes(to router: inout Router) {
        self.addDeviceRoutes(to: &router)
        self.addSessionRoutes(to: &router)
        self.addAuthorizationRoutes(to: &router)
        self.addSignInRoutes(to: &router)
    }

    /// Adds one operation under all its names, each also in the older form of its path (rest-v1 Appendix A).
    func on(_ names: String..., router: inout Router, handler: @escaping @Sendable (HTTPRequest) -> HTTPReply) {
        guard let first = names.first else { return }
        for name in names {
            for path in ["/adobe-services/\(name)", "/adobe-services/1.0/\(name)"] {
                router.on(.post, path: path, name: "sdk-\(first.lowercased())", group: self.group, handler: handler)
            }
        }
    }

    /// The fields every answer carries, the throttle, and the look at the page that calls.
    var group: RouteGroup {
        CallGate(
            throttle: self.throttle, settings: self.settings, authenticator: self.authenticator, place: .parameter,
            device: { SDKCall.deviceName(in: $0, $0.parameters) }, words: { SDKAnswer.refusal(SDKRefusal($0)) },
            now: self.now
        ).group
    }
}

// How endpoints are put together.
extension SDKServices {
    /// An endpoint about a device.
    func device(
        _ request: HTTPRequest, _ answer: @escaping @Sendable (SDKCall) async throws -> HTTPResponse
    ) -> HTTPReply {
        self.authenticated(request, for: { .parameter($0.requestorName) }) { call, caller in
            try await answer(SDKCall(call, caller, self.domain))
        }
    }

    /// An endpoint of the device class.
    func authenticated(
        _ request: HTTPRequest, for claim: (Call) -> RequestorClaim,
        _ answer: @escaping @Sendable (Call, Caller) async throws -> HTTPResponse
    ) -> HTTPReply {
        let call = Call(request, now: self.now())
        switch self.authenticator.authenticate(request, call.parameters, for: claim(call), now: call.now) {
        case .refused(let error): return .now(SDKAnswer.refusal(SDKRefusal(error)))
        case .caller(let caller):
            return .later { await self.answered(call) { try await answer(call, caller) } }
        case .undecided(let undecided):
            return .later {
                switch await self.authenticator.settle(undecided) {
                case .failure(let error): return SDKAnswer.refusal(SDKRefusal(error))
                case .success(let caller): return await self.answered(call) { try await answer(call, caller) }
                }
            }
        }
    }

    /// The answer, or the refusal it threw in the words of this face.
    private func answered(_ call: Call, _ answer: () async throws -> HTTPResponse) async -> HTTPResponse {
        do {
            return try await answer()
        } catch let refusal as SDKRefusal {
            return SDKAnswer.refusal(refusal)
        } catch let error as EntitlementError {
            return self.refused(call.request.id, error)
        } catch {
            return self.refused(call.request.id, EntitlementError(.internal, detail: "\(error)"))
        }
    }

    /// The wire's words for an error of the domain; what is the server's own fault is logged.
    func refused(_ request: RequestID, _ error: EntitlementError) -> HTTPResponse {
        let refusal = SDKRefusal(error)
        if case .error(let wire) = refusal, wire.status.code >= 500 {
            self.logger.error(
                "a request failed",
                [
                    .requestID: .text(request.description), .error: .text(error.code.description),
                    .detail: .text(error.detail ?? ""),
                ])
        }
        return SDKAnswer.refusal(refusal)
    }
}
