package import Clientless
package import Entitlement
package import HTTPServer
package import Observability

/// What operators' programs call: TempPass reset (rest-v1 20.5), degradation (25), and under `/management/v1` what no
/// protocol document has: revocation, the records of a device, and the audit log.
///
/// Every call shows a bearer token with the scope of its family and reaches the requestors of its application alone.
/// One file for each family; this one has what they share. Ours are these, in JSON or XML like everything else:
///
/// | Call | Scope | Answer |
/// |---|---|---|
/// | `GET /management/v1/devices/records?deviceId=` | `devices:owner` | 200 `deviceRecords`: sign-ins, decisions |
/// | `DELETE /management/v1/devices/records?deviceId=` | `devices:owner` | 204, also when there is nothing |
/// | `DELETE /management/v1/authentications/{id}` | `devices:owner` | 204; 404 unknown, or another's requestor |
/// | `DELETE /management/v1/key-pairs/{publicKey}` | `credentials:owner` | 204; 404 unknown, or others' as well |
/// | `DELETE /management/v1/applications/{softwareId}` | `credentials:owner` | the same |
/// | `GET /management/v1/audit?limit=` | either | 200 `audit`, at most 1000 entries; 403 unless all is the caller's |
///
/// All: 400 for a parameter that is missing or wrong, 401 and 403 as rest-v1 7.6 has them, 429 and 503 with
/// `Retry-After`.
package final class Management: Sendable {
    let domain: Entitlements
    let settings: APISettings
    let authenticator: Authenticator
    let throttle: Throttle?
    let degradationLimit: ManagementLimit?
    let now: @Sendable () -> Timestamp
    let logger: Logger

    /// - Parameters:
    ///   - authenticator: knows the access tokens; none of these calls is of its class otherwise.
    ///   - degradationCalls: degradation calls one address may make in a minute; none is no limit.
    package init(
        domain: Entitlements, settings: APISettings, authenticator: Authenticator, throttle: Throttle?,
        degradationCalls: Int?, logger: Logger, now: @escaping @Sendable () -> Timestamp
    ) {
        self.domain = domain
        self.settings = settings
        self.authenticator = authenticator
        self.throttle = throttle
        self.degradationLimit = degradationCalls.map { ManagementLimit(callsPerMinute: $0) }
        self.now = now
        self.logger = logger.named("management")
    }

    /// Adds every endpoint of this face.
    package func addRoutes(to router: inout Router) {
        self.addTrialRoutes(to: &router)
        self.addDegradationRoutes(to: &router)
        self.addDeviceRoutes(to: &router)
        self.addCredentialRoutes(to: &router)
        self.addAuditRoutes(to: &router)
    }

    var group: RouteGroup { self.group(self.throttle) }

    /// Endpoints behind `throttle`, and whatever limit there is on the pages that may call.
    func group(_ throttle: Throttle?) -> RouteGroup {
        .api(throttle: throttle, settings: self.settings, authenticator: self.authenticator, now: self.now)
    }
}

// How endpoints are put together.
extension Management {
    /// An endpoint: finds out who calls, lets `answer` act, and words what either threw.
    func managed(
        _ request: HTTPRequest, _ scopes: ManagementScopes,
        _ answer: @escaping @Sendable (Call, ManagementCaller) async throws -> HTTPResponse
    ) -> HTTPReply {
        .later {
            let call = Call(request, now: self.now())
            do {
                let caller = try await self.caller(of: call, scopes)
                return try await answer(call, caller)
            } catch let error as WireError {
                return Answer.error(error, call.format)
            } catch let error as EntitlementError {
                return self.refused(call, error)
            } catch {
                return self.refused(call, EntitlementError(.internal, detail: "\(error)"))
            }
        }
    }

    /// The client behind a call (rest-v1 7.6). A signed call is not one of this class, whoever signed it.
    private func caller(of call: Call, _ scopes: ManagementScopes) async throws -> ManagementCaller {
        let token: String
        switch AuthorizationScheme(call.request, call.parameters) {
        case .bearer(let text): token = text
        case .contradiction: throw WireError.bearerContradicted
        case .signedRequest, .emptyBearer, .none: throw WireError.bearerMissing
        }
        guard let claims = self.authenticator.accessTokens.claims(of: token, now: call.now) else {
            throw WireError.bearerRefused
        }
        let credentials = self.domain.credentials
        guard let client = try await credentials.client(claims.clientID),
            let application = credentials.application(client.softwareID),
            application.ends.map({ call.now < $0 }) ?? true,
            scopes.areMet(byToken: claims.scopes, application: application.scopes)
        else { throw WireError.clientRefused }
        return ManagementCaller(clientID: client.clientID, requestors: Set(application.requestors))
    }

    /// The wire's words for an error of the domain; what is the server's own fault is logged.
    private func refused(_ call: Call, _ error: EntitlementError) -> HTTPResponse {
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

}
