import CLasso

/// lasso with what it stands on, loaded and set up by the first who needs it: a server without platform SSO neither
/// pays for it nor has to have it installed.
@safe
final class LassoLibrary: Sendable {
    private static let shared = Result { () throws(AssertionFault) in try LassoLibrary() }

    /// They may be called from any thread; the objects they work on belong to one owner each.
    let functions: classo_functions

    private init() throws(AssertionFault) {
        var functions = classo_functions()
        if let missing = unsafe classo_load(&functions) {
            throw unsafe .libraryMissing(name: String(cString: missing))
        }
        let code = unsafe classo_init(&functions)
        guard code == 0 else { throw .libraryFailed(call: "lasso_init", code: code) }
        self.functions = functions
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
