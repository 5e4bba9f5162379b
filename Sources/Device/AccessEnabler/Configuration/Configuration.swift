package import HTTPClient
package import Observability

extension AccessEnabler {
    /// How an ``AccessEnabler`` works: where, as whom, and how patiently (access-enabler 2.4).
    public struct Configuration: Sendable {
        /// How a viewer gets to the provider's login page.
        public enum Interaction: Sendable, Hashable {
            /// On another device, with a registration code; the server is asked until the code was used.
            case secondScreen
            /// In a browser that the application opens (`navigateToUrl`).
            case userAgent
        }

        /// The next step when a viewer cancels the platform's dialog (access-enabler D-10).
        public enum PlatformPickerCancelPolicy: Sendable, Hashable {
            /// `N005`, and the application's picker follows.
            case fallBackToProviderDialog
            /// The login ends with ``AccessEnablerError/providerNotSelected``.
            case abort
        }

        /// The place where a viewer picks the provider in ``Interaction/secondScreen``.
        public enum ProviderChoice: Sendable, Hashable {
            /// In the application's picker, as the original does.
            case application
            /// On the page where the code is entered: the code is for any provider of the requestor.
            case secondScreen
        }

        /// The way to the servers. The environment variables that other programs obey are not read.
        public enum Proxy: Sendable, Hashable {
            /// No proxy.
            case none
            /// `http://`, `https://` or `socks5h://` with host and port; hosts in `excluding`, and their subdomains,
            /// are reached directly.
            case url(String, excluding: [String] = [])
        }

        /// The server. Required unless every `setRequestor` names service providers: there are no built-in hosts.
        public var environment: Environment?
        /// How a viewer gets to the login page.
        public var interaction: Interaction
        /// The box's account, for platform SSO; `nil` switches platform SSO off altogether.
        public var platformSSO: (any PlatformSSOService)?
        /// The store of the tokens; `nil` for the ``AccessEnabler/VendorGroupStore`` of ``vendorGroup``, and without
        /// one for a ``AccessEnabler/PrivateFileStore`` of the application.
        public var tokenStore: (any TokenStore)?
        /// The application's own URL scheme, which ends secure-browser navigations.
        public var customScheme: String?
        /// Opens a secure browser by itself where a provider asks for one (access-enabler 8.6).
        public var userAgentPresenter: (any UserAgentPresenter)?
        /// The application's identifier in reverse-domain form, such as `com.example.player`; names its store and,
        /// without its last part, the device scope. An application without one is refused: `setRequestor` fails with
        /// `500` (access-enabler D-60).
        public var applicationID: String
        /// The vendor's identity for sharing tokens (access-enabler 11.7); `nil` when the application shares no token.
        public var vendorGroup: VendorGroup?
        /// The dispatcher that runs callbacks.
        public var callbackDispatcher: any CallbackDispatcher = MainActorDispatcher()
        /// How often to ask if the server does not hold a question, 1 to 60 s (access-enabler D-22).
        public var pollInterval: Duration = .seconds(5)
        /// The longest silent part of the configuration phase (access-enabler D-27).
        public var silentSignOnTimeout: Duration = .seconds(10)
        /// How long a logout in the browser may take (access-enabler D-53).
        public var logoutNavigationTimeout: Duration = .seconds(30)
        /// The next step when a viewer cancels the platform's dialog.
        public var platformPickerCancelPolicy: PlatformPickerCancelPolicy = .fallBackToProviderDialog
        /// Skips the picker for a provider the viewer used before (access-enabler D-08).
        public var reusesRememberedProvider = true
        /// Whether the whole process gives its pages of code back to the system once a minute while a code is on show.
        /// For programs that do nothing else meanwhile: pages that the process needs again come from the page cache.
        public var givesBackMemoryWhilePolling = false
        /// The place where a viewer picks the provider.
        public var providerChoice: ProviderChoice = .application
        /// Shows a live code of an earlier run again instead of asking for another.
        public var resumesRegistrationCode = false
        /// How long a code lives, 60 to 36,000 s; `nil` for the server's own choice.
        public var codeLifetime: Duration?
        /// The page where viewers enter the code, if it is not the server's own.
        public var activationURL: String?
        /// The facts that the confirmation page shows about the box. The library finds out those that are left open.
        public var clientInformation = ClientInformation()
        /// The file with the stable identifier of the machine; it never leaves the box.
        public var machineIDFile = "/etc/machine-id"
        /// The issuer the server has in the platform's eyes (access-enabler 10.2); the server's host when `nil`.
        public var platformChannelIdentifier: String?
        /// Warns when `setRequestor` or `checkAuthentication` is not called on the main thread (access-enabler 2.2).
        public var strictMainThread = false
        /// The way to the servers.
        public var proxy: Proxy = .none
        /// A PEM file with the only authorities whose server certificates are trusted; `nil` for those of the
        /// distribution.
        public var certificateAuthorityFile: String?
        /// Takes each line of the library's log, without a line break, from any thread; `nil` for standard error. No
        /// line holds a token, a code, a secret or the device ID.
        public var log: (@Sendable (_ line: String) -> Void)?
        /// Whether lines of level `debug` are written too.
        public var logsDebugLines = false
        /// Receives the news of a code on show, in order.
        public var pairingProgress: (@Sendable (PairingProgress) -> Void)?
        /// Told where a content of the store was put aside that could not be used, for the operator of the box.
        public var storeSetAside: (@Sendable (_ place: String) -> Void)?

