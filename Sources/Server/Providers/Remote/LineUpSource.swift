import ClaimsMapping
import Clientless
import Entitlement

/// The source of the channels of a viewer's package, at a provider with sign-in pages of its own.
package enum LineUpSource: Hashable, Sendable {
    case fixed([String])
    /// The texts at a path of what the provider says of the viewer. The path of a SAML attribute is its name alone.
    case said([String])

    /// The most channels that are kept of what a provider says.
    package static let maximumCount = 512

    /// The package of a viewer of whom the provider says `attributes`.
    func entries(in attributes: SourceAttributes) -> [String] {
        switch self {
        case .fixed(let entries): entries
        case .said(let path):
            Array(attributes.texts(at: path, limit: Resource.maximumLength).prefix(Self.maximumCount))
        }
    }

    /// The package of a viewer whose sign-in kept `lineUp`.
    func entries(kept lineUp: [String]) -> [String] { if case .fixed(let entries) = self { entries } else { lineUp } }

    /// The part of a package that a sign-in keeps, and the reason to doubt it.
    func kept(of attributes: SourceAttributes) -> (lineUp: [String], doubt: String?) {
        guard case .said(let path) = self else { return ([], nil) }
        return (self.entries(in: attributes), attributes.doubt(about: path))
    }

    /// A viewer for whom the platform vouches is known by name alone; a package that the provider says is unknown then.
    /// - Parameter session: one without anything of the provider.
    func recognise(_ login: ProviderLogin, _ session: some RemoteSession) throws(ProviderError) -> ProviderVerdict {
        guard case .fixed = self else { return .refused(Entitlement.ProviderRefusal(.needsViewer)) }
        return .accepted(
            ProviderLogin(
                upstreamUserID: login.upstreamUserID, session: try session.kept(), sessionName: login.sessionName,
                until: login.until, metadata: login.metadata))
    }
}
