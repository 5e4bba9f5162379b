package import Clientless
import Entitlement
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
    /// `nil` where there are no other nodes.
    private let deviceSharing: CallSharing?
    private let addressSharing: CallSharing?

    /// - Parameter isShared: whether other nodes are to be told.
    package init(_ settings: Settings, isShared: Bool = false) {
        self.settings = settings
        self.deviceSharing = isShared ? CallSharing(settings.device, bound: settings.bound) : nil
        self.addressSharing = isShared ? CallSharing(settings.address, bound: settings.bound) : nil
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
        guard let whole else {
            self.deviceSharing?.note(deviceKey, at: now) { CallNotes.Caller(address, device: device) }
            self.addressSharing?.note(addressKey, at: now) { CallNotes.Caller(address) }
            return nil
        }
        // A refused call counts nowhere, so the device gets its call back.
        self.devices.update(deviceKey, initial: CellRate(now: now)) { $0.takeBack(self.settings.device) }
        return .milliseconds(whole)
    }
}

/// What a node tells others of the calls of devices, and of all calls of their addresses.
package struct ThrottleNotes: LimitNotes, Hashable {
    var devices = CallNotes()
    var addresses = CallNotes()

    package init() {}

    package var isEmpty: Bool { self.devices.isEmpty && self.addresses.isEmpty }
}

extension Throttle: SharedLimit {
    package func takeNotes(at uptime: Duration) -> ThrottleNotes {
        var notes = ThrottleNotes()
        if let devices = self.deviceSharing { notes.devices = devices.take() }
        if let addresses = self.addressSharing { notes.addresses = addresses.take() }
        return notes
    }

    package func count(_ notes: ThrottleNotes, at uptime: Duration, now: Timestamp) {
        let now = now.milliseconds
        for (caller, calls) in notes.devices.calls.counts {
            guard let address = caller.address else { continue }
            let key = DeviceKey(address: address.limitKey, device: caller.device).hashValue
            self.devices.update(key, initial: CellRate(now: now)) {
                $0.countElsewhere(calls, at: now, self.settings.device)
            }
        }
        for (caller, calls) in notes.addresses.calls.counts {
            guard let address = caller.address else { continue }
            self.addresses.update(address.limitKey, initial: CellRate(now: now)) {
                $0.countElsewhere(calls, at: now, self.settings.address)
            }
        }
    }
}
