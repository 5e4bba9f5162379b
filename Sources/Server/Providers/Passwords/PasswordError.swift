/// Why a password could not be hashed or checked.
package struct PasswordError: Error, Hashable, Sendable {
    package enum Code: String, Hashable, Sendable {
        /// Not 1 to 128 bytes of UTF-8 without a zero byte.
        case unfit
        /// Too many others wait for the same.
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
