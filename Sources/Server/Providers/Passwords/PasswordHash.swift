package import Cryptography

/// A password as it is kept: a yescrypt hash in crypt(5) form, such as `$y$j9T$…$…`.
///
/// Making and verifying block for some 10 to 100 ms on purpose; servers go through ``PasswordQueue``.
package struct PasswordHash: Hashable, Sendable {
    /// Bytes of UTF-8 a password may have.
    package static let passwordLength = 1...128

    private static let prefix = "$y$"
    /// libcrypt's default: 16 MB of memory for each hash (crypt_gensalt(3)). Fixed here, so that the stand-in
    /// below costs what all others cost.
    private static let cost: UInt = 5

    package let text: String

    /// - Returns: `nil` when `text` is not a yescrypt hash.
    package init?(_ text: String) {
        guard text.hasPrefix(Self.prefix), text.utf8.count <= 384, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        self.text = text
    }

    /// - Parameter salt: 16 random bytes, of no other use.
    /// - Throws: `.unfit`, `.libraryFailed`.
    package static func make(
        _ password: Secret, salt: [UInt8] = SecureRandom.bytes(16)
    ) throws(PasswordError) -> PasswordHash {
        guard let setting = CryptWorkspace.setting(prefix: self.prefix, cost: self.cost, salt: salt) else {
            throw PasswordError(code: .libraryFailed, detail: "libcrypt makes no salt for yescrypt")
        }
        guard let hash = PasswordHash(try self.crypt(password, setting: setting)) else {
            throw PasswordError(code: .libraryFailed, detail: "libcrypt made a hash of another kind")
        }
        return hash
    }

    /// Whether this is the hash of `password`. One that no account can have costs nothing and is wrong.
    /// - Throws: `.libraryFailed`, also when the stored hash is broken.
    package func verify(_ password: Secret) throws(PasswordError) -> Bool {
        guard Self.isFit(password) else { return false }
        return try constantTimeEqual(Array(Self.crypt(password, setting: self.text).utf8), Array(self.text.utf8))
    }

    /// Whether an account may have this password.
    package static func isFit(_ password: Secret) -> Bool {
        password.withBytes { bytes in
            self.passwordLength.contains(bytes.count) && !bytes.contains(0)
                && String(validating: bytes, as: UTF8.self) != nil
        }
    }

    private static func crypt(_ password: Secret, setting: String) throws(PasswordError) -> String {
        guard self.isFit(password) else {
            throw PasswordError(code: .unfit, detail: "a password has 1 to 128 bytes of UTF-8 and no zero byte")
        }
        let workspace = CryptWorkspace()
        let hash = password.withBytes { bytes in workspace.hash(bytes, setting: setting) }
        guard let hash else { throw PasswordError(code: .libraryFailed, detail: "libcrypt refused a hash") }
        return hash
    }
}

extension PasswordHash {
    /// The hash of a password that no account has. A name without an account is checked against it, so that it takes as
    /// long as a name with one.
    static let standIn = PasswordHash(
        known: "$y$j9T$LdJMENpBABJJ3hIHjB1Bi.$oBS6HqnnDMyGEspzzu4Wr4it4ll0ElH91GX6p7vcYGA")

    private init(known text: String) { self.text = text }
}

extension PasswordHash: Redacted {
    package var description: String { "<password hash>" }
}

package struct PasswordError: Error, Hashable, Sendable {
    package enum Code: String, Hashable, Sendable {
        /// Not 1 to 128 bytes of UTF-8 without a zero byte.
        case unfit
        case busy
        /// libcrypt refused; out of memory, or built without yescrypt.
        case libraryFailed
    }

    package let code: Code
    /// For operators; holds nothing of the password.
    package let detail: String
}

extension PasswordError: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "password: \(self.code)" }
    package var debugDescription: String { "password: \(self.code): \(self.detail)" }
}
