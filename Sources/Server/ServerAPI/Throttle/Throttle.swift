package import Clientless
import Entitlement
package import HTTPServer

/// Limits how often one device may call, and one address whatever devices it names (design 10, rest-v2 6).
///
/// What it remembers is bounded; a flood of new addresses makes it forget the oldest, whose allowance is then whole
/// again. Keys are 64-bit hashes under a key of this process: a collision, which nobody can bring about, would make
/// two boxes share an allowance.
package final class Throttle: Sendable {
    package struct Settings: Hashable, Sendable {
        /// For one device at one address.
        package var device = ThrottleLimit(interval: 1000, tolerance: 10_000)
        /// For one address, against callers that name a new device each time.
        package var address = ThrottleLimit(interval: 100, tolerance: 10_000)
        /// The most devices and addresses remembered, each.
        package var bound = 200_000

        package init() {}
    }

    private struct DeviceKey: Hashable {
        let address: Int
        let device: String?
    }

    private let settings: Settings
    private let devices: BoundedMemory<Int, CellRate>
    private let addresses: BoundedMemory<Int, CellRate>

    package init(_ settings: Settings) {
        self.settings = settings
        self.devices = BoundedMemory(bound: settings.bound)
        self.addresses = BoundedMemory(bound: settings.bound)
    }

    /// Counts a call.
    /// - Parameter device: the device ID the caller names, if any.
    /// - Returns: `nil` when it may pass, else how long the caller has to wait.
    package func admit(address: IPAddress, device: String?, now: Timestamp) -> Duration? {
        let now = now.milliseconds
        let addressKey = address.limitKey
        // A refused call must count nowhere, so look at both before counting at either.
        let whole = self.addresses.update(addressKey, initial: CellRate(now: now)) {
            $0.missing(at: now, self.settings.address)
        }
        if let whole { return .milliseconds(whole) }
        let key = DeviceKey(address: addressKey, device: device).hashValue
        let own = self.devices.update(key, initial: CellRate(now: now)) { $0.admit(at: now, self.settings.device) }
        if let own { return .milliseconds(own) }
        let late = self.addresses.update(addressKey, initial: CellRate(now: now)) {
            $0.admit(at: now, self.settings.address)
        }
        return late.map { .milliseconds($0) }
    }
}
