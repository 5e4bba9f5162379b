import AccessEnabler
import BoxEvents
import Clientless
import CommandLineTool
import Cryptography
import FoundationEssentials

// What the sign-in is good for: media tokens, locks in lists, facts about the account.
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
            return self.reporter.result(
                .mediaToken(
                    resource: token.resource, token: serialized,
                    expires: token.expires.map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }), serialized)
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

    /// Says which of `resources` may be played.
    /// - Returns: success when all may be.
    func preauthorize(_ resources: [String]) async -> ExitCode {
        await self.perform { () throws(EntitlementError) in
            let request = PreauthorizeRequest(resources: resources, disabledFeatures: [.localCache])
            let response = await self.enabler.preauthorize(request)
            if let status = response.status { throw EntitlementError(preauthorization: status) }
            let decisions = response.decisions.map { decision in
                let words = decision.error.flatMap { $0.details ?? $0.message }
                return BoxEvent.Preauthorized(
                    resource: decision.id, isAuthorized: decision.authorized,
                    message: words.flatMap { $0.isEmpty ? nil : $0 })
            }
            let lines = decisions.map { decision in
                (decision.isAuthorized ? "yes  " : "no   ") + terminalSafe(decision.resource)
                    + (decision.message.map { "  (\(terminalSafe($0)))" } ?? "")
            }
            return self.reporter.result(
                .preauthorized(decisions), lines.joined(separator: "\n"),
                decisions.allSatisfy(\.isAuthorized) ? .success : .notAuthorized)
        }
    }

    /// Prints a fact that the provider states about the viewer.
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
            let json = JSONValue(value)
            return self.reporter.result(
                .metadata(key: key, value: json), json.string.map { terminalSafe($0, limit: 4096) } ?? json.text)
        }
    }
}

extension EntitlementError {
    /// Why there are no decisions, from what the library says in the words of access-enabler 14.3.
    fileprivate init(preauthorization status: PreauthorizeResponse.Status) {
        let code: Code =
            switch status.code {
            case "authentication_session_missing", "authentication_session_expired": .notSignedIn
            case "network_error": .unreachable
            case "server_response_format_unknown": .malformedAnswer
            case "access_token_unavailable": .noAccessToken
            default: .refused
            }
        self.init(code, detail: status.message.isEmpty ? nil : status.message)
    }
}

extension JSONValue {
    fileprivate init(_ value: AccessEnabler.MetadataValue) {
        switch value {
        case .string(let text): self = .string(text)
        case .number(let number): self = Int64(exactly: number).map { .integer($0) } ?? .double(number)
        case .bool(let flag): self = .boolean(flag)
        case .array(let values): self = .array(values.map { JSONValue($0) })
        case .object(let members):
            self = .object(members.sorted { $0.key < $1.key }.map { Member($0.key, JSONValue($0.value)) })
        }
    }
}
