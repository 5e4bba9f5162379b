/// The authentication flow as a value: told what happened, it says what to do (access-enabler 9.10).
///
/// Every run ends in exactly one ``Action/finish(_:)`` or, for a logout, ``Action/abandon``. Results of an attempt that
/// is over must not be reported to it: its owner compares ``attempt`` after every wait.
struct AuthenticationFlow: Sendable {
    /// A provider as far as the flow cares.
    struct Provider: Hashable, Sendable {
        let id: String
        /// Signs in without the viewer: a TempPass, or a login that is skipped at the moment.
        let isImmediate: Bool
        /// Needs the data of `getAuthentication` for that.
        let needsData: Bool
    }

    /// How a viewer gets to the login page.
    enum Way: Sendable {
        case secondScreen, userAgent
    }

    enum State: Hashable, Sendable {
        case idle
        case platformPermission
        case platformDialog
        case platformExchange(String)
        case awaitingProvider
        /// A code is being asked for; without a provider, one for any.
        case starting(String?)
        case navigating(String?)
        case polling(String?)
        case retrieving(String?)
        case temporary(String)
        case storing(String)
    }

    /// The facts that decide where a flow starts (access-enabler 9.4, D-09).
    struct Situation: Sendable {
        var way: Way
        /// Chosen with `setSelectedProvider` before.
        var preselected: Provider?
        /// Platform SSO is configured, and a provider takes part.
        var hasPlatform = false
        /// The provider of the last successful login, while `canAuthenticate`.
        var remembered: Provider?
        var hasProviders = true
        /// The viewer picks the provider where the code is entered.
        var choosesOnSecondScreen = false
        var hasData = false
        /// "Cancel" in the platform's dialog ends the flow (access-enabler D-10).
        var cancelEnds = false
    }

    /// How the platform's part ended (access-enabler 10.6, step 4).
    enum PlatformEnd: Hashable, Sendable {
        /// A provider whose sign-in the platform has, or just got.
        case account(Provider)
        /// A provider that is listed by the platform and signs in at the server.
        case picked(Provider)
        case cancelled
        /// It leads no further, or the viewer left it, as the report says.
        case left(AdvancedStatus)
        /// No account, and the filter leaves no provider to choose.
        case nothingListed
    }

    enum Event: Sendable {
        case begin(Situation)
        /// A basic TempPass, chosen outside a flow (access-enabler 7.8).
        case passChosen(Provider, Way)
        case accessGranted
        case platform(PlatformEnd)
        /// The server took the profile, or a token was found, retrieved or given.
        case token
        case providerSelected(Provider)
        case providerCancelled
        /// A provider was chosen that the requestor does not have.
        case providerUnknown
        case codeObtained
        case navigationEnded
        /// The token cannot be had; the code of ``AccessEnablerError``.
        case failed(code: String)
        case stored
        case logout
        case requestorChanged
    }

    enum Outcome: Hashable, Sendable {
        case success
        case failure(code: String)
    }

    enum Action: Hashable, Sendable {
        case askPlatformAccess
        case queryPlatform
        case exchangeProfile(String)
        /// With the code that says why the platform was left, if it was.
        case showPicker(AdvancedStatus?)
        /// mvpdSelection, for a choice the library makes on behalf of the viewer.
        case trackSelection(String)
        case requestCode(String?)
        case poll
        case navigate
        case retrieve
        case authenticateTemporarily(String)
        case store
        /// The token that is being kept, or was just kept, is not wanted after all.
        case takeBack
        case report(AdvancedStatus)
        case finish(Outcome)
        case abandon
    }

    private(set) var state = State.idle
    /// Counts the attempts: another number means that what is under way is no longer wanted.
    private(set) var attempt = 0
    private var situation = Situation(way: .secondScreen)

    var isRunning: Bool { self.state != .idle }

