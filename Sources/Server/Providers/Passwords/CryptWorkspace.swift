import CCrypt
import Glibc

/// The memory libcrypt works in, 32 KB, overwritten before it is given back (crypt(3)).
///
/// yescrypt takes another 16 MB for the length of a call, which the library frees by itself.
@safe
struct CryptWorkspace: ~Copyable {
    private let data: UnsafeMutablePointer<crypt_data>

    init() {
        // "For maximum forward compatibility, set to all bytes zero before the first call."
        unsafe self.data = .allocate(capacity: 1)
        unsafe memset(self.data, 0, MemoryLayout<crypt_data>.size)
    }

    deinit {
        unsafe explicit_bzero(self.data, MemoryLayout<crypt_data>.size)
        unsafe self.data.deallocate()
    }

    /// Hashes `phrase` as `setting` says, which is a hash or the beginning of one. Blocks for some 10 to 100 ms.
    /// - Parameter phrase: without a zero byte.
    /// - Returns: `nil` when libcrypt does not understand `setting` or has no memory.
    borrowing func hash(_ phrase: [UInt8], setting: String) -> String? {
        var phrase = phrase.map { CChar(truncatingIfNeeded: $0) }
        phrase.append(0)
        defer { unsafe explicit_bzero(&phrase, phrase.count) }
        let size = Int32(MemoryLayout<crypt_data>.size)
        // The answer lies inside the workspace; `String` copies it.
        return unsafe crypt_rn(phrase, setting, self.data, size).map { unsafe String(cString: $0) }
    }

    /// Makes the beginning of a new hash.
    /// - Parameter salt: random bytes, 16 of them for yescrypt.
    /// - Returns: `nil` when libcrypt does not know `prefix`.
    static func setting(prefix: String, cost: UInt, salt: [UInt8]) -> String? {
        let salt = salt.map { CChar(truncatingIfNeeded: $0) }
        return unsafe withUnsafeTemporaryAllocation(
            of: CChar.self, capacity: Int(CRYPT_GENSALT_OUTPUT_SIZE)
        ) { output in
            let setting = unsafe crypt_gensalt_rn(
                prefix, cost, salt, Int32(salt.count), output.baseAddress, Int32(output.count))
            return unsafe setting.map { unsafe String(cString: $0) }
        }
    }
}
