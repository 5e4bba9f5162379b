import Clientless
import Cryptography
import Entitlement
import HTTPServer

/// Passkeys on the pages: signing in with one, and adding one once the box is signed in. A script asks the browser and
/// fills in a form that is sent like any other; without it the forms stay hidden, and the password is the way in.
extension SecondScreen {
    static let passkeyEndpoints: [Endpoint<SecondScreen>] = [
        form(
            ScreenPath.passkeys, "activate-sign-in-passkeys", .passkeySignIn,
            [attempt, .required("account", .text(0...256), "The account.")], answers: [.page(200)]
        ) { try await $0.listPasskeys($1) },
        form(
            ScreenPath.passkeySignIn, "activate-sign-in-passkey", .passkeySignIn,
            [
                attempt, .required("credential", .text(0...1364), "The passkey's ID, in Base64."),
                .required("client_data", .text(0...5462), "The browser's client data."),
                .required("authenticator_data", .text(0...5462), "The authenticator's data."),
                .required("signature", .text(0...683), "Signs both."),
                .optional("user_handle", .text(0...86), "The user of the passkey."),
            ], answers: goesOn
        ) { try await $0.takePasskey($1) },
        form(
            ScreenPath.passkey, "activate-passkey", .passkey,
            [
                attempt,
                .required("client_data", .text(0...5462), "The browser's client data for a new passkey."),
                .required("attestation", .text(0...10923), "The new passkey."),
            ], answers: goesOn
        ) { try await $0.takeNewPasskey($1) },
    ]

    /// The credentials of the account that the viewer typed, one in a line.
    func listPasskeys(_ visit: Visit) async throws -> ScreenAnswer {
        let name = visit.form["account"] ?? ""
        guard (1...256).contains(name.utf8.count) else { throw Problem(.malformed) }
        let view = try await self.login(visit.form["attempt"] ?? "", visit)
        guard self.party != nil, view.stage(at: visit.now) == .signIn else { throw Problem(.session) }
        let credentials = try await self.domain.passkeys.credentials(listedFor: name, in: view)
        return .lines(credentials.map { Base64.encodeURL($0) })
    }

    func takePasskey(_ visit: Visit) async throws -> ScreenAnswer {
        let token = visit.form["attempt"] ?? ""
        guard let party = self.party, let assertion = Self.assertion(of: visit) else { throw Problem(.malformed) }
        let view = try await self.login(token, visit)
        guard view.stage(at: visit.now) == .signIn else { return try self.proceed(view, token, visit) }
        var page = self.signInPage(view, token, visit)
        do {
            switch try await self.domain.passkeys.signIn(
                token, browser: visit.browser.identity, with: assertion, at: party, by: visit.guesser, now: visit.now)
            {
            case .went(let view): return try self.proceed(view, token, visit)
            case .refused(let view, _):
                page.values["problem"] = .phrase(Phrase(.passkeyRefused))
                return self.page(page, for: view, status: .forbidden)
            case nil:
                page.values["problem"] = .phrase(Phrase(.passkeyLate))
                return self.page(page, for: view, status: .badRequest)
            }
        } catch let error as EntitlementError {
            return try await self.answer(error, with: page, for: view, token, visit)
        }
    }

    func takeNewPasskey(_ visit: Visit) async throws -> ScreenAnswer {
        let token = visit.form["attempt"] ?? ""
        guard let party = self.party, let registration = Self.registration(of: visit)
        else { throw Problem(.malformed) }
        _ = try await self.login(token, visit)
        let (view, isKept) = try await self.domain.passkeys.register(
            token, browser: visit.browser.identity, registration, at: party, now: visit.now)
        guard !isKept, view.stage(at: visit.now) == .done, view.attempt.origin == .secondScreen
        else { return try self.proceed(view, token, visit) }
        let page = await self.donePage(view, token, visit, problem: .passkeyNotKept)
        return .page(page, status: .badRequest, login: token)
    }

    /// The request of a page to the browser's authenticators, for the script that asks: for a passkey of an account, or,
    /// with an offer, to make one.
    /// - Returns: nothing under each name if there is no question.
    func passkeyQuestion(
        _ challenge: [UInt8]?, _ purpose: FormToken.Purpose, _ visit: Visit, _ offer: PasskeyOffer? = nil
    ) -> TemplateValues {
        let party = challenge == nil ? nil : self.party
        let isAsked = party != nil
        return [
            "passkeyChallenge": .optional(isAsked ? challenge.map { Base64.encodeURL($0) } : nil),
            "passkeyParty": .optional(party?.id),
            "passkeyOrigin": .optional(party?.origin),
            "passkeyToken": isAsked ? self.formToken(purpose, visit) : .absent,
            "passkeyHandle": .optional(offer.map { Base64.encodeURL($0.handle) }),
            "passkeyAccount": .optional(offer?.accountName),
            "passkeyKnown": .optional(offer.map { $0.known.map { Base64.encodeURL($0) }.joined(separator: " ") }),
        ]
    }

    private static func assertion(of visit: Visit) -> PasskeyAssertion? {
        guard let credential = self.bytes("credential", of: visit), let data = self.bytes("client_data", of: visit),
            let signed = self.bytes("authenticator_data", of: visit),
            let signature = self.bytes("signature", of: visit)
        else { return nil }
        return PasskeyAssertion(
            credential: credential, clientData: data, authenticatorData: signed, signature: signature,
            userHandle: self.bytes("user_handle", of: visit) ?? [])
    }

    private static func registration(of visit: Visit) -> PasskeyRegistration? {
        guard let data = self.bytes("client_data", of: visit), let attestation = self.bytes("attestation", of: visit)
        else { return nil }
        return PasskeyRegistration(clientData: data, attestation: attestation)
    }

    /// The bytes of a field, which the script wrote in Base64; the whole form is bounded.
    private static func bytes(_ field: String, of visit: Visit) -> [UInt8]? {
        visit.form[field].flatMap { Base64.decodeURL($0) }
    }
}
