import CCrypt
import Glibc

/// The working memory of crypt_rn(3), some 32 KiB, overwritten before it is given back.
@safe struct CryptScratch: ~Copyable {
    private let memory: UnsafeMutablePointer<crypt_data>

    init() {
        unsafe self.memory = .allocate(capacity: 1)
        // crypt(3): "the application should zero the whole area before its first use".
        unsafe self.memory.initialize(to: crypt_data())
    }

    deinit {
        unsafe explicit_bzero(self.memory, MemoryLayout<crypt_data>.size)
        unsafe self.memory.deallocate()
    }

    /// The hash of `password` under `setting`, which is a setting or an earlier hash in crypt(5) form.
    /// - Parameter password: without NUL.
    /// - Returns: none when libcrypt does not take the setting or finds no memory.
    func hash(_ password: [UInt8], setting: String) -> String? {
        var phrase = password.map { CChar(bitPattern: $0) } + [0]
        defer { cleanse(&phrase) }
        // crypt_rn(3) returns a pointer into the memory we gave, or NULL; never a failure token.
        let size = Int32(MemoryLayout<crypt_data>.size)
        guard let hash = unsafe crypt_rn(phrase, setting, self.memory, size) else { return nil }
        return unsafe String(cString: hash)
    }

    /// A yescrypt setting of libcrypt's own cost, with a salt made of `random`.
    /// - Parameter random: 16 bytes.
    static func yescryptSetting(random: [UInt8]) -> String? {
        precondition(random.count == 16, "a yescrypt salt is made of 16 random bytes")
        var setting = [CChar](repeating: 0, count: Int(CRYPT_GENSALT_OUTPUT_SIZE))
        let bytes = random.map { CChar(bitPattern: $0) }
        // crypt_gensalt(3): a cost of 0 asks for the default of the method.
        let made = unsafe crypt_gensalt_rn("$y$", 0, bytes, Int32(bytes.count), &setting, Int32(setting.count))
        guard unsafe made != nil else { return nil }
        return String(decoding: setting.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// Overwrites in a way the compiler keeps (explicit_bzero(3)).
private func cleanse(_ characters: inout [CChar]) {
    unsafe characters.withUnsafeMutableBytes { bytes in
        if let start = bytes.baseAddress { unsafe explicit_bzero(start, bytes.count) }
    }
}
