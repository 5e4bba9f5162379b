import Clientless
import FoundationEssentials

// The sign-in of one requestor as the account of the box, for the keeper of that account (access-enabler 10).
extension AccessEnabler {
    /// The account, also one that ran out; without a provider when there is none that the configuration has. Its provider
    /// goes by the platform's ID for it, and by its own if it has none.
    package func ownAccount() async -> AccountInfo {
        guard let configuration = self.configuration,
            let kept = try? await self.keptSignIn(for: configuration.requestor.text), kept.origin == .regular,
            let facts = configuration.provider(kept.mvpdID)
        else { return AccountInfo() }
        return AccountInfo(
            providerIdentifier: facts.platformMappingID ?? facts.id,
            authenticationExpires: Date(timeIntervalSince1970: Double(kept.expires.milliseconds) / 1000))
    }

    /// The providers that the account can be signed in with, and what the platform calls each; `nil` before the
    /// configuration.
    package var accountProviders: [(identifier: String, mvpd: MVPD)]? {
        self.configuration?.providers.filter { $0.pass == nil }.map { ($0.platformMappingID ?? $0.id, $0.mvpd) }
    }

    /// The server's word to another requestor that the account is signed in.
    /// - Parameter request: what the server gave that requestor's application.
    /// - Throws: `notSignedIn` without a sign-in. One that the server no longer honours is removed, as after any other
    ///   call.
    package func profile(answering request: [UInt8]) async throws(EntitlementError) -> String {
        guard let signIn = await self.usableSignIn(), signIn.stored.origin == .regular else {
            throw EntitlementError(.notSignedIn)
        }
        return try await self.ask(with: signIn) { (server, token) throws(EntitlementError) in
            try await server.profile(for: request, by: token)
        }
    }
}
