import CLasso
import Cryptography
import Glibc

/// This server as a SAML service provider, with the issuers it trusts: one `LassoServer`.
@safe
struct LassoServerHandle: ~Copyable {
    private let library: LassoLibrary
    private let pointer: OpaquePointer
    /// The private keys, of which the server itself has no use: one `xmlSecKeysMngr` each.
    private let keys: [OpaquePointer]

    private init(adopting pointer: OpaquePointer, _ keys: [OpaquePointer], of library: LassoLibrary) {
        self.library = library
        unsafe self.pointer = pointer
        unsafe self.keys = keys
    }

    deinit {
        unsafe self.library.functions.g_object_unref(UnsafeMutableRawPointer(self.pointer))
        for index in unsafe self.keys.indices {
            unsafe self.library.functions.xmlSecKeysMngrDestroy(self.keys[index])
        }
    }

    /// - Parameter privateKeys: unencrypted PEM, for what is encrypted for this server. The library keeps copies for as
    ///   long as the handle lives.
    /// - Throws: `libraryMissing`, `libraryFailed`.
    static func make(metadata: String, privateKeys: [Secret]) throws(AssertionFault) -> LassoServerHandle {
        let library = try LassoLibrary.prepare()
        guard let pointer = unsafe library.functions.lasso_server_new_from_buffers(metadata, nil, nil, nil)
        else { throw .libraryFailed(call: "lasso_server_new_from_buffers", code: 0) }
        var functions = library.functions
        var keys: [OpaquePointer] = unsafe []
        for key in privateKeys {
            let known = unsafe key.withBytes { bytes in
                var text = bytes.map { CChar(truncatingIfNeeded: $0) }
                text.append(0)
                defer { unsafe explicit_bzero(&text, text.count) }
                return unsafe classo_keys(&functions, text, UInt32(bytes.count))
            }
            if let known = unsafe known { unsafe keys.append(known) }
        }
        let server = unsafe LassoServerHandle(adopting: pointer, keys, of: library)
        guard unsafe keys.count == privateKeys.count
        else { throw .libraryFailed(call: "xmlSecOpenSSLAppKeyLoadMemory", code: 0) }
        return server
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

    /// The bytes of an encrypted element in clear, of which no library has made anything. They do not say who encrypted
    /// them.
    /// - Parameter limit: the most bytes.
    /// - Throws: `missingPrivateKey`, `undecipherable`; `notXML`, `libraryFailed`.
    borrowing func decrypted(_ element: XMLElement, limit: Int) throws(AssertionFault) -> [UInt8] {
        guard unsafe !self.keys.isEmpty else { throw .missingPrivateKey }
        guard let data = element.encryptedData else { throw .undecipherable }
        let text = try SAMLText(Array(data.written.utf8), maximumSize: 2 * limit)
        for index in unsafe self.keys.indices {
            // It may be encrypted for another key of ours.
            let document = try XMLDocumentHandle.parse(text)
            if let bytes = unsafe document.decrypted(with: self.keys[index], limit: limit) { return bytes }
        }
        throw .undecipherable
    }
}
