import Clientless
import CCjose

/// The keys of a provider (RFC 7517 5). Keys that are of no use here are left out, as its section 5 says.
package struct KeySet: Sendable {
    /// The largest document that is read. Providers with certificates in their keys reach 30 KiB.
    package static let maximumSize = 128 << 10
    /// The most keys a set may have.
    package static let maximumCount = 64

    package let keys: [ProviderKey]

    /// - Returns: `nil` if it is no key set, or has too many keys. One without a usable key is a key set.
    package init?(_ bytes: [UInt8]) {
        guard let document = ForeignJSON.object(bytes, limit: Self.maximumSize),
            let keys = document["keys"]?.array, keys.count <= Self.maximumCount
        else { return nil }
        self.keys = keys.compactMap { ProviderKey($0) }
    }

    /// The keys that may have signed a token: with its key ID, or all that fit when it names none.
    func candidates(keyID: String?, algorithm: SignatureAlgorithm) -> [ProviderKey] {
        self.keys.filter { key in
            guard key.fits(algorithm) else { return false }
            guard let keyID else { return true }
            return key.id.map { $0.utf8.elementsEqual(keyID.utf8) } ?? false
        }
    }
}

@safe
struct JWKHandle: ~Copyable {
    let pointer: OpaquePointer

    private init(adopting pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe _ = cjose_jwk_release(self.pointer) }

    /// - Parameter text: a JWK with nothing in it but what names a public key.
    /// - Returns: `nil` when cjose cannot use it, such as a point that is not on its curve.
    static func read(_ text: String) -> JWKHandle? {
        var error = unsafe cjose_err()
        guard let pointer = unsafe cjose_jwk_import(text, text.utf8.count, &error) else { return nil }
        return unsafe JWKHandle(adopting: pointer)
    }
}
