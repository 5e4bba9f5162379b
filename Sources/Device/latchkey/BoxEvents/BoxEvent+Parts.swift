import AccessEnabler

extension BoxEvent {
    struct IssuedCode: EventPart, Hashable {
        /// For the wire, without separators.
        var code: String
        /// In groups, as viewers read it.
        var displayCode: String
        /// The address with the code filled in; `nil` if no page is known.
        var url: String?
        /// The page where the code is entered by hand; `nil` if no page is known.
        var pageURL: String?
        /// The same as ``url`` in the letters and the length that make the smallest QR code; `nil` without one.
        var shortURL: String?
        /// A `data:` URL of a picture of the QR code; `nil` without an address.
        var qr: String?
        /// In milliseconds since 1970, by the server's clock.
        var expires: Int64
        /// How long it lives from now on, in seconds, whatever the clocks of box and server say.
        var secondsLeft: Int64
        /// Whether it was shown before, by an earlier run.
        var isResumed = false

        static let shape = EventShape(
            .member("code"), .member("displayCode"), .optional("url"), .optional("pageUrl"), .optional("shortUrl"),
            .optional("qr"), .member("expires"), .member("secondsLeft"), .member("resumed"), make: Self.init
        ) {
            ($0.code, $0.displayCode, $0.url, $0.pageURL, $0.shortURL, $0.qr, $0.expires, $0.secondsLeft, $0.isResumed)
        }
    }

    /// An account at a TV provider.
    struct SignIn: EventPart, Hashable {
        var mvpd: String
        /// The provider's own name; `nil` if the server does not say.
        var mvpdName: String?
        /// When it runs out, in milliseconds since 1970; `nil` if the server does not say.
        var expires: Int64?

        static let shape = EventShape(
            .member("mvpd"), .optional("mvpdName"), .optional("expires"), make: Self.init
        ) { ($0.mvpd, $0.mvpdName, $0.expires) }
    }

    /// The state of a requestor on this box.
    struct Standing: EventPart, Hashable {
        enum State: String, Hashable, Sendable, CaseIterable {
            case signedOut = "signed_out"
            case pairing
            case signedIn = "signed_in"
        }

        var state: State
        var signIn: SignIn?
        /// Why the box is not signed in; `nil` if that is not known.
        var reason: Reason?
        /// Whether the server confirmed it just now; without that it is what the box remembers.
        var isChecked = false
        var server: String?
        var deviceID: String?

        static let shape = EventShape<Self>(
            .optional("server"), .optional("deviceId"), .member("state"), .part(where: "mvpd"), .optional("reason"),
            .member("checked"),
            make: { Self(state: $2, signIn: $3, reason: $4, isChecked: $5, server: $0, deviceID: $1) },
            of: { ($0.server, $0.deviceID, $0.state, $0.signIn, $0.reason, $0.isChecked) })
    }

    /// Why there is no sign-in.
    typealias Reason = AccessEnabler.SignInEnding

    /// A right of an application on the box.
    struct AppPermission: EventPart, Hashable {
        var application: String
        var permission: Permission

        static let shape = EventShape(.member("application"), .member("permission"), make: Self.init) {
            ($0.application, $0.permission)
        }
    }

    struct Provider: EventPart, Hashable {
        var id: String
        var name: String

        static let shape = EventShape(.member("id"), .member("name"), make: Self.init) { ($0.id, $0.name) }
    }

    /// A box that the viewer is signed in on.
    struct ViewerBox: EventPart, Hashable {
        /// The server's name for it, which a sign-out takes.
        var box: String
        /// Its own name; `nil` if the server does not know.
        var name: String?
        var model: String?
        /// When the viewer signed in there, in milliseconds since 1970.
        var since: Int64
        /// When it last asked for something to play; `nil` if the server does not know.
        var seen: Int64?
        var expires: Int64
        /// Whether it is the box that asks.
        var isThis = false

        static let shape = EventShape(
            .member("box"), .optional("name"), .optional("model"), .member("since"), .optional("seen"),
            .member("expires"), .member("this"), make: Self.init
        ) { ($0.box, $0.name, $0.model, $0.since, $0.seen, $0.expires, $0.isThis) }
    }

    /// Whether a resource may be played, as far as is known without asking for a token.
    struct Preauthorized: EventPart, Hashable {
        var resource: String
        var isAuthorized: Bool
        /// The provider's own words, where it sent some.
        var message: String?

        static let shape = EventShape(
            .member("resource"), .member("authorized"), .optional("message"), make: Self.init
        ) { ($0.resource, $0.isAuthorized, $0.message) }
    }

    /// One finding about the box and its way to the server.
    struct Check: EventPart, Hashable {
        enum Outcome: String, Hashable, Sendable, CaseIterable {
            case ok, warning, fault
            /// It could not be looked at, as something before it failed.
            case skipped
        }

        /// The subject of the check, such as `clock`.
        var name: String
        var outcome: Outcome
        var message: String
        /// The advice; `nil` if there is nothing to be done.
        var advice: String?

        static let shape = EventShape(
            .member("check"), .member("outcome"), .member("message"), .optional("advice"), make: Self.init
        ) { ($0.name, $0.outcome, $0.message, $0.advice) }

        init(_ name: String, _ outcome: Outcome, _ message: String, advice: String? = nil) {
            self.name = name
            self.outcome = outcome
            self.message = message
            self.advice = advice
        }
    }

    /// A command or call that did not do what it was asked for.
    struct Failure: EventPart, Hashable {
        var code: String
        /// One sentence for people.
        var message: String
        /// How the program ends; `nil` if none does.
        var exitCode: Int32?
        /// The resource that was asked for, if one was.
        var resource: String?
        /// The provider's own words, where it sent some.
        var providerMessage: String?
        /// Why there is no sign-in, where that is the failure and known.
        var reason: Reason?

        static let shape = EventShape(
            .member("code"), .member("message"), .optional("exitCode"), .optional("resource"),
            .optional("providerMessage"), .optional("reason"), make: Self.init
        ) { ($0.code, $0.message, $0.exitCode, $0.resource, $0.providerMessage, $0.reason) }
    }
}

/// Whether an application may use the sign-ins of the box.
enum Permission: String, Hashable, Sendable, CaseIterable {
    case granted, denied, undetermined
}
