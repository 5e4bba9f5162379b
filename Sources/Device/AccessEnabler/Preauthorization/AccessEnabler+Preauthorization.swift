import Clientless

// Preauthorization: locks in lists (access-enabler 7.12, 7.13, 14).
extension AccessEnabler {
    /// `checkPreauthorizedResources`. - Returns: the permitted ones in the order of the question.
    func checkPreauthorized(_ resources: [String], usesCache: Bool) async -> [String] {
        var permitted: [String] = []
        if self.gate == .open {
            let disabled: Set<PreauthorizeRequest.Feature> = usesCache ? [] : [.localCache]
            do throws(EntitlementError) {
                let decisions = try await self.decisions(resources, disabled: disabled)
                permitted = decisions.filter(\.authorized).map(\.id)
            } catch {
                switch (error.code, error.status) {
                case (.notSignedIn, nil), (.sessionExpired, nil): self.report(AdvancedStatus("N000", .info))
                case (.notConfigured, _): break
                default:
                    self.reportDevice(error)
                    if error.code == .deviceMismatch { self.report(AdvancedStatus("SEC412", .warning)) }
                    self.report(AdvancedStatus("P100", .error))
                }
            }
        }
        self.report(.preauthorizedResources(permitted))
        return permitted
    }

    /// `preauthorize`; not kept back (access-enabler D-05).
    func preauthorize(_ request: PreauthorizeRequest, _ reply: Reply<PreauthorizeResponse>) async {
        do throws(EntitlementError) {
            let decisions = try await self.decisions(request.resources, disabled: request.disabledFeatures)
            reply(PreauthorizeResponse(decisions: decisions))
        } catch {
            reply(PreauthorizeResponse(error))
        }
    }

    /// One decision for each resource, in order.
    /// - Throws: `notConfigured`; without a status `notSignedIn` or `sessionExpired`, if no server was asked.
    private func decisions(
        _ resources: [String], disabled: Set<PreauthorizeRequest.Feature>
    ) async throws(EntitlementError) -> [PreauthorizeResponse.Decision] {
        guard self.gate == .open, self.configuration != nil else { throw EntitlementError(.notConfigured) }
        guard let signIn = await self.usableSignIn() else { throw await self.whyNotSignedIn() }
        let (xml, run) = (signIn.token.xml, self.preauthorizations.run)
        var unknown = resources
        if !disabled.contains(.localCache) {
            unknown = resources.filter { self.preauthorizations[$0, of: xml] == nil }
        }
        var fresh: [PreauthorizeResponse.Decision] = []
        if !unknown.isEmpty {
            let asked = unknown
            // If the server states its limit, it need not be asked to refuse (access-enabler 14.2).
            if let limit = self.configuration?.preauthorizationLimit, asked.count > limit {
                throw EntitlementError(.refused, status: 403, reported: "too_many_resources")
            }
            fresh = try await self.ask(with: signIn) { (server, token) throws(EntitlementError) in
                try await server.preauthorize(asked, token: token, usesCache: !disabled.contains(.remoteCache))
            }
            // An answer that comes when the sign-in is over belongs to no viewer.
            if run == self.preauthorizations.run { self.preauthorizations.keep(fresh, of: xml) }
        }
        return resources.map { resource in
            let key = PreauthorizationCache.key(resource)
            let decision = fresh.first { PreauthorizationCache.key($0.id) == key }
            guard var decision = decision ?? self.preauthorizations[resource, of: xml] else {
                return PreauthorizeResponse.Decision(id: resource, authorized: false)
            }
            // In the words of the question: a server may answer without the white space around them.
            decision.id = resource
            return decision
        }
    }

    private func whyNotSignedIn() async -> EntitlementError {
        guard let configuration = self.configuration, let image = try? await self.vault.image(),
            let id = image[requestor: configuration.requestor.text].currentMvpd,
            let token = image[requestor: configuration.requestor.text, mvpd: id].authn,
            token.expires <= self.now(configuration).milliseconds
        else { return EntitlementError(.notSignedIn) }
        return EntitlementError(.sessionExpired)
    }
}

extension PreauthorizeResponse {
    /// Whether the service gave it, and not the library itself.
    var isServed: Bool { self.status?.status != 0 }

    /// The response without decisions (access-enabler 14.3).
    init(_ cause: EntitlementError) {
        func own(_ code: String, _ message: String, _ action: String) -> Status {
            Status(status: 0, code: code, message: message, action: action)
        }
        let status =
            switch cause.code {
            case .notConfigured: own("requestor_not_configured", "No requestor is configured.", "retry")
            case .notSignedIn where cause.status == nil:
                own("authentication_session_missing", "No viewer is signed in.", "authentication")
            case .deviceMismatch:
                own("authentication_session_missing", "The sign-in belongs to another device.", "authentication")
            case .sessionExpired, .sessionRevoked, .notSignedIn:
                own("authentication_session_expired", "The sign-in has expired.", "authentication")
            case .notRegistered, .noAccessToken:
                own("access_token_unavailable", "There is no access token.", "none")
            case .malformedAnswer:
                own("server_response_format_unknown", "The server's answer cannot be read.", "none")
            case .unreachable, .untrusted, .cancelled:
                own("network_error", "The server cannot be reached.", "none")
            default:
                Status(
                    status: cause.status ?? 500, code: cause.reported ?? "internal_error",
                    message: cause.detail ?? "", action: "none")
            }
        self.init(status: status)
        self.cause = cause
    }
}
