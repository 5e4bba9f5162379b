import CLasso

/// lasso and the libraries that it uses, loaded and set up at the first use: a server without platform SSO neither pays
/// for it nor has to have it installed.
@safe
final class LassoLibrary: Sendable {
    private static let shared = Result { () throws(AssertionFault) in try LassoLibrary() }

    /// Those of `CLASSO_EACH_FUNCTION`. They may be called from any thread; the objects they work on belong to one owner
    /// each.
    let functions: classo_functions

    private init() throws(AssertionFault) {
        var functions = classo_functions()
        if let missing = unsafe classo_load(&functions) {
            throw unsafe .libraryMissing(name: String(cString: missing))
        }
        let code = unsafe classo_init(&functions)
        guard code == 0 else { throw .libraryFailed(call: "lasso_init", code: code) }
        self.functions = functions
        // Those before take wrapped assertions (CVE-2021-28091).
        try self.require(2, 7, 0)
    }

    /// - Throws: `libraryMissing` when the library is older than that version.
    func require(_ major: Int32, _ minor: Int32, _ patch: Int32) throws(AssertionFault) {
        guard self.functions.lasso_check_version(major, minor, patch, LASSO_CHECK_VERSION_NUMERIC) == 1
        else { throw .libraryMissing(name: "lasso \(major).\(minor).\(patch) or newer") }
    }

    /// The library, ready for calls from the current thread, on which it is kept from writing to standard error.
    /// - Throws: `libraryMissing`, `libraryFailed`.
    static func prepare() throws(AssertionFault) -> LassoLibrary {
        let library = try Self.shared.get()
        var functions = library.functions
        unsafe classo_silence_thread(&functions)
        return library
    }

    /// The library's sentence for a code; a constant of its own, without a piece of any message.
    static func sentence(for code: Int32) -> String {
        guard let library = try? Self.shared.get(), let text = library.functions.lasso_strerror(code)
        else { return "unknown" }
        return unsafe String(cString: text)
    }
}

extension LassoLibrary {
    /// Inflates raw DEFLATE (RFC 1951), with the library that lasso itself uses.
    /// - Throws: `notDeflated`, also for more than `limit` bytes; `libraryMissing`, `libraryFailed`.
    static func inflated(_ bytes: [UInt8], limit: Int) throws(AssertionFault) -> [UInt8] {
        guard let count = UInt32(exactly: bytes.count), let room = UInt32(exactly: limit) else { throw .notDeflated }
        var functions = try Self.prepare().functions
        var size = -1
        let output = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, initialized in
            guard let start = buffer.baseAddress else { return }
            size = unsafe bytes.withUnsafeBufferPointer { input in
                guard let first = input.baseAddress else { return -1 }
                return unsafe classo_inflate(&functions, first, count, start, room)
            }
            initialized = max(0, size)
        }
        guard size >= 0 else { throw .notDeflated }
        return output
    }
}
