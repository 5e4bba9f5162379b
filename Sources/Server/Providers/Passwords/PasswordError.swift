/// Why a password could not be hashed or checked.
package struct PasswordError: Error, Hashable, Sendable {
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String { case unfit, busy, libraryFailed }
        private let value: Value

        /// Not 1 to 128 bytes of UTF-8 without a zero byte.
        package static let unfit = Code(value: .unfit)
        /// Too many others wait for the same.
        package static let busy = Code(value: .busy)
        /// libcrypt refused; out of memory, or built without yescrypt.
        package static let libraryFailed = Code(value: .libraryFailed)

        package var description: String { self.value.rawValue }
    }

    package let code: Code
    /// For operators; holds nothing of the password.
    package let detail: String
}

extension PasswordError: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "password: \(self.code)" }
    package var debugDescription: String { "password: \(self.code): \(self.detail)" }
}
