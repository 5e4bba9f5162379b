import Clientless
package import Observability

/// How an ``AccessEnabler`` works: where, as whom, and how patiently (access-enabler 2.4).
public struct Configuration: Sendable {
    /// How a viewer gets to the provider's login page.
    public enum Interaction: Sendable, Hashable {
        /// On another device, with a registration code; the server is asked until the code was used.
        case secondScreen
        /// In a browser that the application opens (`navigateToUrl`).
        case userAgent
    }

    /// What follows when a viewer cancels the platform's dialog (access-enabler D-10).
    public enum PlatformPickerCancelPolicy: Sendable, Hashable {
        /// `N005`, and the application's picker follows.
        case fallBackToProviderDialog
        /// The login ends with ``AccessEnablerError/providerNotSelected``.
        case abort
    }

    /// Where a viewer picks the provider in ``Interaction/secondScreen``.
    public enum ProviderChoice: Sendable, Hashable {
        /// In the application's picker, as the original does.
        case application
        /// On the page where the code is entered: the code is for any provider of the requestor.
        case secondScreen
    }

    /// The server. Required unless every `setRequestor` names service providers: there are no built-in hosts.
    public var environment: Environment?
    /// How a viewer gets to the login page.
    public var interaction: Interaction
    /// The box's account, for platform SSO; none switches platform SSO off altogether.
    public var platformSSO: (any PlatformSSOService)?
    /// Where tokens are kept; none means a ``PrivateFileStore`` of the application.
    public var tokenStore: (any TokenStore)?
    /// The application's own URL scheme, which ends secure-browser navigations.
    public var customScheme: String?
    /// Opens a secure browser by itself where a provider asks for one (access-enabler 8.6).
    public var userAgentPresenter: (any UserAgentPresenter)?
    /// The application's identifier in reverse-domain form, such as `com.example.player`; names its store and, without
    /// its last part, the device scope.
    public var applicationID: String
    /// The vendor's identity for sharing tokens (access-enabler 11.7).
    public var vendorGroup: VendorGroup?
    /// Where callbacks run.
    public var callbackDispatcher: any CallbackDispatcher = MainActorDispatcher()
    /// How often to ask where the server does not hold a question, 1 to 60 s (access-enabler D-22).
    public var pollInterval: Duration = .seconds(5)
    /// The longest silent part of the configuration phase (access-enabler D-27).
    public var silentSignOnTimeout: Duration = .seconds(10)
    /// How long a logout in the browser may take (access-enabler D-53).
    public var logoutNavigationTimeout: Duration = .seconds(30)
    /// What follows when a viewer cancels the platform's dialog.
    public var platformPickerCancelPolicy: PlatformPickerCancelPolicy = .fallBackToProviderDialog
    /// Skips the picker for a provider the viewer used before (access-enabler D-08).
    public var reusesRememberedProvider = true
    /// Whether the process gives pages of code back to the system while a code is on show, which may be for half an hour.
    /// What is needed again comes from the page cache.
    public var givesBackMemoryWhilePolling = true
    /// Where a viewer picks the provider.
    public var providerChoice: ProviderChoice = .application
    /// Shows a live code of an earlier run again instead of asking for another.
    public var resumesRegistrationCode = false
    /// How long a code lives, 60 to 36,000 s; `nil` for the server's own choice.
    public var codeLifetime: Duration?
    /// The page where viewers enter the code, if it is not the server's own.
    public var activationURL: String?
    /// What the confirmation page shows about the box.
    public var clientInformation = ClientInformation()
    /// Where the stable identifier of the machine is read; it never leaves the box.
    public var machineIDFile = "/etc/machine-id"
    /// The issuer the server has in the platform's eyes (access-enabler 10.2); the server's host when `nil`.
    public var platformChannelIdentifier: String?
    /// Warns when `setRequestor` or `checkAuthentication` is not called on the main thread (access-enabler 2.2).
    public var strictMainThread = false

    /// Points of access for tests.
    package var transport: (any Transport)?
    package var clock: any BoxClock = SystemClock()
    package var randomness: any Randomness = SystemRandomness()
    /// How long one server may take to be configured, registration included (access-enabler D-02).
    package var serviceProviderTimeout: Duration = .seconds(10)
    /// Before each repetition of a call that did not get through.
    package var repetitionPauses: [Duration] = [.milliseconds(500), .seconds(2)]
    package var logger = Logger(component: "com.adobe.pass.AccessEnabler")
    /// Told what happens to a code on show.
    package var pairingProgress: (@Sendable (PairingProgress) -> Void)?
    /// Read only when the store in use has nothing for the requestor, newest first (access-enabler 11.9).
    package var legacyStores: [any LegacyStoreReader] = []

    /// A configuration; whatever else it says is set on the value.
    /// - Parameters:
    ///   - environment: the server; `nil` when every `setRequestor` names service providers.
    ///   - interaction: how a viewer gets to the login page.
    ///   - applicationID: the application in reverse-domain form; see ``applicationID``.
    public init(
        environment: Environment? = nil, interaction: Interaction = .secondScreen, applicationID: String = ""
    ) {
        self.environment = environment
        self.interaction = interaction
        self.applicationID = applicationID
    }

    /// Where tokens may lie from before, newest first: an application that moved to a vendor group left its file.
    var olderStores: [any LegacyStoreReader] {
        guard self.tokenStore is VendorGroupStore else { return self.legacyStores }
        return self.legacyStores + [FormerStore(PrivateFileStore(applicationID: self.applicationID))]
    }

    /// The vendor's scope of the device ID (access-enabler 12.4).
    package var deviceScope: String {
        if let group = self.vendorGroup { return group.deviceScope }
        guard let dot = self.applicationID.lastIndex(of: ".") else { return self.applicationID }
        return String(self.applicationID[..<dot])
    }
}

/// A vendor's identity on a box, from its signed manifest (access-enabler 11.7).
public struct VendorGroup: Sendable, Hashable {
    /// The vendor; applications of one share a store.
    public let identifier: String
    /// Applications of one scope have the same device ID.
    public let deviceScope: String

    /// The vendor's identity, as its manifest has it.
    public init(identifier: String, deviceScope: String) {
        self.identifier = identifier
        self.deviceScope = deviceScope
    }
}

/// Opens a page in the system's browser, in a process of its own (access-enabler 7.3, 8.6).
public protocol UserAgentPresenter: Sendable {
    /// Opens the page. Returns when it is open, not when the viewer is done.
    func open(_ url: String) async
}
