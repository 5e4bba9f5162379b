import AccessEnabler
import Clientless

/// One event of the machine contract: `{"version":1,"event":"code_issued","time":…,"requestor":"DEMO",…}`.
///
/// Members may be added to an event and events to the list; ``version`` changes when one of them changes its meaning.
struct BoxEvent: Hashable, Sendable {
    static let version: Int64 = 1

    /// When it happened, by the box's clock.
    var time: Timestamp
    /// The channel brand it is about; `nil` if it is about the box.
    var requestor: String?
    /// Its place in the agent's stream; `nil` on the command line.
    var number: Int64?
    var news: News

    init(_ news: News, at time: Timestamp, requestor: String? = nil, number: Int64? = nil) {
        self.time = time
        self.requestor = requestor
        self.number = number
        self.news = news
    }

    enum News: Hashable, Sendable {
        // Pairing
        case codeIssued(IssuedCode)
        /// A viewer entered the code.
        case pageOpened
        /// The viewer is at the provider's page.
        case signingIn
        /// The viewer went back; the code can be entered again.
        case pageLeft
        /// The viewer signed in at the provider and is asked whether this is the box.
        case confirming
        /// The provider refused a login, in its own words where it sent some, or with `wrong_credentials`; the code can be
        /// used again.
        case providerRefused(message: String?)
        /// - Parameter isAlready: whether the box was signed in before, and no code was made.
        case approved(SignIn, isAlready: Bool)
        case declined
        case expired
        /// The code was withdrawn, by a newer one, an operator or the application.
        case cancelled
        /// A signal ended the wait; the code stays valid.
        case interrupted

        // The way to the server
        /// The server asks to be left alone for some seconds.
        case slowDown(retryAfter: Int64)
        case unreachable(message: String)
        case reachable

        // The sign-in and what it is good for
        case status(Standing)
        /// - Parameter logoutURL: where the viewer's browser ends the session at the provider; `nil` if nothing is left
        ///   to do there.
        case signedOut(Reason, logoutURL: String? = nil)
        case providers([Provider])
        /// The provider allows it. The token goes to the caller alone, as ``mediaToken(resource:token:expires:)``.
        case authorized(resource: String, expires: Int64?)
        case mediaToken(resource: String, token: String, expires: Int64?)
        case preauthorized([Preauthorized])
        case metadata(key: String, value: JSONValue)
        /// The boxes that the viewer is signed in on.
        /// - Parameter hasMore: whether there are boxes beyond these.
        case boxes([ViewerBox], hasMore: Bool)
        /// Another of the viewer's boxes was signed out from here.
        case boxSignedOut(ViewerBox)

        // The box itself
        /// A finding of `doctor`.
        case check(Check)
        /// A configuration was written to this file.
        case configured(file: String)
        case permissionAsked(application: String)
        /// The applications that have a permission or asked for one.
        case permissions([AppPermission])
        case permissionChanged(AppPermission)
        /// A text for people that a program asked for, such as a help text.
        case text(String)
        case warning(message: String)
        case error(Failure)
        /// Events before this one were not kept.
        case gap
    }
}
