package import Clientless
import Cryptography

/// A credential of a viewer's authenticator that opens their account in place of the password.
package struct Passkey: Hashable, Sendable {
    /// The bytes of a credential's ID (WebAuthn level 3, section 4).
    package static let credentialLength = 16...1023
    /// How many an account may have: a viewer has a few devices, and each is looked through at a sign-in.
    package static let maximumPerAccount = 10

    /// The authenticator's own ID of the credential.
    package let credential: [UInt8]
    package let mvpd: MVPDID
    /// The account's ID.
    package let account: String
    /// The public key in COSE. The private half never leaves the authenticator.
    package let publicKey: [UInt8]
    /// Whether the viewer's devices may copy it among each other.
    package let isSyncable: Bool
    /// The authenticator's counter at its last use; 0 for one that does not count.
    package var signCount: UInt32
    package let created: Timestamp
    package var lastUsed: Timestamp?

    package init(
        credential: [UInt8], mvpd: MVPDID, account: String, publicKey: [UInt8], isSyncable: Bool, signCount: UInt32,
        created: Timestamp, lastUsed: Timestamp? = nil
    ) {
        self.credential = credential
        self.mvpd = mvpd
        self.account = account
        self.publicKey = publicKey
        self.isSyncable = isSyncable
        self.signCount = signCount
        self.created = created
        self.lastUsed = lastUsed
    }

    /// Its name for operators: twelve hex digits that it alone has.
    package var name: String { Self.name(of: self.credential) }

    package static func name(of credential: [UInt8]) -> String { Hex.encode(Digest.sha256(credential).prefix(6)) }
}
