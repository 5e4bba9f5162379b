import Clientless
import Cryptography

/// The content of `pass_sfp`: this server saw this device ID at this moment (sdk-services 2).
///
/// On the wire: base64url of the device ID's SHA-256 (32 bytes), the time in milliseconds since 1970 (8 bytes, highest
/// first) and a signature over both.
struct DevicePass {
    /// The longest pass read, in bytes: a signature of an 8192-bit key fits.
    static let maximumLength = 2048
    /// Keeps a pass from being anything else that the same keys sign.
    private static let purpose = Array("latchkey/pass/1\n".utf8)
    private static let claimSize = 40

    static func text(
        for device: DeviceID, now: Timestamp, signer: TokenDocumentSigner
    ) throws(EntitlementError) -> String {
        let time = UInt64(bitPattern: now.milliseconds)
        let claim = Digest.sha256(device.text.utf8) + (0..<8).map { UInt8(truncatingIfNeeded: time >> (56 - 8 * $0)) }
        return Base64.encodeURL(claim + (try signer.signature(for: Self.purpose + claim)))
    }

    /// Whether a pass is another device's. One that is damaged, or signed with a key that was rotated away, is no one's.
    static func isForeign(_ text: String, to device: DeviceID, signer: TokenDocumentSigner) -> Bool {
        guard text.utf8.count <= Self.maximumLength, let bytes = Base64.decodeURL(text), bytes.count > Self.claimSize
        else { return false }
        let claim = Array(bytes.prefix(Self.claimSize))
        return signer.isValidSignature(bytes.dropFirst(Self.claimSize), for: Self.purpose + claim)
            && !constantTimeEqual(claim.prefix(32), Digest.sha256(device.text.utf8))
    }
}
