import CLasso

/// One response being read: one `LassoLogin`.
@safe
struct LassoLoginHandle: ~Copyable {
    private let library: LassoLibrary
    private let pointer: OpaquePointer

    private init(adopting pointer: OpaquePointer, of library: LassoLibrary) {
        self.library = library
        unsafe self.pointer = pointer
    }

    deinit { unsafe self.library.functions.g_object_unref(UnsafeMutableRawPointer(self.pointer)) }

    /// The library takes a reference to the server of its own. From here on it is silent in this thread, which may not
    /// be the one that made the server.
    /// - Throws: `libraryFailed`.
    static func make(server: borrowing LassoServerHandle) throws(AssertionFault) -> LassoLoginHandle {
        _ = try LassoLibrary.prepare()
        guard let pointer = unsafe server.library.functions.lasso_login_new(server.pointer) else {
            throw .libraryFailed(call: "lasso_login_new", code: 0)
        }
        return unsafe LassoLoginHandle(adopting: pointer, of: server.library)
    }

    /// Verifies the signatures of a response, decrypts what is encrypted, and looks at its status.
    /// - Parameter message: the response in Base64, without line ends.
    /// - Throws: `unverified`.
    borrowing func process(_ message: String) throws(AssertionFault) {
        var functions = self.library.functions
        let code = unsafe classo_process_response(&functions, self.pointer, message)
        guard code == 0 else { throw .unverified(code: code) }
    }

    /// The assertion as it stood in the message, or as it came out of its encryption: what the signature was computed
    /// over, not what the library made of it.
    /// - Throws: `libraryFailed`; `tooComplex`, `foreignContent`.
    borrowing func assertion() throws(AssertionFault) -> XMLElement {
        guard let pointer = unsafe self.library.functions.lasso_login_get_assertion(self.pointer) else {
            throw .libraryFailed(call: "lasso_login_get_assertion", code: 0)
        }
        return try unsafe LassoNodeHandle(adopting: pointer, of: self.library).original()
    }
}
