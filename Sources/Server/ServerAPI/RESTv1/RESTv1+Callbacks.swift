import Clientless
import Entitlement
import HTTPServer

// Where providers send browsers back to (rest-v1 13.4).
//
// None of this server's providers signs viewers in elsewhere, so no answer that comes here can be good: a login that is
// known goes back to its page without a sign-in, and everything else is 400.
extension RESTv1 {
    func addCallbackRoutes(to router: inout Router) {
        router.on(.post, path: "/sp/saml/SAMLAssertionConsumer", name: "saml-assertion", group: self.unthrottled) {
            self.callback($0, "RelayState") { _ = try $0.required("SAMLResponse") }
        }
        router.on(.get, path: "/adobe-services/oauth2", name: "oauth2-callback", group: self.unthrottled) {
            self.callback($0, "state") { call in
                guard call.parameters["error"] == nil else { return }
                _ = try call.required("code")
            }
        }
        router.on(
            .get, path: "/sp/saml/LogoutServiceHTTPRedirectResponse", name: "saml-logout", group: self.unthrottled
        ) { request in
            let call = Call(request, now: self.now())
            return .later {
                await self.shownToPeople(call) {
                    _ = try call.required("SAMLResponse")
                    // No logout is under way that this could end.
                    throw WireError.invalid("RelayState")
                }
            }
        }
    }

    private func callback(
        _ request: HTTPRequest, _ name: String, _ check: @escaping @Sendable (Call) throws -> Void
    ) -> HTTPReply {
        let call = Call(request, now: self.now())
        return .later {
            await self.shownToPeople(call) {
                try check(call)
                return try await self.endLogin(call, token: try call.required(name), name)
            }
        }
    }

    private func endLogin(_ call: Call, token: String, _ name: String) async throws -> HTTPResponse {
        let browser = BrowserSession.of(call.request, isSecure: self.settings.isSecure(call.request))
        guard !browser.isNew, token.utf8.count <= 128 else { throw WireError.invalid(name) }
        let view: LoginView
        do throws(EntitlementError) {
            view = try await self.domain.logins.login(token, browser: browser.secret, now: call.now)
        } catch {
            guard error.code == .loginUnknown else { throw error }
            throw WireError.invalid(name)
        }
        let target =
            switch view.attempt.origin {
            case .foreignPage(let redirect): redirect
            case .secondScreen: ScreenPath.signIn(token)
            }
        return HTTPResponse.redirect(to: target).adding("Cache-Control", Answer.uncached)
    }
}
