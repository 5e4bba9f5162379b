import CLasso
import Cryptography
import Glibc

/// This server as a SAML service provider, with the issuers it trusts: one `LassoServer`.
@safe
struct LassoServerHandle: ~Copyable {
    let library: LassoLibrary
    let pointer: OpaquePointer

    private init(adopting pointer: OpaquePointer, of library: LassoLibrary) {
        self.library = library
        unsafe self.pointer = pointer
    }

    deinit { unsafe self.library.functions.g_object_unref(UnsafeMutableRawPointer(self.pointer)) }

    /// - Parameters:
    ///   - metadata: the SAML metadata of this server.
    ///   - privateKey: unencrypted PEM, for assertions encrypted to this server. The library keeps a copy for as
    ///     long as the handle lives.
    /// - Throws: `libraryMissing`, `libraryFailed`.
    static func make(metadata: String, privateKey: Secret?) throws(AssertionFault) -> LassoServerHandle {
        let library = try LassoLibrary.prepare()
        let pointer: OpaquePointer?
        if let privateKey {
            unsafe pointer = unsafe privateKey.withBytes { bytes in
                var text = bytes.map { CChar(truncatingIfNeeded: $0) }
                text.append(0)
                defer { unsafe explicit_bzero(&text, text.count) }
                return unsafe library.functions.lasso_server_new_from_buffers(metadata, text, nil, nil)
            }
        } else {
            unsafe pointer = library.functions.lasso_server_new_from_buffers(metadata, nil, nil, nil)
        }
        guard let pointer = unsafe pointer else { throw .libraryFailed(call: "lasso_server_new_from_buffers", code: 0) }
        return unsafe LassoServerHandle(adopting: pointer, of: library)
    }

    /// Trusts the identity provider of a metadata document.
    /// - Throws: `libraryFailed`.
    borrowing func trust(issuer metadata: String) throws(AssertionFault) {
        let code = unsafe self.library.functions.lasso_server_add_provider_from_buffer(
            self.pointer, CLASSO_ROLE_IDP, metadata, nil, nil)
        guard code == 0 else { throw .libraryFailed(call: "lasso_server_add_provider_from_buffer", code: code) }
    }

    /// Verifies the signature directly inside the outermost element of a document, or of what an envelope holds, with the keys of an issuer it trusts.
    /// The caller has checked what the signature covers, and how (``SignatureRules``).
    /// - Throws: `unverified`.
    borrowing func verify(document: String, isEnvelope: Bool, of issuer: String) throws(AssertionFault) {
        // The thread may be another than the one that made the server.
        var functions = try LassoLibrary.prepare().functions
        let code = unsafe classo_verify_document(&functions, self.pointer, issuer, document, isEnvelope ? 1 : 0)
        guard code == 0 else { throw .unverified(code: code) }
    }

    /// The content of an encrypted element, as XML. It does not say who encrypted it.
    /// - Throws: `undecipherable`, `libraryFailed`.
    borrowing func decrypt(_ element: XMLElement) throws(AssertionFault) -> String {
        try self.decryptedNode(element).written()
    }

    /// An encrypted assertion in clear. It does not say who encrypted it.
    /// - Throws: `undecipherable`, `libraryFailed`; `tooComplex`, `foreignContent`.
    borrowing func decryptAssertion(_ element: XMLElement) throws(AssertionFault) -> XMLElement {
        try self.decryptedNode(element).original()
    }

    private borrowing func decryptedNode(_ element: XMLElement) throws(AssertionFault) -> LassoNodeHandle {
        // The thread may be another than the one that made the server.
        let library = try LassoLibrary.prepare()
        return try LassoNodeHandle.read(element.written, of: library).decrypted(by: self)
    }
}
