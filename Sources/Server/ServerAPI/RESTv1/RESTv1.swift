package import Clientless
package import Entitlement
package import HTTPServer
package import Observability

/// The clientless REST API, generation 1 (rest-v1): translates its wire to the domain and back, and decides nothing.
///
/// One file for each family of endpoints; this one has what they share.
package final class RESTv1: Sendable {
    let domain: Entitlements
    let settings: APISettings
    let authenticator: Authenticator
    let throttle: Throttle?
    let now: @Sendable () -> Timestamp
    let logger: Logger
    let configurations: ConfigurationDocuments
    let metadataKeys: MetadataKeys
    let polls: PollAnswers
    let styles: ErrorStyles

    package init(
        domain: Entitlements, settings: APISettings, authenticator: Authenticator, throttle: Throttle?, logger: Logger,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.domain = domain
        self.settings = settings
        self.authenticator = authenticator
        self.throttle = throttle
        self.now = now
        self.logger = logger.named("rest-v1")
        self.configurations = ConfigurationDocuments(domain.catalogue, settings)
        self.metadataKeys = MetadataKeys(domain.catalogue, logger: self.logger)
        self.polls = PollAnswers()
        self.styles = ErrorStyles(authenticator.requestors, settings)
    }

    /// Adds every endpoint of this face.
    package func addRoutes(to router: inout Router) {
        self.addRegistrationCodeRoutes(to: &router)
        self.addConfigurationRoutes(to: &router)
        self.addAuthenticationRoutes(to: &router)
        self.addCallbackRoutes(to: &router)
        self.addFreePreviewRoutes(to: &router)
        self.addPlatformRoutes(to: &router)
        self.addPollRoutes(to: &router)
        self.addAuthorizationRoutes(to: &router)
        self.addPreauthorizationRoutes(to: &router)
        self.addMetadataRoutes(to: &router)
        self.addHelpRoutes(to: &router)
        self.adaptFallback(of: &router)
    }

    /// Endpoints that are throttled (rest-v1 24.2).
    var throttled: RouteGroup { self.throttled(.parameter) }

    /// The same, for calls that name their requestor at `place`.
    func throttled(_ place: RequestorPlace) -> RouteGroup {
        CallGate(
            throttle: self.throttle, settings: self.settings, authenticator: self.authenticator, place: place,
            now: self.now
        ).group
    }

    /// Endpoints that are not: a person's browser comes once.
    var unthrottled: RouteGroup {
        let origins = self.settings.originPolicy(self.domain.catalogue)
        return RouteGroup(decorate: { CommonHeaders.decorate($0, $1, origins) })
    }
}
