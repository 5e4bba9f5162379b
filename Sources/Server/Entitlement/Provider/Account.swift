package import Clientless
import Cryptography

package struct Account: Hashable, Sendable {
    package let mvpd: MVPDID
    /// Never another account's, also when this one is gone: a new account of the same name inherits nothing. 32 random
    /// lower-case hex digits; the name, for an account that is older than these IDs.
    package let id: String
    /// The text that the viewer types: 1 to 64 bytes, compared case-insensitively for ASCII, stored lower case.
    package let name: String
    /// A yescrypt hash in crypt(5) form.
    package var passwordHash: String
    /// The resources the account may play; one entry `*` is everything.
    package var lineUp: [String]
    /// The viewer's metadata for requestors, by the keys of rest-v1 19.
    package var metadata: [String: MetadataValue]
    /// Counts the changes of a stored account; a change names the version it read.
    package var version: Int

    /// - Parameter id: a new account's when none is given.
    package init(
        mvpd: MVPDID, id: String = newID(), name: String, passwordHash: String, lineUp: [String],
        metadata: [String: MetadataValue] = [:], version: Int = 0
    ) {
        self.mvpd = mvpd
        self.id = id
        self.name = name
        self.passwordHash = passwordHash
        self.lineUp = lineUp
        self.metadata = metadata
        self.version = version
    }

    /// An ID that no account has.
    package static func newID() -> String { Hex.encode(SecureRandom.bytes(16)) }
}

/// The rule for the names viewers of local providers sign in with.
package enum AccountName {
    /// Bytes of UTF-8 a name may have.
    package static let length = 1...64

    /// The form a name is stored and looked up in: ASCII letters in lower case, everything else as it is.
    ///
    /// White space is not trimmed: the same account would then have many spellings, and limits on guessing count
    /// spellings.
    /// - Returns: `nil` when `text` is not 1 to 64 bytes, or has a control character or white space.
    package static func canonical(_ text: some StringProtocol) -> String? {
        guard self.length.contains(text.utf8.count) else { return nil }
        for scalar in text.unicodeScalars {
            guard scalar.properties.generalCategory != .control, !scalar.properties.isWhitespace else { return nil }
        }
        let bytes = text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// By what an account is asked for at the provider that keeps it.
package enum AccountReference: Hashable, Sendable {
    case id(String)
    /// As a viewer typed it.
    case name(String)
    case session(ProviderSession)
}

/// An account of the server's own store, as its provider vouches for it.
package struct OwnAccount: Hashable, Sendable {
    package let id: String
    package let name: String
    /// The sign-in of a viewer who proved that the account is theirs.
    package let login: ProviderLogin
    /// Another one after each change of the password.
    package let passwordMark: [UInt8]

    package init(id: String, name: String, login: ProviderLogin, passwordMark: [UInt8] = []) {
        self.passwordMark = passwordMark
        self.id = id
        self.name = name
        self.login = login
    }
}
