import Clientless
import Entitlement
import HTTPServer

// Sign-ins without a code, and their end: `passive`, `temporary`, `platform`, `logout` (sdk-services 6).
extension SDKServices {
    func addSignInRoutes(to router: inout Router) {
        self.on("passive", router: &router) { self.device($0) { try await self.signInPassively($0) } }
        self.on("temporary", router: &router) { self.device($0) { try await self.startTrial($0) } }
        self.on("platform", router: &router) { self.device($0) { try await self.exchangePlatformAnswer($0) } }
        self.on("logout", router: &router) { self.device($0) { try await self.logout($0) } }
    }

    /// The token presented is another requestor's, and is good for what that requestor may: which is to prove to the
    /// provider who the viewer is.
    private func signInPassively(_ call: SDKCall) async throws -> HTTPResponse {
        let mvpd = try call.mvpd()
        let record = try await self.domain.documents.authentication(
            presenting: call.required("authentication_token"), device: call.device, requestor: nil, now: call.now)
        return try await self.signedIn(
            call,
            self.domain.signIns.passiveSignIn(by: record, requestor: call.requestor, mvpd: mvpd, now: call.now))
    }

    private func startTrial(_ call: SDKCall) async throws -> HTTPResponse {
        let mvpd = try call.mvpd()
        let person = try self.person(call, at: mvpd, isRequired: true)
        return try await self.signedIn(
            call,
            self.domain.trials.start(
                call.context(self.domain), requestor: call.requestor, mvpd: mvpd, person: person,
                refusingExhausted: true, now: call.now))
    }

    private func exchangePlatformAnswer(_ call: SDKCall) async throws -> HTTPResponse {
        try await self.signedIn(
            call,
            self.domain.signIns.platformSignIn(
                call.context(self.domain), requestor: call.requestor, mvpd: call.mvpd(),
                samlResponse: call.required("SAMLResponse"), now: call.now))
    }

    private func logout(_ call: SDKCall) async throws -> HTTPResponse {
        let record = try await self.presented(call)
        switch try await self.domain.signIns.logout(record) {
        case .done: return Answer.empty(.noContent)
        case .userAgent(let url): return SDKAnswer.result([("logoutUrl", url)])
        }
    }

    private func signedIn(_ call: SDKCall, _ record: AuthNRecord) async throws -> HTTPResponse {
        try await self.documents(
            of: record, device: call.device, requestor: call.requestor, now: call.now
        ).response
    }
}

extension SDKServices {
    /// Who tries, at a provider that recognises people (rest-v1 20.3); none at any other.
    /// - Parameter isRequired: whether a call that does not say so is refused.
    func person(_ call: SDKCall, at mvpd: MVPDID, isRequired: Bool = false) throws(SDKRefusal) -> TrialIdentity? {
        guard let key = self.domain.catalogue.mvpd(mvpd)?.trial?.identityKey else { return nil }
        guard let text = call.call.parameters["generic_data"], !text.isEmpty else {
            if isRequired { throw .missing("generic_data") }
            return nil
        }
        guard let name = GenericData(text)?[key] else { throw .invalid("generic_data") }
        return self.domain.trials.person(name)
    }
}
