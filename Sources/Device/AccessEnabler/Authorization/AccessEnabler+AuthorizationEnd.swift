import Clientless
import FoundationEssentials
import TextCoding

extension Resource {
    /// The key that its decision is kept under: texts that differ in a byte differ here too, though Swift holds letters
    /// of another composition for equal (access-enabler 11.2).
    var storeKey: String { PercentCoding.encoded(self.text) }
}

extension AccessEnabler {
    /// Reports a failure, and removes the tokens that it shows to be over (access-enabler 9.5, 12.3, 16.3).
    func fail(_ request: AuthorizationArguments, _ error: EntitlementError, _ signIn: CurrentSignIn) async {
        let (code, status) = error.authorizationReport(of: request.resource)
        await self.drop(signIn, after: error)
        self.report(status)
        var cause: EntitlementError? = error
        if error.code == .notAuthorized {
            cause =
                code == AccessEnablerError.userNotAuthorized
                ? nil : EntitlementError(.providerFault, detail: error.detail, reported: error.reported)
        }
        self.fail(request, code, error.words(ofCallback: code), because: cause)
    }

    /// Removes a sign-in that the server no longer honours, and keeps how it ended; after a device mismatch, all tokens of
    /// this scope (access-enabler 11.8, 12.3). One whose provider is switched off may count again, and stays.
    func drop(_ signIn: CurrentSignIn, after cause: EntitlementError) async {
        switch cause.code {
        case .deviceMismatch: return await self.dropTokensOfThisScope()
        case .sessionExpired, .sessionRevoked, .notSignedIn: self.preauthorizations.clear()
        default: return
        }
        if cause.code == .notSignedIn, cause.status == 401 {
            // The provider may be switched off; if it is offered as before, the sign-in is another requestor's.
            guard await self.renewConfiguration(), self.configuration?.provider(signIn.facts.id) != nil else { return }
        }
        guard let requestor = self.configuration?.requestor.text else { return }
        let (id, xml) = (signIn.facts.id, signIn.token.xml)
        _ = try? await self.vault.update { image in
            guard image[requestor: requestor, mvpd: id].authn?.xml == xml else { return }
            image[requestor: requestor].mvpds[id] = nil
            image[requestor: requestor].canAuthenticate = false
            image[ending: requestor] = cause.signInEnding
        }
    }

    private func dropTokensOfThisScope() async {
        let scope = self.settings.deviceScope
        _ = try? await self.vault.update { image in
            for (requestor, branch) in image.requestors {
                for (id, provider) in branch.mvpds where provider.authn?.deviceScope == scope {
                    image.requestors[requestor]?.mvpds[id] = nil
                    image[ending: requestor] = .deviceChanged
                }
            }
        }
        self.preauthorizations.clear()
    }
}

extension EntitlementError {
    /// The words for a viewer, where the failure is a denial or the code of the callback a refusal.
    func words(ofCallback code: String) -> String {
        self.code == .notAuthorized || code == AccessEnablerError.userNotAuthorized ? self.detail ?? "" : ""
    }

    /// The code of the callback, and the report (access-enabler 9.5, 16.3).
    func authorizationReport(of resource: String) -> (code: String, status: AdvancedStatus) {
        switch self.code {
        case .notAuthorized:
            let reported = self.reported ?? "Z100"
            let level = reported == "N111" ? AdvancedStatus.Level.warning : .error
            let code =
                switch reported {
                case "Z120": AccessEnablerError.genericAuthorization
                case "Z500": AccessEnablerError.internalAuthorization
                default: AccessEnablerError.userNotAuthorized
                }
            return (code, AdvancedStatus(reported, level, message: self.detail, resource: resource))
        case .deviceMismatch: return (AccessEnablerError.userNotAuthenticated, AdvancedStatus("SEC412", .warning))
        case .sessionExpired, .sessionRevoked, .notSignedIn:
            return (AccessEnablerError.userNotAuthenticated, AdvancedStatus("N130", .error))
        case .trialOver: return (AccessEnablerError.userNotAuthorized, AdvancedStatus("N111", .warning))
        case .untrusted: return (AccessEnablerError.genericAuthorization, AdvancedStatus("SEC420", .error))
        case .unreachable, .throttled, .serverFault, .cancelled:
            return (AccessEnablerError.genericAuthorization, AdvancedStatus("Z120", .error, resource: resource))
        case .refused where self.status == 400:
            return (AccessEnablerError.userNotAuthorized, AdvancedStatus("Z130", .error, resource: resource))
        case .notRegistered: return (AccessEnablerError.internalAuthorization, AdvancedStatus("R400", .error))
        case .noAccessToken: return (AccessEnablerError.internalAuthorization, AdvancedStatus("R401", .error))
        default: return (AccessEnablerError.internalAuthorization, AdvancedStatus("Z500", .error, resource: resource))
        }
    }
}

/// When a media token runs out; `nil` when it does not say.
func mediaTokenEnd(_ text: String) -> Date? {
    guard let signed = try? SignedTokenDocument(parsing: text),
        let document = try? MediaTokenDocument(element: signed.element)
    else { return nil }
    let end = document.issueTime + document.timeToLive
    return Date(timeIntervalSince1970: Double(end.milliseconds) / 1000)
}
