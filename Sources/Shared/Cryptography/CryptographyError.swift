import COpenSSL

/// Why a cryptographic operation could not be done. A signature that does not match is an answer, not an error.
package struct CryptographyError: Error, Hashable {
    /// The kind of failure. More may come: a caller that tells them apart needs a `default`.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String { case unusableKey, signingFailed, sealingFailed, notAuthentic, libraryFailure }

        private let value: Value

        /// A text that holds no key, a key of another kind, or one that is too small.
        package static let unusableKey = Code(value: .unusableKey)
        /// libcrypto refused to sign.
        package static let signingFailed = Code(value: .signingFailed)
        /// libcrypto refused to encrypt.
        package static let sealingFailed = Code(value: .sealingFailed)
        /// A sealed box was made under another key or for another purpose, or was changed.
        package static let notAuthentic = Code(value: .notAuthentic)
        /// libcrypto lacks an algorithm, or memory.
        package static let libraryFailure = Code(value: .libraryFailure)

        package var description: String { self.value.rawValue }
    }

    package let code: Code
    /// The first error code on libcrypto's queue, as `openssl errstr` reads it in hexadecimal; 0 when the queue was empty.
    package let libraryCode: UInt
    /// For operators; never sent. Names the operation, holds no key material.
    package let detail: String
}

extension CryptographyError: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { self.code.description }

    package var debugDescription: String {
        let code = String(self.libraryCode, radix: 16, uppercase: true)
        return "\(self.code): \(self.detail), OpenSSL error \(code)"
    }
}

extension CryptographyError {
    /// Takes the errors libcrypto left on this thread's queue, and leaves the queue empty for the next caller.
    ///
    /// The oldest entry is kept: it is the cause, the later ones are the callers it passed through.
    static func taking(_ code: Code, _ detail: String) -> CryptographyError {
        let libraryCode = ERR_get_error()
        ERR_clear_error()
        return CryptographyError(code: code, libraryCode: libraryCode, detail: detail)
    }
}
