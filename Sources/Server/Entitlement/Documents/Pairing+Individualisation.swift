package import Clientless
import Cryptography

// What a device is called, and the proof that this server called it so (sdk-services 2).
extension Pairing {
    /// The device ID of a fingerprint: lower-case hex, the same on every node.
    package func individualDeviceID(of fingerprint: String) -> String {
        Hex.encode(self.keys.individuals.hash(of: fingerprint))
    }

    /// The `pass_sfp` of a device.
    /// - Throws: `internal` when it cannot be signed.
    package func passDocument(for device: DeviceID, now: Timestamp) throws(EntitlementError) -> String {
        try DevicePass.text(for: device, now: now, signer: self.documents)
    }

    /// Lets a pass by that is this server's and `device`'s.
    /// - Throws: `deviceMismatch`, whatever is wrong with it.
    package func checkPass(_ pass: String, device: DeviceID) throws(EntitlementError) {
        guard DevicePass.isValid(pass, for: device, signer: self.documents)
        else { throw EntitlementError(.deviceMismatch) }
    }
}
