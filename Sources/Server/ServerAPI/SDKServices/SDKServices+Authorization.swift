import Clientless
import Entitlement
import HTTPServer

// `authorize`, `shortAuthorize`, `preauthorize`, `usermetadata`, and what the device forms are called (sdk-services 4
// to 6).
extension SDKServices {
    func addAuthorizationRoutes(to router: inout Router) {
        self.on("authorize", "authorizeDevice", router: &router) {
            self.device($0) { try await self.authorize($0) }
        }
        self.on("shortAuthorize", "deviceShortAuthorize", router: &router) {
            self.device($0) { try await self.mediaToken($0) }
        }
        self.on("preauthorize", router: &router) { self.device($0) { try await self.preauthorize($0) } }
        self.on("usermetadata", router: &router) { self.device($0) { try await self.userMetadata($0) } }
    }

    /// The sign-in behind the AuthN document a call presents.
    func presented(_ call: SDKCall) async throws -> AuthNRecord {
        try await self.domain.documents.authentication(
            presenting: call.required("authentication_token"), device: call.device, requestor: call.requestor,
            now: call.now)
    }

    /// sdk-services 4. The token says which provider; `mso_id` is not asked.
    private func authorize(_ call: SDKCall) async throws -> HTTPResponse {
        let resource = try call.resource()
        let record = try await self.presented(call)
        let decision = try await self.domain.decisions.authorize(
            resource, by: record, requestor: call.requestor, person: try self.person(call, at: record.mvpd),
            now: call.now)
        let document = try self.domain.documents.authorizationDocument(of: decision, device: call.device)
        let metadata =
            call.call.parameters["userMeta"] == "1"
            ? try await self.userMetadata(of: record, requestor: call.requestor, now: call.now) : nil
        return SDKAnswer.result([("authzToken", document), ("userMeta", metadata)])
    }

    /// sdk-services 5.
    private func mediaToken(_ call: SDKCall) async throws -> HTTPResponse {
        let (decision, record) = try await self.domain.documents.authorization(
            presenting: call.required("authz_token"), device: call.device, requestor: call.requestor, now: call.now)
        // A box that names another sign-in than the one the decision rests on has an AuthN token that is over.
        let named = call.call.parameters["session_guid"] ?? ""
        if !named.isEmpty, call.call.parameters["hashed_guid"] != "true", named != record.id.text {
            throw SDKRefusal.pendingLogout
        }
        return SDKAnswer.raw(try self.domain.decisions.mediaToken(for: decision, of: record, now: call.now).document)
    }

    /// sdk-services 6. `cache` has nothing to switch: every preauthorization is decided anew.
    private func preauthorize(_ call: SDKCall) async throws -> HTTPResponse {
        let resources = try self.resources(call)
        let record = try await self.presented(call)
        let verdicts = try await self.domain.decisions.preauthorize(
            resources, by: record, requestor: call.requestor, now: call.now)
        let style = self.styles.style(for: call.requestor, trace: call.call.request.id)
        return Answer.document(.preauthorization(verdicts, on: resources, style), .json)
            .adding("Adobe-Response-Confidence", "full")
    }

    /// Every `resource_id`, each once, in the order given (rest-v1 17).
    private func resources(_ call: SDKCall) throws(SDKRefusal) -> [Resource] {
        var resources: [Resource] = []
        var seen: Set<Resource> = []
        for text in call.call.parameters.all("resource_id") where !text.allSatisfy(\.isWhitespace) {
            guard let resource = SDKCall.resource(text) else { throw .invalidResource }
            if seen.insert(resource).inserted { resources.append(resource) }
        }
        guard !resources.isEmpty else { throw .missing("resource_id") }
        return resources
    }

    private func userMetadata(_ call: SDKCall) async throws -> HTTPResponse {
        let record = try await self.presented(call)
        let json = try await self.userMetadata(of: record, requestor: call.requestor, now: call.now)
        return HTTPResponse(
            headers: HTTPHeaders([("Content-Type", WireFormat.json.contentType), ("Cache-Control", Answer.uncached)]),
            body: .text(json))
    }
}
