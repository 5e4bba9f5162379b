import CCjose

/// A signed token of cjose, parsed and not yet verified.
@safe
struct SignatureHandle: ~Copyable {
    private let pointer: OpaquePointer

    private init(adopting pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe cjose_jws_release(self.pointer) }

    static func read(_ text: String) -> SignatureHandle? {
        var error = unsafe cjose_err()
        guard let pointer = unsafe cjose_jws_import(text, text.utf8.count, &error) else { return nil }
        return unsafe SignatureHandle(adopting: pointer)
    }

    /// Whether cjose reads this algorithm in the header, which it goes by when it verifies.
    borrowing func isMade(with algorithm: String) -> Bool {
        var error = unsafe cjose_err()
        // The header belongs to the token, and the text to the header (cjose/jws.h, cjose/header.h).
        guard let header = unsafe cjose_jws_get_protected(self.pointer),
            let text = unsafe cjose_header_get(header, "alg", &error)
        else { return false }
        return unsafe String(cString: text) == algorithm
    }

    /// The signed bytes, if `key` verifies them; `nil` otherwise.
    borrowing func verified(by key: borrowing JWKHandle) -> [UInt8]? {
        var error = unsafe cjose_err()
        guard unsafe cjose_jws_verify(self.pointer, key.pointer, &error) else { return nil }
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        // The bytes belong to the token; they are copied here.
        guard unsafe cjose_jws_get_plaintext(self.pointer, &bytes, &count, &error), let bytes = unsafe bytes
        else { return nil }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }
}
