import Clientless
import Cryptography

/// The operations of one server the library needs (access-enabler 17), whatever protocol they travel over.
///
/// Each throws ``EntitlementError``: `unauthorized` and `unknownClient` ask the caller to renew and repeat.
protocol EntitlementBackend: Sendable {
    /// The time by the server's clock, as far as it is known.
    var now: Timestamp { get }
    /// How far the box's clock is behind the server's; zero while it is less than a minute.
    var clockOffset: Duration { get }

    func registerClient(
        softwareStatement: Secret, as caller: BackendCaller
    ) async throws(EntitlementError) -> ClientCredentials
    func accessToken(for client: ClientCredentials, as caller: BackendCaller) async throws(EntitlementError)
        -> AccessToken
    func configuration(as caller: BackendCaller) async throws(EntitlementError) -> ServiceConfiguration

    /// A new code for the device.
    func registrationCode(
        _ wish: CodeWish, as caller: BackendCaller
    ) async throws(EntitlementError) -> AccessEnabler.RegistrationCode
    func deleteRegistrationCode(_ code: String, as caller: BackendCaller) async throws(EntitlementError)
    /// Asks whether a viewer has signed in with `code`.
    func session(
        _ code: String, _ poll: PollingSchedule.Poll, as caller: BackendCaller
    ) async throws(EntitlementError) -> PollAnswer

    func profileRequest(mvpdID: String, as caller: BackendCaller) async throws(EntitlementError) -> [UInt8]
    func exchangeProfile(
        _ samlResponse: String, mvpdID: String, as caller: BackendCaller
    ) async throws(EntitlementError) -> NativeSession
    /// The server's word, to the requestor behind `request`, that the sign-in of this token holds.
    func profile(for request: [UInt8], by token: String, as caller: BackendCaller) async throws(EntitlementError)
        -> String
    /// A sign-in by the sign-in of another requestor; `nil` when that is not possible.
    func passiveAuthentication(
        with token: String, mvpdID: String, as caller: BackendCaller
    ) async throws(EntitlementError) -> NativeSession?
    func temporaryAuthentication(
        mvpdID: String, data: [String: String], as caller: BackendCaller
    ) async throws(EntitlementError) -> NativeSession

    func authorize(
        _ resource: Resource, mvpdID: String, token: String, data: [String: String], as caller: BackendCaller
    ) async throws(EntitlementError) -> AuthorizationAnswer
    /// The media token as it came.
    func mediaToken(
        authorization: String, authentication: String, as caller: BackendCaller
    ) async throws(EntitlementError) -> String
    func preauthorize(
        _ resources: [String], token: String, usesCache: Bool, as caller: BackendCaller
    ) async throws(EntitlementError) -> [PreauthorizeResponse.Decision]
    /// Returns when the server accepts the caller's credentials.
    func checkCredential(as caller: BackendCaller) async throws(EntitlementError)
    /// Asks whether the server still honours a sign-in; returns when it does.
    func checkSignIn(_ token: String, as caller: BackendCaller) async throws(EntitlementError)
    /// The boxes that the viewer is signed in on.
    func viewerBoxes(_ token: String, as caller: BackendCaller) async throws(EntitlementError)
        -> AccessEnabler.ViewerBoxes
    /// Signs another of the viewer's boxes out.
    /// - Returns: whether there was such a box.
    func signOut(box: String, _ token: String, as caller: BackendCaller) async throws(EntitlementError) -> Bool
    /// Ends a sign-in at the server.
    /// - Parameter redirect: where a browser that ends the provider's session goes in the end; `nil` if there is no
    ///   browser.
    func logout(
        token: String, mvpdID: String, redirect: String?, as caller: BackendCaller
    ) async throws(EntitlementError) -> BackendLogout

    /// The page where a viewer signs in with a code that was asked for; nothing is fetched.
    func authenticationURL(_ page: LoginPage, as caller: BackendCaller) -> String
}

/// The parameters of a login page (rest-v1 13.1).
struct LoginPage: Sendable {
    let code: String
    let mvpdID: String
    /// A registered domain of the requestor.
    let domain: String
    /// The last address of the browser.
    let redirect: String
    let data: [String: String]
    let forcesLogin: Bool
}

/// The caller: its proof, its requestor and device, and its description of itself.
struct BackendCaller: Sendable {
    enum Proof: Sendable {
        case accessToken(Secret)
        case keyPair(KeyPair)
        /// On the way to an access token there is nothing yet.
        case none
    }

    let proof: Proof
    let requestor: RequestorID
    let deviceID: DeviceID
    /// The value of `X-Device-Info`.
    let deviceInformation: String
    /// The options of access-enabler 7.3 as parameters.
    let options: [(String, String)]
}

/// The credentials of an installation from its registration; they are kept for ever (rest-v1 10.7).
struct ClientCredentials: Sendable {
    let id: String
    let secret: Secret
}

/// Proof for some hours.
struct AccessToken: Sendable {
    let text: Secret
    /// When to get a new one, shortly before it runs out, by the server's clock.
    let renewAt: Timestamp
}

/// The wishes for a new code.
struct CodeWish: Sendable {
    let mvpdID: String?
    let lifetime: Duration?
    let activationURL: String?
    /// For the identifier of a promotional TempPass.
    let data: [String: String]
}

/// A sign-in as the SDK services hand it out (sdk-services 3).
struct NativeSession: Sendable {
    let token: AuthenticationToken
    /// The payload of access-enabler 13.3.
    let userMetadata: String?
}

/// The server's answer to "signed in yet?".
struct PollAnswer: Sendable {
    enum Verdict: Sendable {
        case signedIn(NativeSession)
        case notYet
        /// 410: the code expired, or was declined or cancelled, which ``PollAnswer/state`` tells apart.
        case over
        /// 404: no such code, or not of this requestor.
        case unknown
    }

    let verdict: Verdict
    /// `nil` from servers that do not say.
    let state: AccessEnabler.CodeState?
    /// Whether a viewer entered the code; never of servers that do not say.
    let isOpened: Bool
    /// The words of a provider that refused a login, untrusted.
    let providerReason: String?
    /// Whether the server honoured the wish to hold the question.
    let isHeld: Bool
}

/// A decision (sdk-services 4).
enum AuthorizationAnswer: Sendable {
    case permitted(AuthorizationToken, userMetadata: String?)
    /// A code of access-enabler 16.3, and the words for the viewer.
    case denied(code: String, message: String, details: String)
}

enum BackendLogout: Sendable {
    case done
    /// The provider's own session ends on a page.
    case page(String)
}
