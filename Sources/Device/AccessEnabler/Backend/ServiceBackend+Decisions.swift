import Clientless
import TextCoding

// Decisions, tokens, metadata and logout (sdk-services 4 to 6).
extension ServiceBackend {
    func authorize(
        _ resource: Resource, mvpdID: String, token: String, data: [String: String], as caller: BackendCaller
    ) async throws(EntitlementError) -> AuthorizationAnswer {
        var form = [
            ("resource_id", resource.text), ("mso_id", mvpdID), ("authentication_token", token), ("userMeta", "1"),
        ]
        if let data = genericData(data) { form.append(("generic_data", data)) }
        let answer = try await self.service("authorize", form, as: caller)
        guard answer.status == 200, let document = ServiceDocument(answer.text) else { throw serviceError(answer) }
        if document.isError {
            return .denied(
                code: document["code"] ?? "Z100", message: document["message"] ?? "",
                details: document["details"] ?? "")
        }
        guard !document.isPendingLogout, let xml = document["authzToken"] else { throw serviceError(answer) }
        return .permitted(try AuthorizationToken(xml: xml), userMetadata: document["userMeta"])
    }

    /// The media token as it came.
    func mediaToken(
        authorization: String, authentication: String, as caller: BackendCaller
    ) async throws(EntitlementError) -> String {
        let session = (try? SignedTokenDocument(parsing: authentication))
            .flatMap { try? AuthenticationTokenDocument(element: $0.element) }
        let form = [
            ("authz_token", authorization), ("session_guid", session?.guid ?? ""), ("hashed_guid", "false"),
        ]
        let answer = try await self.service("shortAuthorize", form, as: caller)
        guard answer.status == 200, answer.text.hasPrefix("<signatureInfo>") else { throw serviceError(answer) }
        return answer.text
    }

    func preauthorize(
        _ resources: [String], token: String, usesCache: Bool, as caller: BackendCaller
    ) async throws(EntitlementError) -> [PreauthorizeResponse.Decision] {
        let form =
            [("authentication_token", token), ("cache", usesCache ? "true" : "false")]
            + resources.map { ("resource_id", $0) }
        let answer = try await self.service("preauthorize", form, as: caller, accept: "application/json")
        guard answer.status == 200, !answer.text.hasPrefix("<") else { throw preauthorizationError(answer) }
        let list: DecisionList = try answer.decoded()
        return list.resources.map {
            PreauthorizeResponse.Decision(
                id: $0.id, authorized: $0.authorized, error: $0.error.map(PreauthorizeResponse.Status.init))
        }
    }

    /// Ends a sign-in at the server.
    /// - Parameter redirect: where a browser that ends the provider's session goes in the end; `nil` if there is no browser.
    func logout(
        token: String, mvpdID: String, redirect: String?, as caller: BackendCaller
    ) async throws(EntitlementError) -> BackendLogout {
        var form = [("mso_id", mvpdID), ("authentication_token", token)]
        if let redirect { form.append(("redirect_url", redirect)) }
        let answer = try await self.service("logout", form, as: caller)
        switch answer.status {
        case 204: return .done
        case 200:
            // It holds a signed request, or a token: more than other addresses.
            let page = ServiceDocument(answer.text)?["logoutUrl"].flatMap { webAddress($0, limit: 8192) }
            return page.map { .page($0) } ?? .done
        default: throw serviceError(answer)
        }
    }

    /// The page where a viewer signs in with a code that was asked for; nothing is fetched.
    func authenticationURL(_ page: LoginPage, as caller: BackendCaller) -> String {
        // The code first and the redirect last, as the protocol asks (rest-v1 13.1).
        var query = [
            ("reg_code", page.code), ("requestor_id", caller.requestor.text), ("mso_id", page.mvpdID),
            ("domain_name", page.domain), ("noflash", "true"), ("no_iframe", "true"),
        ]
        if let data = genericData(page.data) { query.append(("generic_data", data)) }
        if page.forcesLogin { query.append(("force_authn", "true")) }
        // An option named like a parameter of the page does not count, as in every other call.
        let own = Set(query.map(\.0) + ["redirect_url"])
        query += caller.options.filter { !own.contains($0.0) } + [("redirect_url", page.redirect)]
        return "\(self.wire.base)/api/v1/authenticate?\(PercentCoding.form(query))"
    }
}
