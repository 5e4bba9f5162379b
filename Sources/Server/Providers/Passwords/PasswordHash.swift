package import Cryptography

/// Passwords at rest: yescrypt hashes in crypt(5) form, as the system itself keeps them.
package enum PasswordHash {
    /// How many bytes of UTF-8 a password has.
    package static let passwordLengths = 1...128

    /// Hashes a password with a fresh salt; takes some tens of milliseconds on purpose.
    /// - Throws: ``PasswordError``.
    package static func make(_ password: Secret) throws(PasswordError) -> String {
        try password.withBytes { bytes throws(PasswordError) in
            guard self.passwordLengths.contains(bytes.count), !bytes.contains(0) else { throw .unusablePassword }
            guard let setting = CryptScratch.yescryptSetting(random: SecureRandom.bytes(16)),
                let hash = CryptScratch().hash(bytes, setting: setting)
            else { throw .hashingFailed }
            return hash
        }
    }

    /// Whether `hash` is a hash of `password`; takes as long as making one. A password that could have no hash is wrong.
    package static func matches(_ password: Secret, _ hash: String) -> Bool {
        password.withBytes { bytes in
            let isUsable = self.passwordLengths.contains(bytes.count) && !bytes.contains(0)
            // Hashed all the same: an unusable password must not answer quicker than a wrong one.
            let computed = CryptScratch().hash(isUsable ? bytes : [UInt8(ascii: "x")], setting: hash)
            guard let computed else { return false }
            return constantTimeEqual(computed.utf8, hash.utf8) && isUsable
        }
    }
}

/// Why a password has no hash.
package enum PasswordError: Error, Hashable, Sendable {
    /// Not 1 to 128 bytes, or a NUL among them.
    case unusablePassword
    /// libcrypt refused: no memory, or built without yescrypt.
    case hashingFailed
}
