import Clientless

/// The keyed hash of a device ID; what is kept where the raw value is not needed (rest-v1 6.1).
package struct DeviceHash: Hashable, Sendable, CustomStringConvertible {
    /// 32 bytes.
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    package var description: String { "<device>" }

    package func hash(into hasher: inout Hasher) {
        // Keyed hashes are evenly spread: a quarter of one tells them apart as well as the whole.
        hasher.combine(self.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}

/// The owner of a sign-in: one AuthN record lives per context at a time (rest-v1 6.2, 6.3). Its texts are compared byte
/// for byte.
package struct DeviceContext: Hashable, Sendable {
    package let device: DeviceHash
    private let application: ExactText?
    private let user: ExactText?

    /// Non-empty `appId` of the code; the sign-in then belongs to that application alone.
    package var appID: String? { self.application?.text }
    /// Non-empty `deviceUser` of the code.
    package var deviceUser: String? { self.user?.text }

    package init(device: DeviceHash, appID: String?, deviceUser: String?) {
        self.device = device
        self.application = appID.flatMap { $0.isEmpty ? nil : ExactText($0) }
        self.user = deviceUser.flatMap { $0.isEmpty ? nil : ExactText($0) }
    }

    /// Whether a request that says `self` may see a record stored under `stored`: what it names must be equal,
    /// what it leaves out matches anything (rest-v1 6.3, context key).
    package func admits(_ stored: DeviceContext) -> Bool {
        self.device == stored.device && (self.application == nil || self.application == stored.application)
            && (self.user == nil || self.user == stored.user)
    }
}
