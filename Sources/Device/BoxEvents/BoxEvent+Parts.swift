extension BoxEvent {
    /// A code to show.
    package struct IssuedCode: EventPart, Hashable {
        /// For the wire, without separators.
        package var code: String
        /// In groups, as viewers read it.
        package var displayCode: String
        /// The address with the code filled in; `nil` if no page is known.
        package var url: String?
        /// The page where the code is entered by hand; `nil` if no page is known.
        package var pageURL: String?
        /// The same as ``url`` in the letters and the length that make the smallest QR code; `nil` without one.
        package var shortURL: String?
        /// A `data:` URL of a picture of the QR code; `nil` without an address.
        package var qr: String?
        /// In milliseconds since 1970, by the server's clock.
        package var expires: Int64
        /// How long it lives from now on, in seconds, whatever the clocks of box and server say.
        package var secondsLeft: Int64
        /// Whether it was shown before, by an earlier run.
        package var isResumed: Bool

        static let shape = EventShape(
            .member("code"), .member("displayCode"), .optional("url"), .optional("pageUrl"), .optional("shortUrl"),
            .optional("qr"), .member("expires"), .member("secondsLeft"), .member("resumed"), make: Self.init
        ) {
            ($0.code, $0.displayCode, $0.url, $0.pageURL, $0.shortURL, $0.qr, $0.expires, $0.secondsLeft, $0.isResumed)
        }

        package init(
            code: String, displayCode: String, url: String? = nil, pageURL: String? = nil, shortURL: String? = nil,
            qr: String? = nil, expires: Int64, secondsLeft: Int64, isResumed: Bool = false
        ) {
            self.code = code
            self.displayCode = displayCode
            self.url = url
            self.pageURL = pageURL
            self.shortURL = shortURL
            self.qr = qr
            self.expires = expires
            self.secondsLeft = secondsLeft
            self.isResumed = isResumed
        }
    }

    /// An account at a TV provider.
    package struct SignIn: EventPart, Hashable {
        package var mvpd: String
        /// The provider's own name; `nil` if the server does not say.
        package var mvpdName: String?
        /// When it runs out, in milliseconds since 1970; `nil` if the server does not say.
        package var expires: Int64?

        static let shape = EventShape(
            .member("mvpd"), .optional("mvpdName"), .optional("expires"), make: Self.init
        ) { ($0.mvpd, $0.mvpdName, $0.expires) }

        package init(mvpd: String, mvpdName: String? = nil, expires: Int64? = nil) {
            self.mvpd = mvpd
            self.mvpdName = mvpdName
            self.expires = expires
        }
    }

    /// The state of a requestor on this box.
    package struct Standing: EventPart, Hashable {
        package enum State: String, Hashable, Sendable, CaseIterable {
            case signedOut = "signed_out"
            case pairing
            case signedIn = "signed_in"
        }

        package var state: State
        package var signIn: SignIn?
        /// Why the box is not signed in; `nil` if that is not known.
        package var reason: Reason?
        /// Whether the server confirmed it just now; without that it is what the box remembers.
        package var isChecked: Bool
        package var server: String?
        package var deviceID: String?

        static let shape = EventShape<Self>(
            .optional("server"), .optional("deviceId"), .member("state"), .part(where: "mvpd"), .optional("reason"),
            .member("checked"),
            make: { Self($2, signIn: $3, reason: $4, isChecked: $5, server: $0, deviceID: $1) },
            of: { ($0.server, $0.deviceID, $0.state, $0.signIn, $0.reason, $0.isChecked) })

        package init(
            _ state: State, signIn: SignIn? = nil, reason: Reason? = nil, isChecked: Bool = false,
            server: String? = nil,
            deviceID: String? = nil
        ) {
            self.state = state
            self.signIn = signIn
            self.reason = reason
            self.isChecked = isChecked
            self.server = server
            self.deviceID = deviceID
        }
    }

    /// Why there is no sign-in.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// There has been none yet.
        case never
        /// A viewer signed out on the box.
        case signedOut = "signed_out"
        /// A newer sign-in of the same device took its place.
        case replaced
        /// The viewer signed it out from another device.
        case signedOutElsewhere = "signed_out_elsewhere"
        /// Its time was over.
        case expired
        /// An operator of the server ended it.
        case endedByOperator = "ended_by_operator"
        /// The provider no longer vouches for the account.
        case refusedByProvider = "refused_by_provider"
        /// The sign-in is of another device ID, as after the machine got a new one.
        case deviceChanged = "device_changed"
    }

    /// A right of an application on the box.
    package struct AppPermission: EventPart, Hashable {
        package var application: String
        package var permission: Permission

        static let shape = EventShape(.member("application"), .member("permission"), make: Self.init) {
            ($0.application, $0.permission)
        }

        package init(application: String, permission: Permission) {
            self.application = application
            self.permission = permission
        }
    }

    package struct Provider: EventPart, Hashable {
        package var id: String
        package var name: String

        static let shape = EventShape(.member("id"), .member("name"), make: Self.init) { ($0.id, $0.name) }

        package init(id: String, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// A box that the viewer is signed in on.
    package struct ViewerBox: EventPart, Hashable {
        /// The server's name for it, which a sign-out takes.
        package var box: String
        /// Its own name; `nil` if the server does not know.
        package var name: String?
        package var model: String?
        /// When the viewer signed in there, in milliseconds since 1970.
        package var since: Int64
        /// When it last asked for something to play; `nil` if the server does not know.
        package var seen: Int64?
        package var expires: Int64
        /// Whether it is the box that asks.
        package var isThis: Bool

        static let shape = EventShape(
            .member("box"), .optional("name"), .optional("model"), .member("since"), .optional("seen"),
            .member("expires"), .member("this"), make: Self.init
        ) { ($0.box, $0.name, $0.model, $0.since, $0.seen, $0.expires, $0.isThis) }

        package init(
            box: String, name: String? = nil, model: String? = nil, since: Int64, seen: Int64? = nil,
            expires: Int64, isThis: Bool = false
        ) {
            self.box = box
            self.name = name
            self.model = model
            self.since = since
            self.seen = seen
            self.expires = expires
            self.isThis = isThis
        }
    }

    /// Whether a resource may be played, as far as is known without asking for a token.
    package struct Preauthorized: EventPart, Hashable {
        package var resource: String
        package var isAuthorized: Bool
        /// The provider's own words, where it sent some.
        package var message: String?

        static let shape = EventShape(
            .member("resource"), .member("authorized"), .optional("message"), make: Self.init
        ) { ($0.resource, $0.isAuthorized, $0.message) }

        package init(resource: String, isAuthorized: Bool, message: String? = nil) {
            self.resource = resource
            self.isAuthorized = isAuthorized
            self.message = message
        }
    }

    /// One finding about the box and its way to the server.
    package struct Check: EventPart, Hashable {
        package enum Outcome: String, Hashable, Sendable, CaseIterable {
            case ok, warning, fault
            /// It could not be looked at, as something before it failed.
            case skipped
        }

        /// The subject of the check, such as `clock`.
        package var name: String
        package var outcome: Outcome
        package var message: String
        /// The advice; `nil` if there is nothing to be done.
        package var advice: String?

        static let shape = EventShape(
            .member("check"), .member("outcome"), .member("message"), .optional("advice"), make: Self.init
        ) { ($0.name, $0.outcome, $0.message, $0.advice) }

        package init(_ name: String, _ outcome: Outcome, _ message: String, advice: String? = nil) {
            self.name = name
            self.outcome = outcome
            self.message = message
            self.advice = advice
        }
    }

    /// A command or call that did not do what it was asked for.
    package struct Failure: EventPart, Hashable {
        package var code: String
        /// One sentence for people.
        package var message: String
        /// How the program ends; `nil` if none does.
        package var exitCode: Int32?
        /// The resource that was asked for, if one was.
        package var resource: String?
        /// The provider's own words, where it sent some.
        package var providerMessage: String?
        /// Why there is no sign-in, where that is the failure and known.
        package var reason: Reason?

        static let shape = EventShape(
            .member("code"), .member("message"), .optional("exitCode"), .optional("resource"),
            .optional("providerMessage"), .optional("reason"), make: Self.init
        ) { ($0.code, $0.message, $0.exitCode, $0.resource, $0.providerMessage, $0.reason) }

        package init(
            code: String, message: String, exitCode: Int32? = nil, resource: String? = nil,
            providerMessage: String? = nil, reason: Reason? = nil
        ) {
            self.code = code
            self.message = message
            self.exitCode = exitCode
            self.resource = resource
            self.providerMessage = providerMessage
            self.reason = reason
        }
    }
}

/// Whether an application may use the sign-ins of the box.
package enum Permission: String, Hashable, Sendable, CaseIterable {
    case granted, denied, undetermined
}
