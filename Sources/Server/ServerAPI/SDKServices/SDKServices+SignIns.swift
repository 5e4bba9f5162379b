import Clientless
import Cryptography
import Entitlement
import HTTPServer

// Sign-ins without a code, and their end: `passive`, `temporary`, `platform`, `logout` (sdk-services 6).
extension SDKServices {
    static let signInEndpoints: [Endpoint<SDKServices>] = [
        operation(
            ["passive"], "Sign in with another requestor's sign-in", section: "sdk-services 6", bodyLimit: .documents,
            fields: [.sdkToken, .sdkProvider],
            answers: [
                .sdk("The token.", "AuthenticationResult"),
                .sdkRefusal(409, "`N000`: the provider does not do this, or not for this viewer."), .sdkExpired,
            ] + APIAnswer.sdkFailures(),
            handler: .box { try await $0.signInPassively($1) }),
        operation(
            ["temporary"], "Begin a trial",
            "At a provider whose login a rule skips at the moment, it signs in until the rule ends.",
            section: "sdk-services 6", bodyLimit: .form,
            fields: [.sdkProvider, .genericData] + APIField.sdkContext,
            answers: [.sdk("The token.", "AuthenticationResult")]
                + APIAnswer.sdkFailures(forbidden: "`N111`: the trial is used up."),
            handler: .box { try await $0.startTrial($1) }),
        operation(
            ["platform"], "Sign in with the operating system's answer", section: "sdk-services 6",
            bodyLimit: .assertion,
            fields: [
                .sdkProvider,
                .required("SAMLResponse", .text(1...131_072), "The answer: Base64 of a SAML response."),
            ] + APIField.sdkContext,
            answers: [.sdk("The token.", "AuthenticationResult")]
                + APIAnswer.sdkFailures(forbidden: "The answer is not accepted."),
            handler: .box { try await $0.exchangePlatformAnswer($1) }),
        operation(
            ["profile"], "Vouch for the account of the box to another requestor",
            "The agent of a box asks, with the sign-in of the box's account. An application of the other requestor signs "
                + "in with the answer, as the `SAMLResponse` of `platform`: once, within two minutes, on this device.",
            section: "access-enabler 10.5", bodyLimit: .documents,
            fields: [
                .sdkToken,
                .required(
                    "profile_request", .text(1...684), "Base64 of the other requestor's `profile-requests` answer."),
            ],
            answers: [
                .sdk("The profile.", "BoxAccountProfile"), .sdkExpired,
            ] + APIAnswer.sdkFailures(forbidden: "The account is of no use there, or not at present."),
            handler: .box { try await $0.vouch($1) }),
        operation(
            ["logout"], "Sign out", section: "sdk-services 6", bodyLimit: .documents, fields: [.sdkToken],
            answers: [
                .sdk("Signed out here; a browser should go to the provider, too.", "LogoutResult"),
                .empty(204, "Signed out."), .sdkExpired,
            ] + APIAnswer.sdkFailures(),
            handler: .box { try await $0.logout($1) }),
    ]

    /// The token presented is another requestor's, and is good for what that requestor may: which is to prove to the
    /// provider who the viewer is.
    private func signInPassively(_ call: SDKCall) async throws -> HTTPResponse {
        let mvpd = try call.mvpd()
        let record = try await self.domain.documents.authentication(
            presenting: call.call.required("authentication_token"), device: call.device, requestor: nil, now: call.now)
        let signIn: AuthNRecord
        do throws(EntitlementError) {
            signIn = try await self.domain.signIns.passiveSignIn(
                by: record, requestor: call.requestor, mvpd: mvpd, credential: call.credential, now: call.now)
        } catch {
            guard error.code == .providerUnavailable else { throw error }
            // The box asks the viewer then, as it does when the provider says no (sdk-services 6).
            throw EntitlementError(.passiveNotPossible, detail: error.detail)
        }
        return try await self.signedIn(call, signIn)
    }

    private func startTrial(_ call: SDKCall) async throws -> HTTPResponse {
        let mvpd = try call.mvpd()
        let person = try self.person(call, at: mvpd, isRequired: true)
        let context = try call.context(self.domain)
        return try await self.signedIn(
            call,
            self.domain.trials.start(
                context, requestor: call.requestor, mvpd: mvpd, person: person,
                by: call.caller.guesser(self.addresses, device: context.device), refusingExhausted: true,
                credential: call.credential, now: call.now))
    }

    private func exchangePlatformAnswer(_ call: SDKCall) async throws -> HTTPResponse {
        let mvpd = try call.mvpd()
        let response = try call.call.required("SAMLResponse")
        guard let integration = self.domain.catalogue.integration(call.requestor, mvpd)
        else { throw WireError.invalid("mso_id") }
        guard integration.platform?.takesPart == true else { throw SDKRefusal.withoutPlatform }
        return try await self.signedIn(
            call,
            self.domain.signIns.platformSignIn(
                call.context(self.domain), requestor: call.requestor, mvpd: mvpd, samlResponse: response,
                credential: call.credential, now: call.now))
    }

    private func vouch(_ call: SDKCall) async throws -> HTTPResponse {
        let record = try await self.presented(call)
        guard let request = Base64.decode(try call.call.required("profile_request"))
        else { throw WireError.invalid("profile_request") }
        let profile: String
        do throws(EntitlementError) {
            profile = try await self.domain.signIns.boxAccountProfile(for: request, by: record, now: call.now)
        } catch {
            guard error.code == .unknownProvider else { throw error }
            throw SDKRefusal.withoutPlatform
        }
        return SDKAnswer.result(SDKAnswer.profile, profile)
    }

    private func logout(_ call: SDKCall) async throws -> HTTPResponse {
        let record = try await self.presented(call, isLogout: true)
        guard let address = try await self.domain.signIns.logout(record, now: call.now)
        else { return Answer.empty(.noContent) }
        return SDKAnswer.result(SDKAnswer.logout, address)
    }

    func signedIn(_ call: SDKCall, _ record: AuthNRecord) async throws -> HTTPResponse {
        try await self.documents(of: record, device: call.device, requestor: call.requestor, now: call.now).response
    }
}

extension SDKServices {
    /// The person who tries, at a provider that recognises people (rest-v1 20.3); `nil` at any other.
    /// - Parameter isRequired: whether a call that does not say so is refused.
    func person(_ call: SDKCall, at mvpd: MVPDID, isRequired: Bool = false) throws(WireError) -> TrialIdentity? {
        guard let key = self.domain.catalogue.mvpd(mvpd)?.trial?.identityKey else { return nil }
        guard let text = call.call.parameters["generic_data"], !text.isEmpty else {
            if isRequired { throw .missing("generic_data") }
            return nil
        }
        guard let name = GenericData(text)?[key] else { throw .invalid("generic_data") }
        return self.domain.trials.person(name)
    }
}
