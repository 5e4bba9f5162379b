import Clientless
import Cryptography
import FoundationEssentials
import HTTPClient

extension AccessEnabler {
    /// The account of the box, kept by `latchkey agent` (access-enabler 10).
    ///
    /// The agent knows the application by what the kernel says of it, and asks the operator of the box for a permission.
    /// The box is signed in with a second screen, by the agent; the application draws the choice of a provider and the code.
    public final class AgentPlatformSSO: PlatformSSOService {
        /// The agent's default socket.
        public static let defaultSocketPath = "/run/latchkey/agent.sock"

        private let socketPath: String
        /// Seconds that a prompt waits for the operator.
        private let promptSeconds: Int
        private let client: HTTPClient

        /// A client of the agent that listens on this socket.
        /// - Parameters:
        ///   - socketPath: where the agent listens.
        ///   - promptPatience: how long ``access(prompt:)`` waits for the operator of the box, up to 55 seconds. A login
        ///     waits with it.
        public init(socketPath: String = AgentPlatformSSO.defaultSocketPath, promptPatience: Duration = .zero) {
            self.socketPath = socketPath
            self.promptSeconds = Int(min(max(promptPatience, .zero), .seconds(55)).components.seconds)
            self.client = HTTPClient()
        }

        /// See ``PlatformSSOService/access(prompt:)``. The prompt is the agent's: its operator hears of the question, and
        /// the answer is ``PlatformAccess/notDetermined`` until the operator decides.
        public func access(prompt: Bool) async throws(PlatformSSOFailure) -> PlatformAccess {
            let wait = prompt && self.promptSeconds > 0 ? "?wait=\(self.promptSeconds)" : ""
            let answer = try await self.ask(
                prompt ? .post : .get, "/v1/permission\(wait)", timeout: .seconds(30 + self.promptSeconds))
            switch answer.json["permission"]?.string {
            case "granted": return .granted
            case "denied": return .denied
            case "undetermined": return .notDetermined
            default: throw answer.failure
            }
        }

        /// See ``PlatformSSOService/account(_:dialog:)``. Without an account that is signed in the viewer chooses a provider
        /// in the dialog, and signs the box in with the code on its second page. If the account has none of the
        /// providers, or the agent no account, the viewer is sent to the application's own login.
        public func account(
            _ query: AccountQuery, dialog: (any TvProviderDialogHost)?
        ) async throws(PlatformSSOFailure) -> AccountInfo {
            let answer = try await self.ask(.get, "/v1/account")
            // An agent without an account of the box.
            guard answer.status == 200 || answer.code == "not_found" else { throw answer.failure }
            let provider = answer.json["provider"]?.string
            guard answer.status == 200, answer.json["mvpd"] != nil else {
                guard let dialog, query.isInterruptionAllowed else {
                    // One that ran out, or is switched off, was not signed out, also without the name of its provider.
                    let isOver = answer.json["reason"] == "expired"
                    guard provider != nil || !isOver && answer.json["kept"] == nil else {
                        let words = "The account of the box \(isOver ? "ran out" : "is switched off")."
                        throw .service(message: words, details: words)
                    }
                    let end = provider.map { _ in Date.distantPast }
                    return AccountInfo(providerIdentifier: provider, authenticationExpires: end)
                }
                guard let requestor = answer.json["requestor"]?.string else { throw .otherProviderChosen }
                try await AgentDialog(agent: self, requestor: requestor).signIn(query, dialog)
                return try await self.account(query, dialog: nil)
            }
            // An account that the agent cannot describe, for want of a network, is not an account that is gone.
            guard let provider else { throw answer.failure }
            var account = AccountInfo()
            if query.includeProviderIdentifier { account.providerIdentifier = provider }
            if query.includeExpirationDate, let expires = answer.json["expires"]?.integer {
                account.authenticationExpires = Date(timeIntervalSince1970: Double(expires) / 1000)
            }
            if let request = query.verificationToken { account.profile = try await self.profile(request) }
            return account
        }

        /// - Returns: `nil` when the server gives none.
        private func profile(_ request: [UInt8]) async throws(PlatformSSOFailure) -> String? {
            let body = JSONValue.object([.init("request", .string(Base64.encode(request)))])
            let answer = try await self.ask(.post, "/v1/account/profile", body)
            if let profile = answer.json["profile"]?.string { return profile }
            guard answer.code == "conflict" || answer.code == "not_signed_in" else { throw answer.failure }
            return nil
        }

        /// See ``PlatformSSOService/changes``. Lives until its task is cancelled.
        public var changes: AsyncStream<PlatformSSOChange> {
            let follower = AgentFollower(self)
            return AsyncStream { await follower.next() }
        }

        // MARK: The socket

        struct Answer {
            let status: Int
            let json: JSONValue

            var code: String? { self.json["error"]?.string }

            var failure: PlatformSSOFailure {
                .service(
                    message: "The agent of the box cannot be asked.",
                    details: "status \(self.status), \(self.code ?? "no code")")
            }
        }

        func ask(
            _ method: HTTPClient.Method, _ path: String, _ body: JSONValue? = nil, timeout: Duration = .seconds(30),
            runsToItsEnd: Bool = false
        ) async throws(PlatformSSOFailure) -> Answer {
            var request = HTTPClient.Request(method, "http://localhost\(path)", body: body.map { Array($0.text.utf8) })
            request.unixSocketPath = self.socketPath
            request.timeout = timeout
            // A viewer who leaves ends the task that asks, and the code has to be withdrawn all the same.
            request.runsToItsEnd = runsToItsEnd || method == .delete
            guard let response = try? await self.client.send(request),
                let json = response.body.isEmpty ? .object([]) : JSONValue(reading: response.body)
            else {
                throw .service(
                    message: "The agent of the box does not answer.", details: "\(self.socketPath) does not answer")
            }
            return Answer(status: response.status, json: json)
        }
    }
}
