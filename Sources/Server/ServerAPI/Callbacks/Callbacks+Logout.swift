import Clientless
import Entitlement
import HTTPServer

// Providers that tell of a viewer who signed out there (OpenID Connect Back-Channel and Front-Channel Logout; SAML 2.0
// Profiles 4.4). Each has an address of its own here, so that its word counts for its own viewers alone.
extension Callbacks {
    private static let problems: [APIAnswer] = [
        .pageOrError(400, "The notice is not the provider's own, too old, or came before."),
        .pageOrError(404, "No such provider, or none that sends such notices."),
        tooMany, fault, .pageOrError(502, "The provider's keys could not be fetched."), storeless,
    ]

    private static let taken = APIAnswer(
        200,
        "Taken, whether or not there was a sign-in to end; for a provider that takes answers as forms, with a page whose "
            + "form brings it the answer.", [.html])

    private static let request = APIField.optional(
        "SAMLRequest", .text(1...ProviderCallback.maximumSize), "A provider's signed LogoutRequest; it counts once.")
    private static let response = APIField.optional(
        "SAMLResponse", .text(1...ProviderCallback.maximumSize), "A provider's signed answer to a logout.")
    private static let relayState = APIField.optional(
        "RelayState", .text(0...1024), "Comes back with the answer to a LogoutRequest.")

    static let logoutEndpoints: [Endpoint<Callbacks>] = [
        Endpoint(
            [(.post, "/sp/logout/{mvpd}", "takeLogout")], name: "provider-logout", .signIn,
            "Take a provider's word that a viewer signed out there",
            "OpenID Connect Back-Channel Logout, or the HTTP POST binding of SAML 2.0 Single Logout. The sign-ins that came "
                + "of the session end, or all of the viewer. One of `logout_token`, `SAMLRequest` and `SAMLResponse` is "
                + "needed.",
            section: "own", requestor: .nowhere, limits: .notices, bodyLimit: .assertion,
            fields: [
                .optional("logout_token", .text(1...32_768), "The provider's signed notice; it counts once."),
                request, response, relayState,
            ],
            answers: [
                taken,
                APIAnswer(303, "Taken; the browser brings the answer to the provider.", headers: [.location]),
            ] + problems, errors: .people,
            handler: .open { face, call in
                if let name = Self.message(of: call) { return try await face.end(byMessage: name, .post, call) }
                let token = try call.required("logout_token")
                return try await face.end(by: .backChannel(token: token), "logout_token", call)
            }),
        Endpoint(
            [(.get, "/sp/logout/{mvpd}", "takeLogoutByBrowser")], name: "provider-logout", .signIn,
            "Take a provider's word that a viewer signed out there, from the viewer's browser",
            "OpenID Connect Front-Channel Logout, if the operator has agreed to it, with `iss` and `sid`; or the HTTP "
                + "Redirect binding of SAML 2.0 Single Logout, with `SAMLRequest` or `SAMLResponse` and a signature. A request "
                + "of this server's own, for a provider that takes requests as forms alone, is answered with the page whose "
                + "form brings it there.",
            section: "own", requestor: .nowhere, limits: .browsers, bodyLimit: .page,
            fields: [
                .optional("iss", .text(1...2048), "The issuer of the provider."),
                .optional("sid", .text(1...255), "The session that ended there."), request, response, relayState,
                .optional("SigAlg", .text(1...256), "How the query is signed."),
                .optional("Signature", .text(1...2048), "Base64 of the signature over the query."),
            ],
            answers: [
                taken,
                APIAnswer(
                    303, "The browser brings the answer to the provider, or has nothing more to bring.",
                    headers: [.location]),
            ] + problems, errors: .people,
            handler: .open { face, call in
                if let name = Self.message(of: call) { return try await face.end(byMessage: name, .get, call) }
                // The address after a logout of ours, registered at the provider by mistake: there is nothing to end.
                if call.request.query.pairs.isEmpty { return Self.home }
                let (issuer, session) = (try call.required("iss"), try call.required("sid"))
                return try await face.end(by: .frontChannel(issuer: issuer, session: session), "sid", call)
            }),
        Endpoint(
            [(.post, "/sp/logout/{mvpd}/soap", "takeLogoutBySOAP")], name: "provider-logout", .signIn,
            "Take a provider's request for a logout, in an envelope",
            "The SOAP binding of SAML 2.0 Single Logout. The answer is signed.", section: "own", requestor: .nowhere,
            limits: .notices, bodyLimit: .form, fields: [], body: .xml,
            answers: [
                APIAnswer(
                    200, "Taken, whether or not there was a sign-in to end.",
                    [.init(type: "text/xml", schema: .text())])
            ] + problems, errors: .people,
            handler: .open { face, call in
                try await face.end(by: .envelope(call.request.body), "LogoutRequest", call)
            }),
        Endpoint(
            [(.get, "/sp/metadata/{mvpd}", "getServiceMetadata")], name: "provider-metadata", .signIn,
            "Read what a provider has to know of this server", "SAML 2.0 Metadata, signed with this server's key.",
            section: "own", requestor: .nowhere, limits: .browsers, bodyLimit: .page, fields: [],
            answers: [
                APIAnswer(
                    200, "The metadata.", [.init(type: "application/samlmetadata+xml", schema: .text())],
                    caching: "public, max-age=3600"),
                .pageOrError(404, "No such provider, or none that needs such a document."), tooMany, fault,
            ], errors: .people,
            handler: .open { face, call in
                guard let mvpd = MVPDID(call.request.segment("mvpd")) else { throw WireError.notFound }
                do throws(EntitlementError) {
                    let document = try await face.domain.operations.publication(for: mvpd, now: call.now)
                    return Self.document(
                        document.text, type: document.contentType, caching: "public, max-age=3600")
                } catch {
                    guard error.code != .unknownProvider else { throw WireError.notFound }
                    throw error
                }
            }),
    ]

