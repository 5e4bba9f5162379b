import AccessEnabler
import AccessEnablerConstants
import AccessEnablerTesting
import FoundationEssentials
import Testing

/// What an application of the examples has to draw with.
protocol Screen: Sendable {
    func pick(_ providers: [MVPD]) -> String?
    func show(_ code: String, _ address: String?)
    func drawQR(_ text: String)
    func say(_ text: String)
    func wait()
    func browse(_ url: String, until prefix: String) async -> String?
}

/// The code of the documentation's pages, word for word, so that it compiles.
enum Examples {
    static func pair(serverURL: URL, statement: String, screen: some Screen) async throws -> AccessEnabler.MediaToken? {
        let enabler = AccessEnabler(
            softwareStatement: statement,
            configuration: AccessEnabler.Configuration(
                environment: .custom(serverURL), applicationID: "com.example.player"))
        let events = enabler.events
        try await enabler.configure(requestorID: "NORTHSPORT")
        async let outcome = enabler.authenticate()
        for await event in events {
            if case .providerDialog(let providers) = event { await enabler.selectProvider(screen.pick(providers)) }
            if case .registrationCode(let code) = event { screen.show(code.grouped, code.loginURL) }
            if case .authenticationStatus = event { break }
        }
        guard case .authenticated = await outcome else { return nil }
        let token = try await enabler.authorize("North Sport HD")
        await enabler.shutDown()
        return token
    }

    static func withoutPicker(serverURL: URL) -> AccessEnabler.Configuration {
        var configuration = AccessEnabler.Configuration(
            environment: .custom(serverURL), applicationID: "com.example.player")
        configuration.providerChoice = .secondScreen
        configuration.clientInformation.name = "Living room"
        return configuration
    }

    static func order(_ enabler: AccessEnabler) {
        enabler.setOptions([AccessEnabler.OptionKey.visitorID: "visitor-7"])
        enabler.setRequestor("NORTHSPORT")
        enabler.checkAuthentication()
        enabler.checkPreauthorizedResources(["North Sport HD", "North Sport 2"])
    }

    static func shared(serverURL: URL, statement: String) -> AccessEnabler {
        var configuration = AccessEnabler.Configuration(
            environment: .custom(serverURL), applicationID: "com.example.player")
        configuration.vendorGroup = AccessEnabler.VendorGroup(
            identifier: "NorthMedia", deviceScope: "com.example", unixGroup: "northmedia")
        return AccessEnabler(storageCheck: .all, softwareStatement: statement, configuration: configuration)
    }

    static func listen(_ enabler: AccessEnabler) async {
        for await event in enabler.events {
            switch event {
            case .status(let status): print(status.errorId, status.level.rawValue)
            case .tracking(let event, let data): print("event \(event):", data.count, "facts")
            default: break
            }
        }
    }

    static func startUp(_ enabler: AccessEnabler) async -> AccessEnabler.AuthenticationOutcome? {
        do {
            try await enabler.configure(requestorID: "NORTHSPORT")
            return await enabler.authenticationStatus()
        } catch {
            print("no configuration:", error.status?.errorId ?? "unknown")
            return nil
        }
    }

    static func login(_ enabler: AccessEnabler, screen: some Screen) async {
        for await event in enabler.events {
            switch event {
            case .providerDialog(let providers):
                enabler.setSelectedProvider(screen.pick(providers))
            case .navigate(let request):
                guard let end = await screen.browse(request.url, until: request.completionURLPrefix) else {
                    enabler.setSelectedProvider(nil)
                    continue
                }
                enabler.handleExternalURL(end)
            case .authenticationStatus(let status, let code):
                print(status == .success ? "signed in" : code)
            default: break
            }
        }
    }

    static func showCode(_ enabler: AccessEnabler, screen: some Screen) async {
        for await event in enabler.events {
            guard case .registrationCode(let code) = event else { continue }
            screen.show(code.grouped, code.loginURL)
            if let address = code.shortURL ?? code.qrPayload { screen.drawQR(address) }
        }
    }

    static func dialog(_ request: TvProviderDialogRequest, screen: some Screen) async {
        for await page in request.pages {
            switch page {
            case .providerList:
                guard let choice = screen.pick(request.providers) else { return request.cancel() }
                request.choose(choice)
            case .signIn(let url, let code): screen.show(code, url)
            case .working: screen.wait()
            case .finished: return
            }
        }
    }

    static func filtered(_ enabler: AccessEnabler) async -> AccessEnabler.AuthenticationOutcome {
        let filter = AccessEnabler.ProviderFilter.featured(all: ["CableNova", "SkyLink"], featured: ["CableNova"])
        return await enabler.authenticate(filter: filter)
    }

