import CLasso

/// A node that the library gave away: one `LassoNode`.
@safe
struct LassoNodeHandle: ~Copyable {
    private let library: LassoLibrary
    private let pointer: OpaquePointer

    /// Takes ownership of a reference.
    init(adopting pointer: OpaquePointer, of library: LassoLibrary) {
        self.library = library
        unsafe self.pointer = pointer
    }

    deinit { unsafe self.library.functions.g_object_unref(UnsafeMutableRawPointer(self.pointer)) }

    /// Reads a node from its XML.
    /// - Throws: `libraryFailed`.
    static func read(_ text: String, of library: LassoLibrary) throws(AssertionFault) -> LassoNodeHandle {
        guard let pointer = unsafe library.functions.lasso_node_new_from_dump(text) else {
            throw .libraryFailed(call: "lasso_node_new_from_dump", code: 0)
        }
        return unsafe LassoNodeHandle(adopting: pointer, of: library)
    }

    /// The content of an encrypted element.
    /// - Throws: `undecipherable`.
    borrowing func decrypted(by server: borrowing LassoServerHandle) throws(AssertionFault) -> LassoNodeHandle {
        var functions = self.library.functions
        var result: OpaquePointer?
        let code = unsafe classo_decrypt(&functions, server.pointer, self.pointer, &result)
        guard code == 0, let result = unsafe result else { throw .undecipherable(code: code) }
        return unsafe LassoNodeHandle(adopting: result, of: self.library)
    }

    /// The node as XML, written anew by the library.
    /// - Throws: `libraryFailed`.
    borrowing func written() throws(AssertionFault) -> String {
        guard let text = unsafe self.library.functions.lasso_node_dump(self.pointer) else {
            throw .libraryFailed(call: "lasso_node_dump", code: 0)
        }
        defer { unsafe self.library.functions.g_free(text) }
        return unsafe String(cString: text)
    }
}
