import COpenSSL
import Synchronization

/// An asymmetric key of libcrypto, shared by the values made of it and freed with the last.
///
/// May be used from several threads at once. openssl-threads(7): "Objects are thread-safe as long as the API's being
/// invoked don't modify the object", and of what does change, "two threads can calculate a signature using two
/// different EVP_PKEY_CTX objects". No key is changed here once it is made, and each signature has a context of its
/// own; EVP_PKEY_CTX_new(3) forbids sharing those.
@safe final class KeyHandle: Sendable {
    nonisolated(unsafe) let pointer: OpaquePointer
    let beginning = Mutex<SignatureBeginning?>(nil)

    /// Takes ownership of what a function that makes keys returned.
    /// - Throws: `unusableKey` when it returned no key.
    init(adopting pointer: OpaquePointer?, _ detail: String) throws(CryptographyError) {
        guard let pointer = unsafe pointer else { throw .taking(.unusableKey, detail) }
        unsafe self.pointer = pointer
    }

    deinit { unsafe EVP_PKEY_free(self.pointer) }

    /// The kind of key, or `nil` when we use no such key.
    var kind: KeyKind? {
        if unsafe EVP_PKEY_is_a(self.pointer, "RSA") == 1 { return .rsa }
        if unsafe EVP_PKEY_is_a(self.pointer, "ED25519") == 1 { return .ed25519 }
        guard unsafe EVP_PKEY_is_a(self.pointer, "EC") == 1 else { return nil }
        var name = [CChar](repeating: 0, count: 64)
        var length = 0
        guard unsafe EVP_PKEY_get_group_name(self.pointer, &name, name.count, &length) == 1 else {
            ERR_clear_error()
            return nil
        }
        let bytes = name.prefix(length).map { UInt8(truncatingIfNeeded: $0) }
        return String(decoding: bytes, as: UTF8.self) == SN_X9_62_prime256v1 ? .p256 : nil
    }

    /// A number of the key by its name in libcrypto, big-endian.
    /// - Throws: `libraryFailure`.
    func number(_ name: String) throws(CryptographyError) -> [UInt8] {
        var number: OpaquePointer?
        guard unsafe EVP_PKEY_get_bn_param(self.pointer, name, &number) == 1
        else { throw .taking(.libraryFailure, "EVP_PKEY_get_bn_param") }
        defer { unsafe BN_free(number) }
        var bytes = [UInt8](repeating: 0, count: (Int(unsafe BN_num_bits(number)) + 7) / 8)
        _ = unsafe BN_bn2bin(number, &bytes)
        return bytes
    }

    /// Refuses keys that are of another kind than `expected`, and RSA keys outside 2048 to 8192 bits.
    ///
    /// Fewer bits are too weak; more make each check of a signature slow enough to be a way to keep a server busy.
    func require(_ expected: KeyKind, _ detail: String) throws(CryptographyError) {
        guard self.kind == expected else { throw .unusableKey(detail) }
        if expected == .rsa, !(2048...8192).contains(unsafe EVP_PKEY_get_bits(self.pointer)) {
            throw .unusableKey("an RSA key has 2048 to 8192 bits")
        }
    }
}

/// A signature with SHA-256 of which nothing is signed yet.
///
/// `Sendable`, because after it was made it is only copied from: `EVP_MD_CTX_copy_ex` takes its source as const
/// (openssl-threads(7)).
@safe final class SignatureBeginning: @unchecked Sendable {
    let context = DigestContext()
}

enum KeyKind {
    case rsa, p256, ed25519
}
