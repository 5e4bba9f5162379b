package import Clientless
package import Entitlement

package struct Caller: Sendable {
    package enum Credential: Sendable {
        case keyPair(publicKey: String)
        // Indirect: a signed call would carry the room for an application along.
        indirect case client(id: String, application: ApplicationRecord)

        /// The mark by which limits know the credential.
        var name: String {
            switch self {
            case .keyPair(let publicKey): publicKey
            case .client(let id, _): id
            }
        }
    }

    package let credential: Credential
    /// The requestor the call is for: the one it names, else the one its credential stands for. `nil` only where the
    /// call may leave it open and the credential does not settle it.
    package let requestor: RequestorID?
    package let allowed: [RequestorID]
    /// A programmer's server that calls for its devices: the address it forwards is believed (rest-v1 28.2).
    package let isServer: Bool

    /// The mark by which limits know the credential, when boxes carry it and so a guesser may know it.
    var publicCredential: String? {
        guard !self.isServer else { return nil }
        switch self.credential {
        case .keyPair(let publicKey): return publicKey
        // Every box has the application's statement and can register a client with it, so the application counts.
        case .client(_, let application): return application.softwareID
        }
    }

    /// The credential as a sign-in of the box keeps it.
    package var used: BoxCredential {
        switch self.credential {
        case .keyPair(let publicKey): .keyPair(publicKey)
        case .client(_, let application): .application(application.softwareID)
        }
    }

    /// The application of a bearer caller, as a code record names it.
    package var application: ApplicationReference? {
        guard case .client(_, let application) = self.credential else { return nil }
        return ApplicationReference(id: application.softwareID, name: application.name, version: application.version)
    }
}
