import Clientless
import Entitlement
import HTTPServer

// The addresses that rest-v1 13.4 names, which do not say whose answer it is. A login at a provider that sends browsers
// back goes on as at the provider's own address; one at a page of this server goes back to its page.
extension Callbacks {
    private static let relayState = APIField.required(
        "RelayState", .text(1...128), "The login, as the provider was told it.")
    private static let assertion = APIField.required("SAMLResponse", .text(1...131_072), "Base64 of the response.")

    private static let answers: [APIAnswer] = [
        APIAnswer(
            302, "Back to the page where the login began, unchanged, after success and failure.",
            headers: [.location, .cookie]),
        APIAnswer(307, "To the address of the login's own provider, with the same answer.", headers: [.location]),
        .pageOrError(400, "A parameter is missing, or the login is unknown, over, or another browser's."), tooMany,
        fault, storeless,
    ]

    static let classicEndpoints: [Endpoint<Callbacks>] = [
        Endpoint(
            [(.post, "/sp/saml/SAMLAssertionConsumer", "acceptAssertion")], name: "saml-assertion", .signIn,
            "Take a SAML provider's answer to a login", section: "rest-v1 13.4", requestor: .nowhere,
            limits: .browsers, bodyLimit: .assertion, fields: [assertion, relayState], answers: answers,
            errors: .people,
            handler: .open { face, call in
                _ = try call.required("SAMLResponse")
                return try await face.endLogin(call, "RelayState")
            }),
        Endpoint(
            [(.get, "/adobe-services/oauth2", "acceptGrant")], name: "oauth2-callback", .signIn,
            "Take an OAuth provider's answer to a login", section: "rest-v1 13.4", requestor: .nowhere,
            limits: .browsers, bodyLimit: .page,
            fields: [
                .optional("code", .text(0...4096), "The grant."),
                .optional("error", .text(0...256), "Why there is no grant."),
                .required("state", .text(1...128), "The login, as the provider was told it."),
            ], answers: answers, errors: .people,
            handler: .open { face, call in
                if call.parameters["error"] == nil { _ = try call.required("code") }
                return try await face.endLogin(call, "state")
            }),
        Endpoint(
            [(.get, "/sp/saml/LogoutServiceHTTPRedirectResponse", "endProviderLogout")], name: "saml-logout",
            .signIn, "Take a SAML provider's answer to a logout", section: "rest-v1 13.4", requestor: .nowhere,
            limits: .browsers, bodyLimit: .page, fields: [assertion, relayState],
            answers: answers + [APIAnswer(303, "To the first page.", headers: [.location])], errors: .people,
            handler: .open { _, call in
                _ = try call.required("SAMLResponse")
                // The box was signed out before its viewer went to the provider: nothing is left to end.
                return Self.home
            }),
    ]

    /// - Parameter name: the field that names the login.
    private func endLogin(_ call: Call, _ name: String) async throws -> HTTPResponse {
        let token = try call.required(name)
        if let mvpd = try await self.provider(of: token, call) {
            let query = call.request.method == .post ? "" : "?\(call.request.rawQuery)"
            return Answer.redirect(to: "/sp/login/\(mvpd)\(query)", status: .temporaryRedirect)
        }
        let browser = BrowserSession.of(call.request, isSecure: self.settings.isSecure(call.request))
        guard !browser.isNew, token.utf8.count <= 128 else { throw WireError.invalid(name) }
        let view: LoginView
        do throws(EntitlementError) {
            view = try await self.domain.logins.login(token, browser: browser.identity, now: call.now)
        } catch {
            guard error.code == .loginUnknown else { throw error }
            throw WireError.invalid(name)
        }
        let target =
            switch view.attempt.origin {
            case .foreignPage(let redirect): redirect
            case .secondScreen, .boxList: ScreenPath.signIn(token)
            }
        return Answer.redirect(to: target)
    }

    /// The provider of a login that sends browsers back; `nil` for any other.
    private func provider(of token: String, _ call: Call) async throws(EntitlementError) -> MVPDID? {
        do throws(EntitlementError) {
            let attempt = try await self.domain.logins.named(token, from: nil, now: call.now)
            switch attempt.progress {
            case .handedOver, .answered: return attempt.mvpd
            case .atProvider, .accepted, .completed, .closed: return nil
            }
        } catch {
            guard error.code == .loginUnknown else { throw error }
            return nil
        }
    }
}
