package import Clientless
package import Entitlement

/// The number of the lock of one subject, the same on every node. Two subjects that share one only wait for each other.
package struct SubjectKey: Hashable, Comparable, Sendable {
    package enum Kind: UInt8, Sendable {
        case code, device, attempt, signIn, trial, rule, client, application, keyPair, account, setUpCode, passkey
    }

    package let number: Int64

    /// FNV-1a over the kind and the subject's bytes.
    package init(_ kind: Kind, _ subject: some Sequence<UInt8>) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        add(kind.rawValue)
        for byte in subject { add(byte) }
        self.number = Int64(bitPattern: hash)
    }

    package static func < (left: SubjectKey, right: SubjectKey) -> Bool { left.number < right.number }
    package static func code(_ code: RegistrationCodeText) -> SubjectKey { SubjectKey(.code, code.text.utf8) }
    package static func device(_ device: DeviceHash) -> SubjectKey { SubjectKey(.device, device.bytes) }
    static func signIn(_ id: AuthNID) -> SubjectKey { SubjectKey(.signIn, id.text.utf8) }
    static func attempt(_ id: AttemptID) -> SubjectKey { SubjectKey(.attempt, id.bytes) }
    static func named(_ kind: Kind, _ name: String) -> SubjectKey { SubjectKey(kind, name.utf8) }
}
