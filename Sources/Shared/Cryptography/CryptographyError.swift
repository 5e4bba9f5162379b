import COpenSSL

/// Why a cryptographic operation could not be done. A signature that does not match is an answer, not an error.
package struct CryptographyError: Error, Hashable {
    package enum Code: String, Hashable, Sendable {
        /// A text that holds no key, a key of another kind, or one that is too small.
        case unusableKey
        case signingFailed
        case sealingFailed
        /// A sealed box was made under another key or for another purpose, or was changed.
        case notAuthentic
        /// libcrypto lacks an algorithm, or memory.
        case libraryFailure
    }

    package let code: Code
    /// The first error code on libcrypto's queue, as `openssl errstr` reads it in hexadecimal; 0 when the queue was empty.
    package let libraryCode: UInt
    /// For operators; never sent. Names the operation, holds no key material.
    package let detail: String
}

extension CryptographyError: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { self.code.rawValue }

    package var debugDescription: String {
        let code = String(self.libraryCode, radix: 16, uppercase: true)
        return "\(self.code): \(self.detail), OpenSSL error \(code)"
    }
}

extension CryptographyError {
    /// A key that is found unfit before libcrypto sees it.
    static func unusableKey(_ detail: String) -> CryptographyError {
        CryptographyError(code: .unusableKey, libraryCode: 0, detail: detail)
    }

    /// Takes the errors libcrypto left on this thread's queue, and leaves the queue empty for the next caller.
    ///
    /// The oldest entry is kept: it is the cause, the later ones are the callers it passed through.
    static func taking(_ code: Code, _ detail: String) -> CryptographyError {
        let libraryCode = ERR_get_error()
        ERR_clear_error()
        return CryptographyError(code: code, libraryCode: libraryCode, detail: detail)
    }
}
