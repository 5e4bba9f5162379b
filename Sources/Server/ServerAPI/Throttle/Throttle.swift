package import Clientless
package import Entitlement
package import HTTPServer

/// Limits how often one device may call, and one address whatever devices it names (rest-v1 24.1).
///
/// Its memory is bounded; a flood of new addresses makes it forget those that called least, whose
/// allowance is then whole again.
package final class Throttle: Sendable {
    package struct Settings: Hashable, Sendable {
        /// For one device at one address.
        package var device = ThrottleLimit(interval: 1000, tolerance: 10_000)
        /// For one address, against callers that name a new device each time.
        package var address = ThrottleLimit(interval: 100, tolerance: 10_000)
        /// For one browser's address, on pages and on the addresses that pages and providers send it to.
        package var browser = ThrottleLimit(interval: 200, tolerance: 10_000)
        /// For one address that brings notices of providers, which tell of many viewers when they end sessions.
        package var notice = ThrottleLimit(interval: 100, tolerance: 20_000)
        /// The most devices and addresses remembered, each.
        package var bound = 200_000

        package init() {}
    }

    private struct DeviceKey: Hashable {
        let address: Int
        let device: String?
    }

    private let devices: AddressRate
    private let addresses: AddressRate

    /// - Parameter settings: for all nodes together.
    package init(_ settings: Settings, nodes: LivingNodes = LivingNodes()) {
        self.devices = AddressRate(settings.device, bound: settings.bound, nodes: nodes)
        self.addresses = AddressRate(settings.address, bound: settings.bound, nodes: nodes)
    }

    /// Counts a call.
    /// - Parameter device: the device ID the caller names, if any.
    /// - Returns: `nil` when it may pass, else how long the caller has to wait.
    package func admit(address: IPAddress, device: String?, now: Timestamp) -> Duration? {
        let now = now.milliseconds
        let addressKey = address.limitKey
        let deviceKey = DeviceKey(address: addressKey, device: device).hashValue
        if let missing = self.devices.admit(deviceKey, at: now) { return .milliseconds(missing) }
        guard let missing = self.addresses.admit(addressKey, at: now) else { return nil }
        // A refused call counts nowhere, so the device gets its call back.
        self.devices.takeBack(deviceKey, at: now)
        return .milliseconds(missing)
    }
}
