import Clientless

// What may be watched, for locks in lists (access-enabler 7.12, 7.13, 14).
extension AccessEnabler {
    /// `checkPreauthorizedResources`. - Returns: the permitted ones in the order of the question.
    func checkPreauthorized(_ resources: [String], usesCache: Bool) async -> [String] {
        var permitted: [String] = []
        if self.gate == .open {
            let disabled: Set<PreauthorizeRequest.Feature> = usesCache ? [] : [.localCache]
            do throws(PreauthorizationProblem) {
                let decisions = try await self.decisions(resources, disabled: disabled)
                permitted = decisions.filter(\.authorized).map(\.id)
            } catch {
                switch error {
                case .notSignedIn, .expired: self.report(AdvancedStatus("N000", .info))
                case .notConfigured: break
                case .failed(let cause):
                    self.reportDevice(cause)
                    self.report(AdvancedStatus("P100", .error))
                }
            }
        }
        self.report(.preauthorizedResources(permitted))
        return permitted
    }

    /// `preauthorize`; not kept back (access-enabler D-05).
    func preauthorize(
        _ request: PreauthorizeRequest, _ callback: AccessEnablerCallback<PreauthorizeResponse>
    ) async {
        let response: PreauthorizeResponse
        var isServed = true
        do throws(PreauthorizationProblem) {
            response = PreauthorizeResponse(
                decisions: try await self.decisions(request.resources, disabled: request.disabledFeatures))
        } catch {
            (response, isServed) = error.response
        }
        let (answer, wasServed) = (response, isServed)
        self.reporter.report(callback: {
            if wasServed { callback.onResponse(answer) } else { callback.onFailure(answer) }
        })
    }

    /// One decision for each resource, in order.
    private func decisions(
        _ resources: [String], disabled: Set<PreauthorizeRequest.Feature>
    ) async throws(PreauthorizationProblem) -> [PreauthorizeResponse.Decision] {
        guard self.gate == .open, self.configuration != nil else { throw .notConfigured }
        guard let signIn = await self.usableSignIn() else { throw await self.whyNotSignedIn() }
        let provider = signIn.facts.id
        var unknown = resources
        if !disabled.contains(.localCache) {
            unknown = resources.filter { self.preauthorizations[$0, of: provider] == nil }
        }
        var fresh: [PreauthorizeResponse.Decision] = []
        if !unknown.isEmpty {
            let asked = unknown
            do throws(EntitlementError) {
                fresh = try await self.call(about: signIn.facts) { (backend, caller) throws(EntitlementError) in
                    try await backend.preauthorize(
                        asked, token: signIn.token.xml, usesCache: !disabled.contains(.remoteCache), as: caller)
                }
            } catch {
                if error.code == .sessionExpired || error.code == .sessionRevoked { await self.drop(signIn) }
                throw .failed(error)
            }
            self.preauthorizations.keep(fresh, of: provider)
        }
        return resources.map { resource in
            fresh.first { $0.id == resource } ?? self.preauthorizations[resource, of: provider]
                ?? PreauthorizeResponse.Decision(id: resource, authorized: false)
        }
    }

    private func whyNotSignedIn() async -> PreauthorizationProblem {
        guard let requestor = self.configuration?.requestor.text, let image = try? await self.vault.image(),
            let id = image[requestor: requestor].currentMvpd,
            let token = image[requestor: requestor, mvpd: id].authn,
            token.expires <= self.settings.clock.now.milliseconds
        else { return .notSignedIn }
        return .expired
    }
}

/// Why there are no decisions.
enum PreauthorizationProblem: Error {
    case notConfigured, notSignedIn, expired
    case failed(EntitlementError)

    /// The response, and whether the service gave it (access-enabler 14.3).
    var response: (PreauthorizeResponse, isServed: Bool) {
        func own(_ code: String, _ message: String, _ action: String) -> (PreauthorizeResponse, Bool) {
            (PreauthorizeResponse(status: .init(status: 0, code: code, message: message, action: action)), false)
        }
        switch self {
        case .notConfigured: return own("requestor_not_configured", "No requestor is configured.", "retry")
        case .notSignedIn: return own("authentication_session_missing", "Nobody is signed in.", "authentication")
        case .expired: return own("authentication_session_expired", "The sign-in has expired.", "authentication")
        case .failed(let cause):
            switch cause.code {
            case .sessionExpired, .sessionRevoked, .notSignedIn, .deviceMismatch:
                return own("authentication_session_expired", "The sign-in has expired.", "authentication")
            case .notRegistered, .noAccessToken:
                return own("access_token_unavailable", "There is no access token.", "none")
            case .malformedAnswer:
                return own("server_response_format_unknown", "The server's answer cannot be read.", "none")
            case .unreachable, .untrusted, .cancelled:
                return own("network_error", "The server cannot be reached.", "none")
            default:
                let status = PreauthorizeResponse.Status(
                    status: cause.status ?? 500, code: cause.reported ?? "internal_error",
                    message: cause.detail ?? "", action: "none")
                return (PreauthorizeResponse(status: status), true)
            }
        }
    }
}
