import Clientless
import Entitlement
import HTTPServer

// `authorize`, `tokens/authz`, `tokens/media` and `mediatoken`, `logout` (rest-v1 15, 16, 18).
extension RESTv1 {
    func addAuthorizationRoutes(to router: inout Router) {
        router.on(.get, .post, path: "/api/v1/authorize", name: "authorize", group: self.throttled) {
            self.device($0, .authorization) { try await self.authorize($0) }
        }
        router.on(.get, path: "/api/v1/tokens/authz", name: "tokens-authz", group: self.throttled) {
            self.device($0, .storedAuthorization) { try await self.storedAuthorization($0) }
        }
        for path in ["/api/v1/tokens/media", "/api/v1/mediatoken"] {
            router.on(.get, .post, path: path, name: "tokens-media", group: self.throttled) {
                self.device($0, .mediaToken) { try await self.mediaToken($0) }
            }
        }
        router.on(.delete, path: "/api/v1/logout", name: "logout", group: self.throttled) {
            self.device($0, for: { .parameter($0.requestorName, orElse: .optional) }, .authentication) {
                try await self.logout($0)
            }
        }
    }

    /// What a decision is asked about.
    private struct Question {
        let requestor: RequestorID
        let context: DeviceContext
        let resource: Resource
    }

    private func question(_ device: DeviceCall) throws(WireError) -> Question {
        Question(
            requestor: try device.requestor(), context: try self.context(of: device.call),
            resource: try device.call.resource())
    }

    /// rest-v1 15.1.
    private func authorize(_ device: DeviceCall) async throws -> HTTPResponse {
        let question = try self.question(device)
        let person = try await self.person(of: device.call, question.context, question.requestor)
        let record = try await self.domain.decisions.authorize(
            question.resource, context: question.context, requestor: question.requestor, person: person,
            now: device.call.now)
        return Answer.document(.authorization(record), device.call.format)
    }

    /// Who tries, where the device is signed in at a promotional trial and the call says it (rest-v1 20.3). What else
    /// says `generic_data`, or says it wrongly, is asked about as if it had not.
    private func person(
        of call: Call, _ context: DeviceContext, _ requestor: RequestorID
    ) async throws(EntitlementError) -> TrialIdentity? {
        guard let text = call.parameters["generic_data"], !text.isEmpty,
            case .signedIn(let record) = try await self.domain.signIns.deviceStanding(
                of: context, requestor: requestor, now: call.now),
            let key = self.domain.catalogue.mvpd(record.mvpd)?.trial?.identityKey
        else { return nil }
        return GenericData(text)?[key].map { self.domain.trials.person($0) }
    }

    /// rest-v1 15.2.
    private func storedAuthorization(_ device: DeviceCall) async throws -> HTTPResponse {
        let question = try self.question(device)
        let record = try await self.domain.decisions.storedAuthorization(
            question.resource, context: question.context, requestor: question.requestor, now: device.call.now)
        return Answer.document(.authorization(record), device.call.format)
    }

    /// rest-v1 16.
    private func mediaToken(_ device: DeviceCall) async throws -> HTTPResponse {
        let question = try self.question(device)
        let token = try await self.domain.decisions.mediaToken(
            question.resource, context: question.context, requestor: question.requestor, now: device.call.now)
        return Answer.document(.mediaToken(token), device.call.format)
    }

    /// rest-v1 18: 204 whatever was stored.
    private func logout(_ device: DeviceCall) async throws -> HTTPResponse {
        try await self.domain.signIns.logout(try self.context(of: device.call))
        return Answer.empty(.noContent)
    }
}
