/// Something a server acknowledged, and has to know for as long as the fact is not withdrawn.
enum AcknowledgedFact: Hashable, Sendable {
    case codeIsOpen(String)
    case codeIsGone(String)
    case isSignedIn(device: String)
    case isSignedOut(device: String)
    case isPermitted(device: String)
    case keyIsGood(publicKey: String, privateKey: String)
    case keyIsRevoked(publicKey: String, privateKey: String)

    /// The status of the answer that ``BoxCalls/status(of:)`` gets while it is kept.
    var wantedStatus: Int {
        switch self {
        case .codeIsOpen, .isSignedIn, .isPermitted: 200
        case .codeIsGone: 404
        // A box that no one ever signed in.
        case .isSignedOut, .keyIsGood: 403
        case .keyIsRevoked: 401
        }
    }

    /// What an answer of this status breaks; `nil` when it is the one that is due.
    func violation(by status: Int) -> String? {
        status == self.wantedStatus ? nil : "\(self.sentence), but got \(status)"
    }

    private var sentence: String {
        switch self {
        case .codeIsOpen(let code): "code \(code) was created"
        case .codeIsGone(let code): "code \(code) was deleted"
        case .isSignedIn(let device): "\(device) was signed in"
        case .isSignedOut(let device): "\(device) was signed out"
        case .isPermitted(let device): "\(device) was permitted a channel"
        case .keyIsGood(let publicKey, _): "key \(publicKey) was made"
        case .keyIsRevoked(let publicKey, _): "key \(publicKey) was revoked"
        }
    }
}
