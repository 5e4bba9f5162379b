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
            return self.reporter.tell(token.news)
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
            return self.reporter.tell(
                .preauthorized(try await self.enabler.decisions(request).map(BoxEvent.Preauthorized.init)))
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

extension AccessEnabler.MediaToken {
    /// One word for scripts; playback back ends take the document and its Base64 alike (rest-v1 22.5).
    var news: BoxEvent.News {
        .mediaToken(
            resource: self.resource, token: Base64.encode(self.token.utf8), expires: self.expires?.milliseconds)
    }
}

extension BoxEvent.Preauthorized {
    init(_ decision: PreauthorizeResponse.Decision) {
        let words = decision.error.flatMap { $0.details ?? $0.message } ?? ""
        self.init(
            resource: decision.id, isAuthorized: decision.authorized, message: words.isEmpty ? nil : words)
    }
}

extension Date {
    var milliseconds: Int64 { Int64((self.timeIntervalSince1970 * 1000).rounded()) }
}