    /// For a viewer who comes back from a logout that has nothing more to end: the first page, in their language.
    static var home: HTTPResponse { Answer.redirect(to: "/", status: .seeOther) }

    /// The field with a message of SAML; `nil` for a call without one.
    private static func message(of call: Call) -> String? {
        ["SAMLRequest", "SAMLResponse"].first { call.parameters[$0]?.isEmpty == false }
    }

    private static func document(_ text: String, type: String, caching: String = Answer.uncached) -> HTTPResponse {
        Answer.content(type, text.utf8, caching: caching).adding("X-Content-Type-Options", "nosniff")
    }

    private func end(
        byMessage field: String, _ method: ProviderCallback.Method, _ call: Call
    ) async throws -> HTTPResponse {
        // A form is read from the body alone, and a redirect from the query that its signature is about.
        let given = method == .get ? call.request.query : call.request.form
        let pairs = given.pairs.map { NamedText($0.name, $0.value) }
        guard let callback = ProviderCallback(method, pairs, query: method == .get ? call.request.rawQuery : "")
        else { throw WireError.invalid(field) }
        return try await self.end(by: .browser(callback), field, call)
    }

    /// - Parameter field: what is to blame for a notice that proves nothing.
    private func end(by notice: ProviderNotice, _ field: String, _ call: Call) async throws -> HTTPResponse {
        guard let mvpd = MVPDID(call.request.segment("mvpd")) else { throw WireError.notFound }
        let outcome: NoticeOutcome
        do throws(EntitlementError) {
            outcome = try await self.domain.operations.take(notice, from: mvpd, now: call.now)
        } catch {
            guard error.code != .unknownProvider else { throw WireError.notFound }
            switch error.providerFault {
            // An answer that is not believed ends nothing; the viewer did all right.
            case .unproven where field == "SAMLResponse": return Self.home
            case .unproven, .refused, .misconfigured, .sessionOver: throw WireError.invalid(field)
            case .unreachable: throw WireError(.badGateway, "Bad Gateway")
            case .failed, nil: throw error
            }
        }
        switch outcome.reply {
        case .done: return Answer.empty(.ok)
        case .redirect(let url): return Answer.redirect(to: url, status: .seeOther)
        case .form(let form): return self.screen.handOver(form, to: mvpd, call.request)
        case .document(let text): return Self.document(text, type: "text/xml")
        }
    }
}
