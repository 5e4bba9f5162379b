import Clientless
import Cryptography
import Entitlement
import HTTPServer

// `authorize`, `tokens/authz`, `tokens/media` and `mediatoken`, `logout` (rest-v1 15, 16, 18).
extension RESTv1 {
    func addAuthorizationRoutes(to router: inout Router) {
        router.on(.get, .post, path: "/api/v1/authorize", name: "authorize", group: self.throttled) {
            self.device($0, .authorization) { try await self.authorize($0) }
        }
        router.on(.get, path: "/api/v1/tokens/authz", name: "tokens-authz", group: self.throttled) {
            self.device($0, .authorization) { try await self.storedAuthorization($0) }
        }
        for path in ["/api/v1/tokens/media", "/api/v1/mediatoken"] {
            router.on(.get, .post, path: path, name: "tokens-media", group: self.throttled) {
                self.device($0, .authorization) { try await self.mediaToken($0) }
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
        guard let requestor = device.caller.requestor else { throw .missing("requestor") }
        return Question(
            requestor: requestor, context: try self.context(of: device.call), resource: try device.call.resource())
    }

    /// rest-v1 15.1.
    private func authorize(_ device: DeviceCall) async throws -> HTTPResponse {
        let question = try self.question(device)
        let record = try await self.pairing.authorize(
            question.resource, context: question.context, requestor: question.requestor, now: device.call.now)
        return Answer.document(.authorization(record), device.call.format)
    }

    /// rest-v1 15.2: other statuses than everywhere else.
    private func storedAuthorization(_ device: DeviceCall) async throws -> HTTPResponse {
        let question = try self.question(device)
        do throws(EntitlementError) {
            let record = try await self.pairing.storedAuthorization(
                question.resource, context: question.context, requestor: question.requestor, now: device.call.now)
            return Answer.document(.authorization(record), device.call.format)
        } catch {
            switch error.code {
            case .notAuthenticated, .authenticationExpired:
                throw WireError(.preconditionFailed, "User not authenticated", details: .text(nil))
            case .authorizationMissing: throw WireError(.notFound, "Not Found", xml: "Not found", details: .text(nil))
            case .authorizationExpired: throw WireError(.gone, "Gone", details: .text(nil))
            default: throw error
            }
        }
    }

    /// rest-v1 16.
    private func mediaToken(_ device: DeviceCall) async throws -> HTTPResponse {
        let question = try self.question(device)
        let token = try await self.pairing.mediaToken(
            question.resource, context: question.context, requestor: question.requestor, now: device.call.now)
        return Answer.document(.mediaToken(token), device.call.format)
    }

    /// rest-v1 18: 204 whatever was stored.
    private func logout(_ device: DeviceCall) async throws -> HTTPResponse {
        try await self.pairing.logout(try self.context(of: device.call))
        return Answer.empty(.noContent)
    }
}

extension WireDocument {
    /// rest-v1 15.1.
    fileprivate static func authorization(_ record: AuthZRecord) -> WireDocument {
        let object = WireObject(
            [
                .init("mvpd", .string(record.mvpd.text)), .init("resource", .string(record.resource.text)),
                .init("requestor", .string(record.requestor.text)),
                .init("expires", .string(String(record.expires.milliseconds))),
            ],
            xmlOrder: ["expires", "mvpd", "requestor", "resource"])
        return WireDocument("authorization", object)
    }

    /// rest-v1 16. The provider is `mvpdId` here and `mvpd` everywhere else.
    fileprivate static func mediaToken(_ token: IssuedMediaToken) -> WireDocument {
        let object = WireObject(
            [
                .init("resource", .string(token.resource.text)), .init("requestor", .string(token.requestor.text)),
                .init("expires", .string(String(token.expires.milliseconds))),
                .init("serializedToken", .string(Base64.encode(token.document.utf8))),
                .init("userId", .string(token.userID)), .init("mvpdId", .string(token.mvpd.text)),
            ],
            xmlOrder: ["expires", "mvpdId", "requestor", "resource", "serializedToken", "userId"])
        return WireDocument("play", object)
    }
}
