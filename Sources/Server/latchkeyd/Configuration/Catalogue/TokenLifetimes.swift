import JSON5
import Clientless
import Entitlement

/// How long what is given to boxes lasts: of a provider, and of an integration where that differs.
struct TokenLifetimes: Sendable {
    let authentication: Duration
    let authorization: Duration
    let mediaToken: Duration

    /// Every default of an integration; its own provider is of no interest.
    static let usual: TokenLifetimes = {
        guard let id = MVPDID("defaults") else { preconditionFailure("'defaults' is of the grammar of provider IDs") }
        let integration = Integration(mvpd: id)
        return TokenLifetimes(
            authentication: integration.authenticationLifetime, authorization: integration.authorizationLifetime,
            mediaToken: integration.mediaTokenLifetime)
    }()

    private init(authentication: Duration, authorization: Duration, mediaToken: Duration) {
        self.authentication = authentication
        self.authorization = authorization
        self.mediaToken = mediaToken
    }

    /// Reads the settings of a provider, or of an integration.
    /// - Parameter defaults: what counts for one that is left out.
    init(_ section: SettingsSection, defaults: TokenLifetimes) {
        self.authentication = section.read(
            "authenticationLifetime", .duration(.seconds(1) ... .seconds(366 * 86_400)),
            default: defaults.authentication,
            "How long a sign-in lasts; with less than a day, clients that renew early never stop renewing")
        self.authorization = section.read(
            "authorizationLifetime", .duration(.seconds(1) ... .seconds(366 * 86_400)),
            default: defaults.authorization, "How long a permit for one channel lasts")
        self.mediaToken = section.read(
            "mediaTokenLifetime", .duration(.seconds(1) ... .seconds(3600)), default: defaults.mediaToken,
            "How long a media token is valid")
    }
}
