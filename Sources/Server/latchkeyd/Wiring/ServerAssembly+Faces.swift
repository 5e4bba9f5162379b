import Clientless
import Cryptography
import Entitlement
import HTTPServer
import Lifecycle
import Observability
import Providers
import ServerAPI
import StoreSQLite

extension ServerAssembly {
    /// What answers for each TV provider; nobody has to be asked about a trial.
    static func providers(of catalogue: Catalogue, accounts: any AccountStore) -> [MVPDID: any Provider] {
        let entries = catalogue.mvpds.compactMap { mvpd -> (MVPDID, any Provider)? in
            switch mvpd.kind {
            case .local: (mvpd.id, LocalProvider(mvpd: mvpd.id, accounts: accounts))
            case .temporaryPass: nil
            }
        }
        return Dictionary(uniqueKeysWithValues: entries)
    }

    /// Every face on one router.
    /// - Parameter stopping: given when the server is about to go.
    /// - Throws: when a page cannot be made.
    static func router(
        _ domain: Entitlements, _ parts: Parts, _ keys: KeyRing, stopping: StopSignal
    ) throws -> Router {
        let configuration = parts.configuration
        let settings = Self.apiSettings(configuration)
        let throttle = settings.throttle.map { Throttle($0) }
        let accessTokens = AccessTokens(issuer: configuration.issuer, generation: { keys.generation }) {
            let (signing, accepted) = keys.accessToken
            return AccessTokens.Keys(signing: signing, accepted: accepted)
        }
        let authenticator = Authenticator(
            domain: domain, accessTokens: accessTokens, window: settings.clockWindow, metrics: parts.metrics)
        let rest = RESTv1(
            domain: domain, settings: settings, authenticator: authenticator, throttle: throttle,
            logger: parts.logger, now: parts.now)
        let sdk = SDKServices(
            domain: domain, settings: settings, authenticator: authenticator, throttle: throttle,
            logger: parts.logger, now: parts.now)
        let registration = ClientRegistration(
            domain: domain, accessTokens: accessTokens,
            statements: SoftwareStatementReader(issuer: configuration.issuer) { keys.softwareStatement },
            settings: settings, throttle: throttle, logger: parts.logger, now: parts.now)
        let management = Management(
            domain: domain, settings: settings, authenticator: authenticator, throttle: throttle,
            degradationCalls: configuration.calls.degradationCalls, logger: parts.logger, now: parts.now)
        let isPublicURLSecure = settings.publicURL.hasPrefix("https://")
        let screen = try SecondScreen(
            domain: domain, logger: parts.logger, clock: parts.now,
            address: { ClientAddress.of($0, trusting: settings.trustedProxies) },
            isSecure: { isPublicURLSecure || $0.isSecure })
        let service = ServiceEndpoints(
            domain: domain, settings: settings, metrics: parts.metrics,
            // A key that was read can be written.
            mediaTokenKeys: { keys.tokenSigning.accepted.compactMap { try? $0.pem() }.joined() },
            isStopping: { stopping.isGiven })
        var router = Router()
        router.useAPIFallback { request, status in screen.problemPage(status, for: request) }
        rest.addRoutes(to: &router)
        sdk.addRoutes(to: &router)
        registration.addRoutes(to: &router)
        screen.addRoutes(to: &router)
        management.addRoutes(to: &router)
        service.addRoutes(to: &router)
        return router
    }

    private static func apiSettings(_ configuration: Configuration) -> APISettings {
        var settings = APISettings(publicURL: configuration.server.publicURL)
        settings.clockWindow = configuration.calls.clockWindow
        settings.trustedProxies = Set(configuration.server.trustedProxies)
        settings.limitsOrigins = configuration.calls.limitsOrigins
        settings.allowsAnyRedirect = configuration.calls.allowsAnyRedirect
        settings.metricsReaders = Set(configuration.calls.metricsReaders)
        settings.throttle = configuration.calls.throttle.map { given in
            var throttle = Throttle.Settings()
            throttle.device = Self.limit(given.deviceInterval, burst: given.deviceBurst)
            throttle.address = Self.limit(given.addressInterval, burst: given.addressBurst)
            throttle.bound = given.remembered
            return throttle
        }
        return settings
    }

    private static func limit(_ interval: Duration, burst: Int) -> ThrottleLimit {
        ThrottleLimit(
            interval: interval.wholeMilliseconds, tolerance: interval.wholeMilliseconds * Int64(burst))
    }
}