    static func play(_ enabler: AccessEnabler, screen: some Screen) async -> AccessEnabler.MediaToken? {
        do {
            return try await enabler.authorize("North Sport HD")
        } catch {
            switch error.code {
            case AccessEnablerError.userNotAuthenticated: screen.say("Please sign in.")
            case AccessEnablerError.userNotAuthorized: screen.say(error.description)
            default: screen.say("Please try again later.")
            }
            return nil
        }
    }

    static func locks(_ enabler: AccessEnabler) async -> [String] {
        await enabler.preauthorizedResources(among: ["North Sport HD", "North Sport 2"])
    }

    static func reasons(_ enabler: AccessEnabler) async -> [String: String] {
        let request = PreauthorizeRequest(resources: ["North Sport HD"], disabledFeatures: [.localCache])
        let response = await enabler.preauthorize(request)
        if let problem = response.status { print(problem.code, problem.action) }
        return response.decisions.reduce(into: [:]) { reasons, decision in
            if let error = decision.error { reasons[decision.id] = error.message }
        }
    }

    static func signOut(_ enabler: AccessEnabler, screen: some Screen) async {
        let outcome = await enabler.signOut()
        if outcome.requiresSystemSignOut {
            screen.say("Sign out of your TV provider in the settings of the box, too.")
        }
    }

    static func hidden(
        _ enabler: AccessEnabler, _ request: AccessEnabler.NavigationRequest,
        _ configuration: AccessEnabler.Configuration
    ) async {
        guard request.purpose == .logout else { return }
        _ = await AccessEnabler.RedirectFollower(configuration: configuration).follow(request)
        // However the walk ended: providers may stop at a page of their own.
        enabler.handleExternalURL(request.completionURLPrefix)
    }

    static func patience(_ configuration: inout AccessEnabler.Configuration) {
        configuration.silentSignOnTimeout = .seconds(4)
    }

    static func promotion(
        _ enabler: AccessEnabler, hashedAddress: String
    ) async -> AccessEnabler.AuthenticationOutcome {
        await enabler.selectProvider("SummerPass")
        return await enabler.authenticate(data: ["email": hashedAddress])
    }

    static func degraded(_ enabler: AccessEnabler, screen: some Screen) async {
        for await case .status(let status) in enabler.events where ["N010", "Z010"].contains(status.errorId) {
            screen.say("Your provider has a fault. Enjoy the evening all the same.")
        }
    }

    static func constants(code: String) -> Bool {
        return code == USER_NOT_AUTHENTICATED_ERROR && code == AccessEnablerError.userNotAuthenticated
    }

    static func cancellable(
        _ enabler: AccessEnabler, back: @escaping @Sendable () async -> Void
    ) async -> AccessEnabler.AuthenticationOutcome? {
        await withTaskGroup(of: AccessEnabler.AuthenticationOutcome?.self) { group in
            group.addTask { await enabler.authenticate() }
            group.addTask {
                await back()
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }

    static func progress(_ configuration: inout AccessEnabler.Configuration, screen: some Screen) {
        configuration.pairingProgress = { progress in
            switch progress {
            case .code(let code, let left, _):
                screen.say("\(code.grouped), for \(left.components.seconds / 60) minutes")
            case .state(.confirming): screen.say("Please confirm this box on the telephone.")
            case .providerRefused(let words): screen.say(words ?? "The provider refused the login.")
            case .connectionProblem: screen.say("There is no connection to the server; still trying.")
            case .ended(.declined): screen.say("The login was declined on the telephone.")
            case .pageOpened, .state, .connectionRestored, .ended: break
            }
        }
    }

    static func boot(_ enabler: AccessEnabler) async throws {
        var pause = Duration.seconds(2)
        while true {
            do {
                return try await enabler.configure(requestorID: "NORTHSPORT")
            } catch {
                let code = error.status?.code
                let mayPass = code == .serverNotFound || code == .untrustedServer || code?.isServerFault == true
                guard mayPass else { throw error }
            }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .seconds(60))
        }
    }

    static func tested() async throws -> Bool {
        let service = FakeService()
        let enabler = AccessEnabler(softwareStatement: "a.b.c", configuration: service.configuration())
        try await enabler.configure(requestorID: "NORTHSPORT")
        await enabler.selectProvider("CableNova")
        async let outcome = enabler.authenticate()
        let code = await service.codeOnShow()
        service.signIn(at: "CableNova")
        let isSignedIn = await outcome == .authenticated(mvpdID: "CableNova")
        service.deny("North Sport HD", words: "Your package lacks this channel.")
        let failure = await #expect(throws: AccessEnabler.AuthorizationFailure.self) {
            try await enabler.authorize("North Sport HD")
        }
        await enabler.shutDown()
        return isSignedIn && !code.isEmpty && failure?.description == "Your package lacks this channel."
    }
}
