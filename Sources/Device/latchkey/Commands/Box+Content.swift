import AccessEnabler
import CommandLineTool
import Cryptography
import FoundationEssentials

// The uses of a sign-in: media tokens, locks in lists, facts about the account.
extension Box {
    func authorize(_ resource: String) async -> ExitCode {
        await self.perform(resource: resource) { () throws(EntitlementError) in
            let token: AccessEnabler.MediaToken
            do throws(AccessEnabler.AuthorizationFailure) {
                token = try await self.enabler.authorize(resource)
            } catch {
                throw self.cause(of: error)
            }
            // One word for scripts; playback back ends take the document and its Base64 alike (rest-v1 22.5).
            let serialized = Base64.encode(token.token.utf8)
            return self.reporter.tell(
                .mediaToken(
                    resource: token.resource, token: serialized,
                    expires: token.expires.map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }))
        }
    }

    private func cause(of failure: AccessEnabler.AuthorizationFailure) -> EntitlementError {
        switch failure.code {
        case AccessEnablerError.userNotAuthenticated: return EntitlementError(.notSignedIn)
        case AccessEnablerError.userNotAuthorized:
            return EntitlementError(
                .notAuthorized, detail: failure.description.isEmpty ? nil : failure.description)
        default: return failure.cause ?? EntitlementError(.malformedAnswer)
        }
    }

    func preauthorize(_ resources: [String]) async -> ExitCode {
        await self.perform { () throws(EntitlementError) in
            let request = PreauthorizeRequest(resources: resources, disabledFeatures: [.localCache])
            let decisions = try await self.enabler.decisions(request).map { decision in
                let words = decision.error.flatMap { $0.details ?? $0.message }
                return BoxEvent.Preauthorized(
                    resource: decision.id, isAuthorized: decision.authorized,
                    message: words.flatMap { $0.isEmpty ? nil : $0 })
            }
            return self.reporter.tell(.preauthorized(decisions))
        }
    }

    func metadata(_ key: String) async -> ExitCode {
        await self.perform { () throws(EntitlementError) in
            guard case .authenticated = await self.enabler.authenticationStatus() else {
                throw EntitlementError(.notSignedIn)
            }
            guard let value = await self.enabler.metadata(.user(name: key)).value else {
                return self.reporter.fail(
                    BoxEvent.Failure(
                        code: "not_found", message: "The provider says nothing of '\(terminalSafe(key))'."), .failure)
            }
            return self.reporter.tell(.metadata(key: key, value: value.json))
        }
    }
}
