import Clientless
import Cryptography
import Entitlement
import HTTPServer
import Lifecycle
import Places
import ServerAPI

extension ServerAssembly {
    /// The catalogue with the provider that answers for each TV provider that is no trial.
    /// - Throws: when a file that a provider needs cannot be used.
    static func configured(
        _ catalogue: Catalogue, of configuration: Configuration, _ parts: Parts, _ clients: ProviderClients
    ) throws(OperatorError) -> ConfiguredCatalogue {
        clients.beginRound()
        var providers: [MVPDID: any Provider] = [:]
        var points: [MVPDID: any DecisionPoint] = [:]
        for (id, provider) in configuration.providers {
            let contents = try configuration.fileContents(of: id)
            providers[id] = try provider.kind.provider(
                of: id,
                ProviderParts(
                    accounts: parts.store, files: contents, configuration: configuration, clients: clients,
                    pseudonyms: parts.keys.serverKeys.userIDs))
            points[id] = try provider.point?.point(contents, clients, in: configuration)
        }
        return ConfiguredCatalogue(catalogue, providers: providers, decisionPoints: points)
    }

    /// Every face, to be put on one router.
    /// - Parameter stopping: given when the server is about to go.
    /// - Throws: when a page cannot be made.
    static func faces(
        _ domain: Entitlements, _ parts: Parts, _ keys: KeyRing, logos: LogoShelf, places: PlaceBook,
        stopping: StopSignal
    ) throws -> Faces {
        let configuration = parts.configuration
        var settings = Self.apiSettings(configuration)
        (settings.branding, settings.requestorBranding) = try configuration.completeBrands()
        settings.logos = logos
        settings.places = places
        settings.proxyWatch = ProxyWatch(logger: parts.logger, publicURL: settings.publicURL)
        var faceParts = Faces.Parts(
            domain: domain, settings: settings,
            accessTokens: AccessTokens(issuer: configuration.issuer, generation: { keys.generation }) {
                keys.accessToken
            },
            statementKeys: { keys.softwareStatement },
            // A key that was read can be written.
            mediaTokenKeys: { keys.tokenSigning.accepted().compactMap { try? $0.pem() }.joined() },
            isStopping: { stopping.isGiven }, metrics: parts.metrics, logger: parts.logger, now: parts.now)
        faceParts.statementKey = { keys.statementSigning }
        return try Faces(faceParts)
    }

    private static func apiSettings(_ configuration: Configuration) -> APISettings {
        var settings = configuration.calls.api
        settings.publicURL = configuration.server.publicURL
        settings.trustedProxies = AddressSet(configuration.server.trustedProxies)
        settings.boxes = configuration.boxes.network
        if configuration.calls.showsDescription { settings.showDescription(version: ServerProgram.version) }
        return settings
    }
}
