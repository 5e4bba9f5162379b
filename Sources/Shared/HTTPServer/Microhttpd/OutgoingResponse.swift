import CMicrohttpd

/// An answer in libmicrohttpd's form. libmicrohttpd counts references: ours is dropped here, a queued one's there.
@safe struct OutgoingResponse: ~Copyable {
    private let handle: OpaquePointer

    /// An answer that is sent once.
    /// - Returns: `nil` when there is no memory.
    init?(_ response: HTTPResponse, closing: Bool) {
        self.init(response)
        if closing { self.addField("Connection", "close") }
    }

    /// An answer with a `Date` in place of the one libmicrohttpd would write.
    /// - Returns: `nil` when there is no memory.
    init?(_ response: HTTPResponse, date: String) {
        self.init(response)
        self.addField("Date", date)
    }

    private init?(_ response: HTTPResponse) {
        guard let handle = unsafe Self.make(response.sentBody) else { return nil }
        unsafe self.handle = handle
        unsafe response.headers.buffer.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            let text = unsafe UnsafeRawPointer(base).assumingMemoryBound(to: CChar.self)
            // The buffer ends every name and value with NUL, as C wants them; libmicrohttpd copies both.
            response.forEachSentField { field in
                _ = unsafe MHD_add_response_header(handle, text + field.name.lowerBound, text + field.value.lowerBound)
            }
        }
        guard let field = response.idField else { return }
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: RequestID.textSize + 1) { text in
            unsafe field.id.write(to: text)
            unsafe text[RequestID.textSize] = 0
            let name = unsafe UnsafeRawPointer(field.name.utf8Start).assumingMemoryBound(to: CChar.self)
            let value = unsafe UnsafeRawBufferPointer(text).assumingMemoryBound(to: CChar.self)
            _ = unsafe MHD_add_response_header(handle, name, value.baseAddress)
        }
    }

    deinit { unsafe MHD_destroy_response(self.handle) }

    /// Neither may hold a NUL or a line break; libmicrohttpd copies both.
    func addField(_ name: String, _ value: String) { _ = unsafe MHD_add_response_header(self.handle, name, value) }

    /// The copy of a field's value that libmicrohttpd reads when it sends the answer: its own memory, which it frees with
    /// the answer and which may be written to in between, although the function's type does not say so.
    func place(ofField name: StaticString, _ size: Int) -> UnsafeMutableBufferPointer<UInt8>? {
        guard let value = unsafe MHD_get_response_header(self.handle, name.description) else { return nil }
        let bytes = unsafe UnsafeMutableRawPointer(mutating: value).assumingMemoryBound(to: UInt8.self)
        return unsafe UnsafeMutableBufferPointer(start: bytes, count: size)
    }

    /// Sends the answer; the status tells whether libmicrohttpd took it.
    func queue(_ status: HTTPStatus, on connection: OpaquePointer) -> MHD_Result {
        unsafe MHD_queue_response(connection, UInt32(status.code), self.handle)
    }

    private static func make(_ body: [UInt8]) -> OpaquePointer? {
        unsafe body.withUnsafeBytes { bytes in
            // The copy is freed with the last reference; the pointer is only read, although its type does not say so.
            unsafe MHD_create_response_from_buffer(
                bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
        }
    }
}
