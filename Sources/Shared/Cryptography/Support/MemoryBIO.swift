import COpenSSL

/// A BIO over memory, which PEM is read from or written to.
@safe struct MemoryBIO: ~Copyable {
    let handle: OpaquePointer

    private init(adopting handle: OpaquePointer?) {
        guard let handle = unsafe handle else { preconditionFailure("out of memory for a buffer") }
        unsafe self.handle = handle
    }

    /// An empty buffer to write to. `BUF_MEM_free` overwrites what it held.
    init() { unsafe self.init(adopting: BIO_new(BIO_s_mem())) }

    deinit { unsafe BIO_free_all(self.handle) }

    /// Reads `bytes`, which stay where they are and are lent for the length of `body`.
    static func reading<Result, Failure: Error>(
        _ bytes: [UInt8], _ body: (borrowing MemoryBIO) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // Array and BIO live until `body` returns; BIO_new_mem_buf(3) makes a read-only BIO that copies nothing.
        let result: Swift.Result<Result, Failure> = unsafe bytes.withUnsafeBytes { bytes in
            let bio = unsafe MemoryBIO(adopting: BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)))
            do throws(Failure) { return .success(try body(bio)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    var contents: [UInt8] {
        var start: UnsafeMutablePointer<CChar>?
        let count = unsafe copenssl_bio_bytes(self.handle, &start)
        guard let start = unsafe start, count > 0 else { return [] }
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}

/// Lends the bytes of any collection as one stretch of memory, copying only when they are not one already.
///
/// Arrays, slices of arrays, and the UTF-8 of native strings are lent in place.
func withContiguousBytes<Result>(
    of bytes: some Collection<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
) rethrows -> Result {
    if let result = try bytes.withContiguousStorageIfAvailable({ try unsafe body($0) }) { return result }
    return try unsafe Array(bytes).withUnsafeBufferPointer { try unsafe body($0) }
}
