extension AdvancedStatus {
    /// A code of a report (access-enabler 16). The list grows: a `switch` over codes needs a `default`.
    public struct Code: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
        /// The code in the spelling that the library emits.
        public let rawValue: String

        /// The code of this name. The aliases of access-enabler 10.7 are equal to what they stand for.
        public init(rawValue: String) {
            switch rawValue {
            case "AAPL": self.rawValue = "APPL"
            case "AAPL_ERROR": self.rawValue = "APPL_ERROR"
            default: self.rawValue = rawValue
            }
        }

        /// The code of this name.
        public init(_ name: String) { self.init(rawValue: name) }

        /// The name.
        public var description: String { self.rawValue }
    }
}

// General, security, configuration, registration (access-enabler 16.1).
extension AdvancedStatus.Code {
    /// `500`: an internal error, such as a store that cannot be used.
    public static let internalError = Self("500")
    /// `SEC403`: the requestor may not be used by this application.
    public static let requestorNotAllowed = Self("SEC403")
    /// `SEC412`: the device ID does not match; tokens were cleared.
    public static let deviceMismatch = Self("SEC412")
    /// `SEC420`: the server's certificate is not trusted. A handshake that breaks off is ``serverNotFound``.
    public static let untrustedServer = Self("SEC420")
    /// `CFG100`: the device's date, time or time zone is wrong.
    public static let wrongClock = Self("CFG100")
    /// `CFG400`: the requestor ID is invalid.
    public static let invalidRequestor = Self("CFG400")
    /// `CFG404`: the server cannot be reached.
    public static let serverNotFound = Self("CFG404")
    /// `R400`: the application is not registered: its statement is invalid or revoked.
    public static let notRegistered = Self("R400")
    /// `R401`: no access token can be obtained.
    public static let noAccessToken = Self("R401")
    /// `REG500`: no registration code can be fetched.
    public static let noRegistrationCode = Self("REG500")
    /// `REGCODE`: a registration code to show.
    public static let registrationCode = Self("REGCODE")

    /// Whether it says that the server has a fault: `CFG500` to `CFG599`.
    public var isServerFault: Bool {
        self.rawValue.utf8.count == 6 && self.rawValue.hasPrefix("CFG5")
            && self.rawValue.dropFirst(3).allSatisfy { $0.isASCII && $0.isNumber }
    }
}

// Authentication (access-enabler 16.2).
extension AdvancedStatus.Code {
    /// `N000`: the viewer is not authenticated.
    public static let notAuthenticated = Self("N000")
    /// `N001`: passive authentication started in the background.
    public static let passiveAuthentication = Self("N001")
    /// `N003`: "Other TV providers" was chosen in the platform's picker.
    public static let otherProviders = Self("N003")
    /// `N004`: the provider chosen in the platform's picker is not the requestor's.
    public static let providerNotSupported = Self("N004")
    /// `N005`: the picker was cancelled.
    public static let pickerCancelled = Self("N005")
    /// `N010`: authenticated while an authenticate-all rule was active.
    public static let degradedAuthentication = Self("N010")
    /// `N011`: authenticated by TempPass.
    public static let temporaryAuthentication = Self("N011")
    /// `N111`: the TempPass is over.
    public static let temporaryPassOver = Self("N111")
    /// `N130`: there is no authentication token for the session.
    public static let noSession = Self("N130")
    /// `N500`: an internal error while authenticating.
    public static let authenticationError = Self("N500")
}

// Authorization and preauthorization (access-enabler 16.3).
extension AdvancedStatus.Code {
    /// `Z010`: authorized while a rule of degradation was active.
    public static let degradedAuthorization = Self("Z010")
    /// `Z011`: authorized by TempPass.
    public static let temporaryAuthorization = Self("Z011")
    /// `Z100`: denied by the provider.
    public static let denied = Self("Z100")
    /// `Z110`: denied because of repeated denials.
    public static let deniedRepeatedly = Self("Z110")
    /// `Z120`: denied for technical reasons.
    public static let authorizationUnavailable = Self("Z120")
    /// `Z130`: the resource is invalid.
    public static let invalidResource = Self("Z130")
    /// `Z169`: denied by an authorize-none rule.
    public static let deniedByRule = Self("Z169")
    /// `Z500`: an internal error while authorizing.
    public static let authorizationError = Self("Z500")
    /// `P100`: preauthorization failed, mostly for too many resources.
    public static let preauthorizationFailed = Self("P100")
}

// Platform SSO (access-enabler 16.4, 10.7).
extension AdvancedStatus.Code {
    /// `VSA203`: the sign-in that ended came from the box's account, which lives on.
    public static let platformSignOut = Self("VSA203")
    /// `VSA403`: the permission to use the box's account is denied.
    public static let platformDenied = Self("VSA403")
    /// `VSA404`: the permission to use the box's account is not decided.
    public static let platformUndetermined = Self("VSA404")
    /// `VSA503`: the box's account could not be asked, in `getAuthentication`.
    public static let platformUnavailable = Self("VSA503")
    /// `APPL`: the box's account could not be asked, in `setRequestor`.
    public static let appl = Self("APPL")
    /// `APPL_ERROR`: the box's account could not be asked, in `checkAuthentication`.
    public static let applError = Self("APPL_ERROR")
    /// `AAPL`, another spelling of ``appl``, for comparison.
    public static let aapl = Self("AAPL")
    /// `AAPL_ERROR`, another spelling of ``applError``, for comparison.
    public static let aaplError = Self("AAPL_ERROR")
}
