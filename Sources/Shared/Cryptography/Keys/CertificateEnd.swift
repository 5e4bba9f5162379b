/// Looks when certificates end. Whether they are otherwise good is not looked at.
package enum CertificateEnd {
    /// When the first certificate of a PEM text ends, in seconds since 1970; `nil` for a text without one.
    package static func ofFirst(in pem: String) -> Int64? { KeyHandle.certificateEnd(in: Array(pem.utf8)) }
}
