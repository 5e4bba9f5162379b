import Clientless
import HTTPClient
import TextCoding

// Decisions, tokens, metadata and logout (sdk-services 4 to 6).
extension ServerCall {
    /// Asks for a decision (sdk-services 4).
    /// - Throws: `notAuthorized` for a denial, with a code of access-enabler 16.3 and the words for the viewer.
    func authorize(
        _ resource: Resource, mvpdID: String, token: String, data: [String: String]
    ) async throws(EntitlementError) -> (token: AuthorizationToken, userMetadata: String?) {
        let form = [
            ("resource_id", resource.text), ("mso_id", mvpdID), ("authentication_token", token), ("userMeta", "1"),
        ]
        let answer = try await self.service("authorize", form + genericData(data))
        guard answer.status == 200, let document = answer.xml else { throw serviceError(answer) }
        if document.isError {
            let (code, message) = (document["code"] ?? "Z100", document["message"] ?? "")
            // A server without a sentence of the provider repeats its message.
            let details = document["details"].flatMap { $0 == message ? nil : $0 } ?? ""
            let words = details.isEmpty && code != "Z100" ? message : details
            throw EntitlementError(.notAuthorized, detail: words.isEmpty ? nil : words, reported: code)
        }
        guard !document.isPendingLogout, let xml = document["authzToken"] else { throw serviceError(answer) }
        return (try AuthorizationToken(xml: xml), document["userMeta"])
    }

    /// The media token as it came.
    func mediaToken(authorization: String, authentication: String) async throws(EntitlementError) -> String {
        let session = (try? SignedTokenDocument(parsing: authentication))
            .flatMap { try? AuthenticationTokenDocument(element: $0.element) }
        let form = [
            ("authz_token", authorization), ("session_guid", session?.guid ?? ""), ("hashed_guid", "false"),
        ]
        let answer = try await self.service("shortAuthorize", form)
        guard answer.status == 200, answer.text.hasPrefix("<signatureInfo>") else { throw serviceError(answer) }
        return answer.text
    }

    func preauthorize(
        _ resources: [String], token: String, usesCache: Bool
    ) async throws(EntitlementError) -> [PreauthorizeResponse.Decision] {
        let form =
            [("authentication_token", token), ("cache", usesCache ? "true" : "false")]
            + resources.map { ("resource_id", $0) }
        let answer = try await self.service("preauthorize", form, accept: "application/json")
        guard answer.status == 200, !answer.text.hasPrefix("<") else { throw preauthorizationError(answer) }
        guard let list = answer.json?["resources"]?.array else { throw answer.malformed }
        return try list.map { (item) throws(EntitlementError) in
            guard let id = item["id"]?.string, let isAuthorized = item["authorized"]?.boolean
            else { throw answer.malformed }
            return PreauthorizeResponse.Decision(
                id: id, authorized: isAuthorized, error: item["error"].flatMap { PreauthorizeResponse.Status($0) })
        }
    }

    /// Ends a sign-in at the server.
    /// - Parameter redirect: where a browser that ends the provider's session goes in the end; `nil` if there is no browser.
    /// - Returns: the page on which the provider's own session ends, if it does so on one.
    func logout(token: String, mvpdID: String, redirect: String?) async throws(EntitlementError) -> String? {
        var form = [("mso_id", mvpdID), ("authentication_token", token)]
        if let redirect { form.append(("redirect_url", redirect)) }
        let answer = try await self.service("logout", form)
        switch answer.status {
        case 204: return nil
        case 200:
            // It holds a signed request, or a token: more than other addresses.
            return answer.xml?["logoutUrl"].flatMap { webAddress($0, limit: 8192) }
        default: throw serviceError(answer)
        }
    }

    /// The page where a viewer signs in with a code that was asked for (rest-v1 13.1); nothing is fetched.
    /// - Parameters:
    ///   - domain: a registered domain of the requestor.
    ///   - redirect: the last address of the browser.
    func authenticationURL(
        _ code: String, mvpdID: String, domain: String, redirect: String, _ login: AuthenticationRequest
    ) -> String {
        // The code first and the redirect last, as the protocol asks.
        var query = [
            ("reg_code", code), ("requestor_id", self.requestor.text), ("mso_id", mvpdID), ("domain_name", domain),
            ("noflash", "true"), ("no_iframe", "true"),
        ]
        query += genericData(login.data)
        if login.forced { query.append(("force_authn", "true")) }
        // An option named like a parameter of the page does not count, as in every other call.
        let own = Set(query.map(\.0) + ["redirect_url"])
        query += self.options.parameters.filter { !own.contains($0.0) } + [("redirect_url", redirect)]
        return "\(self.service.wire.base)/api/v1/authenticate?\(PercentCoding.form(query))"
    }
}
