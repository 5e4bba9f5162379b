package import Clientless
package import HTTPServer

/// Limits how often one device may call, and one address whatever devices it names (rest-v2 6).
///
/// What it remembers is of a fixed size; a flood of new addresses makes it forget those that called least, whose
/// allowance is then whole again.
package final class Throttle: Sendable {
    package struct Settings: Hashable, Sendable {
        /// For one device at one address.
        package var device = ThrottleLimit(interval: 1000, tolerance: 10_000)
        /// For one address, against callers that name a new device each time.
        package var address = ThrottleLimit(interval: 100, tolerance: 10_000)
        /// For one browser's address, on pages and on what pages and providers send a browser to.
        package var browser = ThrottleLimit(interval: 200, tolerance: 10_000)
        /// The most devices and addresses remembered, each.
        package var bound = 200_000

        package init() {}
    }

    private struct DeviceKey: Hashable {
        let address: Int
        let device: String?
    }

    private let settings: Settings
    private let devices: SlotTable<CellRate>
    private let addresses: SlotTable<CellRate>

    package init(_ settings: Settings) {
        self.settings = settings
        self.devices = SlotTable(bound: settings.bound, filler: CellRate(now: .min))
        self.addresses = SlotTable(bound: settings.bound, filler: CellRate(now: .min))
    }

    /// Counts a call.
    /// - Parameter device: the device ID the caller names, if any.
    /// - Returns: `nil` when it may pass, else how long the caller has to wait.
    package func admit(address: IPAddress, device: String?, now: Timestamp) -> Duration? {
        let now = now.milliseconds
        let addressKey = address.limitKey
        let deviceKey = DeviceKey(address: addressKey, device: device).hashValue
        let own = self.devices.update(deviceKey, initial: CellRate(now: now)) {
            $0.admit(at: now, self.settings.device)
        }
        if let own { return .milliseconds(own) }
        let whole = self.addresses.update(addressKey, initial: CellRate(now: now)) {
            $0.admit(at: now, self.settings.address)
        }
        guard let whole else { return nil }
        // A refused call counts nowhere, so the device gets its call back.
        self.devices.update(deviceKey, initial: CellRate(now: now)) { $0.takeBack(self.settings.device) }
        return .milliseconds(whole)
    }
}
