import CCjose

/// A public key of cjose.
@safe
struct JWKHandle: ~Copyable {
    let pointer: OpaquePointer

    private init(adopting pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit { unsafe _ = cjose_jwk_release(self.pointer) }

    /// - Parameter text: a JWK with nothing in it but what names a public key.
    /// - Returns: `nil` when cjose cannot use it, such as a point that is not on its curve.
    static func read(_ text: String) -> JWKHandle? {
        var error = unsafe cjose_err()
        guard let pointer = unsafe cjose_jwk_import(text, text.utf8.count, &error) else { return nil }
        return unsafe JWKHandle(adopting: pointer)
    }
}
