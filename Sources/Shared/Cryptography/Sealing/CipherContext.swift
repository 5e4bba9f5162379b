import COpenSSL

/// One AES-256-GCM operation under way, freed – and its key with it – when it goes out of scope.
///
/// Each step returns whether libcrypto took it; the error is on the thread's queue.
@safe struct CipherContext: ~Copyable {
    private let handle: OpaquePointer

    init() {
        guard let handle = unsafe EVP_CIPHER_CTX_new() else { preconditionFailure("out of memory for a cipher") }
        unsafe self.handle = handle
    }

    deinit { unsafe EVP_CIPHER_CTX_free(self.handle) }

    /// Begins with a key of 32 and a nonce of 12 bytes, the default length of GCM's.
    func begin(sealing: Bool, key: [UInt8], nonce: [UInt8]) -> Bool {
        precondition(key.count == 32 && nonce.count == 12, "AES-256-GCM takes 32 bytes of key and 12 of nonce")
        let algorithm = CipherAlgorithm.aes256GCM
        return unsafe EVP_CipherInit_ex2(self.handle, algorithm.handle, key, nonce, sealing ? 1 : 0, nil) == 1
    }

    /// Authenticates bytes that are not encrypted. Before ``update(_:into:)``.
    func associate(_ bytes: [UInt8]) -> Bool {
        guard let count = Int32(exactly: bytes.count) else { return false }
        var written: Int32 = 0
        return unsafe EVP_CipherUpdate(self.handle, nil, &written, bytes, count) == 1
    }

    /// Encrypts or decrypts the whole of `input` into `output`, which has its length.
    func update(_ input: [UInt8], into output: inout [UInt8]) -> Bool {
        precondition(input.count == output.count, "GCM writes as much as it reads")
        guard let count = Int32(exactly: input.count) else { return false }
        // An empty input is no operation; a null pointer with length 0 would be taken for the end of the message.
        guard count > 0 else { return true }
        var written: Int32 = 0
        return unsafe EVP_CipherUpdate(self.handle, &output, &written, input, count) == 1 && written == count
    }

    /// Ends the operation; when opening, false says that the tag does not match.
    func finish() -> Bool {
        var rest = [UInt8](repeating: 0, count: 16)
        var written: Int32 = 0
        return unsafe EVP_CipherFinal_ex(self.handle, &rest, &written) == 1
    }

    /// Reads the tag, after ``finish()`` of a sealing operation.
    func readTag(into tag: inout [UInt8]) -> Bool {
        unsafe EVP_CIPHER_CTX_ctrl(self.handle, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1
    }

    /// Sets the tag to compare with, before ``finish()`` of an opening operation.
    func setTag(_ tag: [UInt8]) -> Bool {
        var tag = tag
        return unsafe EVP_CIPHER_CTX_ctrl(self.handle, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1
    }
}

/// A cipher fetched from libcrypto once and kept for the life of the process.
@safe private final class CipherAlgorithm: Sendable {
    static let aes256GCM = CipherAlgorithm("AES-256-GCM")

    // EVP_CIPHER is immutable once fetched, and its reference count is atomic.
    nonisolated(unsafe) let handle: OpaquePointer

    private init(_ name: String) {
        guard let handle = unsafe EVP_CIPHER_fetch(nil, name, nil) else {
            preconditionFailure("libcrypto offers no \(name): its configuration file excludes what this program needs")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe EVP_CIPHER_free(self.handle) }
}
