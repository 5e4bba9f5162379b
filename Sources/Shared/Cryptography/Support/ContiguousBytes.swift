/// Lends the bytes of any collection as one stretch of memory, copying only when they are not one already.
///
/// Arrays, slices of arrays, and the UTF-8 of native strings are lent in place.
func withContiguousBytes<Result>(
    of bytes: some Collection<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
) rethrows -> Result {
    if let result = try bytes.withContiguousStorageIfAvailable({ try unsafe body($0) }) { return result }
    return try unsafe Array(bytes).withUnsafeBufferPointer { try unsafe body($0) }
}
