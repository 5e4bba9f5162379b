import CLasso
import Cryptography
import Glibc

/// This server as a SAML service provider, with the issuers it trusts: one `LassoServer`.
@safe
struct LassoServerHandle: ~Copyable {
    let library: LassoLibrary
    let pointer: OpaquePointer
    /// The private key once more, for what is decrypted without the library's objects: one `xmlSecKeysMngr`.
    private let keys: OpaquePointer?

    private init(adopting pointer: OpaquePointer, _ keys: OpaquePointer?, of library: LassoLibrary) {
        self.library = library
        unsafe self.pointer = pointer
        unsafe self.keys = keys
    }

    deinit {
        unsafe self.library.functions.g_object_unref(UnsafeMutableRawPointer(self.pointer))
        if let keys = unsafe self.keys { unsafe self.library.functions.xmlSecKeysMngrDestroy(keys) }
    }

    /// - Parameters:
    ///   - metadata: the SAML metadata of this server.
    ///   - privateKey: unencrypted PEM, for assertions encrypted to this server. The libraries keep copies for
    ///     as long as the handle lives.
    /// - Throws: `libraryMissing`, `libraryFailed`.
    static func make(metadata: String, privateKey: Secret?) throws(AssertionFault) -> LassoServerHandle {
        let library = try LassoLibrary.prepare()
        let pointer: OpaquePointer?
        var keys: OpaquePointer?
        if let privateKey {
            var functions = library.functions
            unsafe pointer = unsafe privateKey.withBytes { bytes in
                var text = bytes.map { CChar(truncatingIfNeeded: $0) }
                text.append(0)
                defer { unsafe explicit_bzero(&text, text.count) }
                unsafe keys = unsafe classo_keys(&functions, text, UInt32(bytes.count))
                return unsafe library.functions.lasso_server_new_from_buffers(metadata, text, nil, nil)
            }
        } else {
            unsafe pointer = library.functions.lasso_server_new_from_buffers(metadata, nil, nil, nil)
        }
        guard let pointer = unsafe pointer else { throw .libraryFailed(call: "lasso_server_new_from_buffers", code: 0) }
        return unsafe LassoServerHandle(adopting: pointer, keys, of: library)
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
        // The thread may be another than the one that made the server.
        let library = try LassoLibrary.prepare()
        return try LassoNodeHandle.read(element.written, of: library).decrypted(by: self).written()
    }

    /// The bytes of an encrypted element in clear, of which no library has made anything. They do not say who encrypted
    /// them.
    /// - Parameter limit: the most bytes.
    /// - Throws: `undecipherable`; `notXML`, `libraryFailed`.
    borrowing func bytes(of element: XMLElement, limit: Int) throws(AssertionFault) -> [UInt8] {
        guard let keys = unsafe self.keys, let data = element.encryptedData else { throw .undecipherable(code: 0) }
        let text = try SAMLText(Array(data.written.utf8), maximumSize: 2 * limit)
        return try unsafe XMLDocumentHandle.parse(text).decrypted(with: keys, limit: limit)
    }
}
