import Entitlement
import FoundationEssentials

/// The kept part of a sign-in at a provider with pages of its own.
protocol RemoteSession: Codable {
    /// As it is kept.
    /// - Throws: `misconfigured` when it is too much.
    func kept() throws(ProviderError) -> ProviderSession
}

extension RemoteSession {
    /// - Throws: `sessionOver` if it is no such session: the provider was of another kind when it was kept.
    init(_ session: ProviderSession) throws(ProviderError) {
        guard let kept = try? JSONDecoder().decode(Self.self, from: Data(session.bytes)) else {
            throw ProviderError(.sessionOver, detail: "what was kept of the sign-in is of another kind of provider")
        }
        self = kept
    }

    func bytes() throws(ProviderError) -> Data {
        guard let bytes = try? JSONEncoder().encode(self)
        else { throw ProviderError(detail: "a session could not be written") }
        return bytes
    }
}

extension ProviderResponse {
    /// The answer that a browser brought from the provider's own pages.
    func callback() throws(ProviderError) -> ProviderCallback {
        guard case .callback(let answer) = self
        else { throw ProviderError(.unproven, detail: "viewers of this provider sign in at its own pages") }
        return answer
    }
}
