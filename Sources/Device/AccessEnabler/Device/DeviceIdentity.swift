package import Clientless
import Cryptography
import POSIX

/// The device ID: lower-case hexadecimal SHA-256 of a constant, the machine ID and the scope (access-enabler 12.4).
package enum DeviceIdentity {
    /// - Parameters:
    ///   - machineID: the box's stable identifier.
    ///   - scope: the vendor's scope string.
    package static func deviceID(machineID: String, scope: String) -> DeviceID {
        let text = "access-enabler-device\u{0}\(machineID)\u{0}\(scope)"
        guard let deviceID = DeviceID(Hex.encode(Digest.sha256(text.utf8))) else {
            preconditionFailure("64 hexadecimal digits are a device ID")
        }
        return deviceID
    }

    /// The machine ID in the text of a machine-id(5) file.
    /// - Returns: `nil` for anything but 32 hexadecimal digits, such as `uninitialized` on a first boot.
    package static func machineID(in text: String) -> String? {
        var line = Substring(text)
        while let last = line.last, last.isNewline || last == " " { line.removeLast() }
        guard line.utf8.count == 32, let bytes = Hex.decode(line), bytes.contains(where: { $0 != 0 }) else {
            return nil
        }
        return line.lowercased()
    }
}

extension DeviceIdentity {
    /// - Returns: `nil` when the file cannot be read, or has more than 4,096 bytes.
    static func fileText(_ path: String) -> String? {
        (try? WholeFile.read(path, limit: 4096)).map { String(decoding: $0, as: UTF8.self) }
    }
}
