import Clientless
import Entitlement
import HTTPServer

// Providers that tell of a viewer who signed out there (OpenID Connect Back-Channel and Front-Channel Logout). Each has
// an address of its own here, so that its word counts for its own viewers alone.
extension Callbacks {
    private static let problems: [APIAnswer] = [
        .pageOrError(400, "The notice is not the provider's own, too old, or came before."),
        .pageOrError(404, "No such provider, or none that sends such notices."),
        .pageOrError(500, "The server's own fault; its log names the request."),
        .pageOrError(502, "The provider's keys could not be fetched."),
        .pageOrError(503, "The store does not answer.", headers: [.retryAfter]),
    ]

    static let logoutEndpoints: [Endpoint<Callbacks>] = [
        Endpoint(
            [.init(.post, "/sp/logout/{mvpd}", "takeLogout")], name: "provider-logout", .signIn,
            "Take a provider's word that a viewer signed out there",
            "OpenID Connect Back-Channel Logout. The sign-ins that came of the session end, or all of the viewer.",
            section: "own", requestor: .nowhere, limits: .notices, bodyLimit: .form,
            fields: [.required("logout_token", .text(1...32_768), "The provider's signed notice; it counts once.")],
            answers: [APIAnswer(200, "Taken, whether or not there was a sign-in to end.")] + problems, errors: .people,
            handler: .open { face, call in
                let token = try call.required("logout_token")
                return try await face.end(by: .backChannel(token: token), "logout_token", call)
            }),
        Endpoint(
            [.init(.get, "/sp/logout/{mvpd}", "takeLogoutByBrowser")], name: "provider-logout", .signIn,
            "Take a provider's word that a viewer signed out there, from the viewer's browser",
            "OpenID Connect Front-Channel Logout, where the operator has agreed to it.", section: "own",
            requestor: .nowhere, limits: .browsers, bodyLimit: .page,
            fields: [
                .required("iss", .text(1...2048), "What the provider is called."),
                .required("sid", .text(1...255), "The session that ended there."),
            ],
            answers: [
                APIAnswer(200, "Taken, whether or not there was a sign-in to end."),
                .pageOrError(429, "Too many calls from this address.", headers: [.retryAfter]),
            ] + problems, errors: .people,
            handler: .open { face, call in
                let (issuer, session) = (try call.required("iss"), try call.required("sid"))
                return try await face.end(by: .frontChannel(issuer: issuer, session: session), "sid", call)
            }),
    ]

    /// - Parameter field: what is to blame for a notice that proves nothing.
    private func end(by notice: ProviderNotice, _ field: String, _ call: Call) async throws -> HTTPResponse {
        guard let mvpd = MVPDID(call.request.segment("mvpd")) else { throw WireError.notFound }
        do throws(EntitlementError) {
            _ = try await self.domain.operations.take(notice, from: mvpd, now: call.now)
        } catch {
            guard error.code != .unknownProvider else { throw WireError.notFound }
            switch error.providerFault {
            case .unproven, .misconfigured, .sessionOver: throw WireError.invalid(field)
            case .unreachable: throw WireError(.badGateway, "Bad Gateway")
            case .failed, nil: throw error
            }
        }
        return Answer.empty(.ok)
    }
}