    /// The actions that follow `event`; none for one that does not fit the state, such as a late answer.
    mutating func handle(_ event: Event) -> [Action] {
        switch (self.state, event) {
        case (.idle, .begin(let situation)): return self.begin(situation)
        case (.idle, .passChosen(let provider, let way)):
            self.situation = Situation(way: way)
            return self.start(provider)
        case (.idle, _): return []

        case (_, .providerCancelled):
            return self.takingBack + [.report(AdvancedStatus("N005", .info))]
                + self.finish(.failure(code: AccessEnablerError.providerNotSelected))
        case (_, .providerUnknown):
            return self.takingBack + self.finish(.failure(code: AccessEnablerError.providerNotAvailable))
        case (_, .requestorChanged):
            return self.takingBack + self.finish(.failure(code: AccessEnablerError.providerNotSelected))
        case (_, .logout):
            self.end()
            return [.abandon]

        case (.platformPermission, .accessGranted):
            self.state = .platformDialog
            return [.queryPlatform]
        case (.platformPermission, .platform(let end)), (.platformDialog, .platform(let end)):
            return self.leavePlatform(end)
        case (.platformExchange(let id), .token): return self.store(id)
        case (.platformExchange, .platform(.left(let status))): return self.showPicker(because: status)

        // Choosing another provider drops the attempt that is under way (access-enabler 7.8).
        case (_, .providerSelected(let provider)): return self.takingBack + self.start(provider)

        case (.starting(let id), .codeObtained):
            self.state = self.situation.way == .userAgent ? .navigating(id) : .polling(id)
            return [self.situation.way == .userAgent ? .navigate : .poll]
        case (.navigating(let id), .navigationEnded):
            self.state = .retrieving(id)
            return [.retrieve]
        case (.polling(let id), .token), (.retrieving(let id), .token): return self.store(id ?? "")
        case (.temporary(let id), .token): return self.store(id)
        case (.polling, .failed(let code)), (.retrieving, .failed(let code)), (.temporary, .failed(let code)),
            (.starting, .failed(let code)), (.navigating, .failed(let code)), (.storing, .failed(let code)):
            return self.finish(.failure(code: code))
        case (.storing, .stored): return self.finish(.success)

        // Late, or of an attempt that took another turn.
        case (_, .begin), (_, .passChosen), (_, .accessGranted), (_, .platform), (_, .token), (_, .codeObtained),
            (_, .navigationEnded), (_, .failed), (_, .stored):
            return []
        }
    }

    private mutating func begin(_ situation: Situation) -> [Action] {
        self.situation = situation
        if let provider = situation.preselected { return self.start(provider) }
        if situation.hasPlatform {
            self.attempt += 1
            self.state = .platformPermission
            return [.askPlatformAccess]
        }
        return self.beginWithoutPlatform()
    }

    private mutating func beginWithoutPlatform() -> [Action] {
        if self.situation.choosesOnSecondScreen { return self.startWithoutProvider() }
        if let provider = self.situation.remembered { return self.start(provider) }
        return self.showPicker(because: nil)
    }

    private mutating func start(_ provider: Provider) -> [Action] {
        self.attempt += 1
        if provider.isImmediate {
            if provider.needsData, !self.situation.hasData {
                return self.finish(.failure(code: AccessEnablerError.genericAuthentication))
            }
            self.state = .temporary(provider.id)
            return [.authenticateTemporarily(provider.id)]
        }
        self.state = .starting(provider.id)
        return [.requestCode(provider.id)]
    }

    private mutating func startWithoutProvider() -> [Action] {
        // Without a provider behind it a code is of no use (access-enabler 7.7).
        guard self.situation.hasProviders else {
            return self.finish(.failure(code: AccessEnablerError.providerNotAvailable))
        }
        self.attempt += 1
        self.state = .starting(nil)
        return [.requestCode(nil)]
    }

    private mutating func leavePlatform(_ end: PlatformEnd) -> [Action] {
        switch end {
        case .account(let provider):
            self.state = .platformExchange(provider.id)
            return [.exchangeProfile(provider.id)]
        case .picked(let provider): return [.trackSelection(provider.id)] + self.start(provider)
        case .cancelled:
            let status = AdvancedStatus("N005", .info)
            guard self.situation.cancelEnds else { return self.showPicker(because: status) }
            return [.report(status)] + self.finish(.failure(code: AccessEnablerError.providerNotSelected))
        case .left(let status): return self.showPicker(because: status)
        case .nothingListed: return self.beginWithoutPlatform()
        }
    }

    private mutating func showPicker(because code: AdvancedStatus?) -> [Action] {
        // The page where the code is entered is the picker then.
        if self.situation.choosesOnSecondScreen {
            return (code.map { [.report($0)] } ?? []) + self.startWithoutProvider()
        }
        guard self.situation.hasProviders else {
            return self.finish(.failure(code: AccessEnablerError.providerNotAvailable))
        }
        self.attempt += 1
        self.state = .awaitingProvider
        return [.showPicker(code)]
    }

    /// The actions that are due before an attempt is dropped.
    private var takingBack: [Action] { if case .storing = self.state { [.takeBack] } else { [] } }

    private mutating func store(_ id: String) -> [Action] {
        self.state = .storing(id)
        return [.store]
    }

    private mutating func finish(_ outcome: Outcome) -> [Action] {
        self.end()
        return [.finish(outcome)]
    }

    private mutating func end() {
        self.attempt += 1
        self.state = .idle
    }
}