        /// Told why a change of the store could not be kept; `nil` after one that was. From any thread.
        package var storeOutcome: (@Sendable (EntitlementError?) -> Void)?
        /// Whether the program means to have several objects, one for each requestor with a store of its own.
        package var isOneOfMany = false
        /// Points of access for tests; a program with many objects has them share a transport.
        package var systemRoot = ""
        package var transport: (any Transport)?
        package var clock: any BoxClock = SystemBoxClock()
        package var randomness: any Randomness = SystemRandomness()
        /// How long one server may take to be configured, registration included (access-enabler D-02).
        package var serviceProviderTimeout: Duration = .seconds(10)
        /// Before each repetition of a call that did not get through.
        package var repetitionPauses: [Duration] = [.milliseconds(500), .seconds(2)]
        package var logger = Logger(component: "com.adobe.pass.AccessEnabler")
        /// Read when the store in use has nothing for the requestor, newest first, and left untouched (access-enabler 11.9).
        package var legacyStores: [any TokenStore] = []
        /// In place of the application's own file.
        package var privateStore: PrivateFileStore?

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

        var store: any TokenStore {
            self.tokenStore ?? self.vendorGroup.map { VendorGroupStore(group: $0) }
                ?? PrivateFileStore(applicationID: self.applicationID)
        }

        static let missingApplicationID = TokenStoreError("the application has no identifier: set applicationID")

        /// Why nothing can work with it; `nil` when something can.
        var fault: TokenStoreError? { self.applicationID.isEmpty ? Self.missingApplicationID : nil }

        var usedLogger: Logger {
            guard self.log != nil || self.logsDebugLines else { return self.logger }
            let sink =
                self.log.map { log in LogSink { line in log(String(line.dropLast(line.last == "\n" ? 1 : 0))) } }
                ?? .standardError
            return Logger(
                component: "com.adobe.pass.AccessEnabler", level: self.logsDebugLines ? .debug : .info, sink: sink)
        }

        package var clientConfiguration: HTTPClient.Configuration {
            var configuration = HTTPClient.Configuration()
            if case .url(let url, let excluded) = self.proxy {
                (configuration.proxy, configuration.hostsWithoutProxy) = (url, excluded)
            }
            configuration.authorityFile = self.certificateAuthorityFile
            return configuration
        }

        /// The store that an application left when it moved to a vendor group.
        var formerStore: PrivateFileStore? {
            guard self.store is VendorGroupStore, self.fault == nil else { return nil }
            return self.privateStore ?? PrivateFileStore(applicationID: self.applicationID)
        }

        /// The vendor's scope of the device ID (access-enabler 12.4).
        package var deviceScope: String {
            if let group = self.vendorGroup { return group.deviceScope }
            guard let dot = self.applicationID.lastIndex(of: ".") else { return self.applicationID }
            return String(self.applicationID[..<dot])
        }
    }

    /// Opens a page in the system's browser, in a process of its own (access-enabler 7.3, 8.6).
    public protocol UserAgentPresenter: Sendable {
        /// Opens the page. Returns when it is open, not when the viewer is done.
        func open(_ url: String) async
    }
}
