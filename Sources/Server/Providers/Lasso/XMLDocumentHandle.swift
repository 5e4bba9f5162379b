import CLasso

/// A document libxml2 read: one `xmlDoc`.
@safe
struct XMLDocumentHandle: ~Copyable {
    private let library: LassoLibrary
    private let pointer: OpaquePointer

    private init(adopting pointer: OpaquePointer, of library: LassoLibrary) {
        self.library = library
        unsafe self.pointer = pointer
    }

    deinit { unsafe self.library.functions.xmlFreeDoc(self.pointer) }

    /// Reads UTF-8 that ``SAMLText`` found harmless.
    /// - Throws: `notXML`; `documentType`; `libraryMissing`, `libraryFailed`.
    static func parse(_ text: SAMLText) throws(AssertionFault) -> XMLDocumentHandle {
        let library = try LassoLibrary.prepare()
        let pointer = unsafe text.text.utf8.span.withUnsafeBytes { bytes in
            unsafe library.functions.xmlReadMemory(
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), nil, "UTF-8",
                CLASSO_PARSE_OPTIONS)
        }
        guard let pointer = unsafe pointer else { throw .notXML }
        let document = unsafe XMLDocumentHandle(adopting: pointer, of: library)
        guard unsafe library.functions.xmlGetIntSubset(document.pointer) == nil else { throw .documentType }
        return document
    }

    /// The outermost element, with everything in it. Text outside it has no meaning in SAML.
    /// - Throws: `notXML`, `tooComplex`, `foreignContent`.
    borrowing func root(comments: XMLElement.Comments) throws(AssertionFault) -> XMLElement {
        guard let element = unsafe self.library.functions.xmlDocGetRootElement(self.pointer) else { throw .notXML }
        return try unsafe XMLElement(copying: UnsafePointer(element), comments: comments)
    }

    /// The content of the outermost element, an `EncryptedData` with its key inside.
    /// - Returns: `nil` if it is not for these keys, and for more than `limit` bytes.
    borrowing func decrypted(with keys: OpaquePointer, limit: Int) -> [UInt8]? {
        guard let element = unsafe self.library.functions.xmlDocGetRootElement(self.pointer) else { return nil }
        var functions = self.library.functions
        var size = -1
        let output = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, initialized in
            guard let start = buffer.baseAddress else { return }
            size = unsafe classo_decrypt_bytes(&functions, keys, element, start, UInt32(limit))
            initialized = max(0, size)
        }
        return size > 0 ? output : nil
    }
}
