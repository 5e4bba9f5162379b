import Synchronization

/// How many requests are held, for a gauge that is registered before there is anything to count.
final class HeldRequests: Sendable {
    private let lot = Mutex<ParkingLot?>(nil)

    func count(in lot: ParkingLot) {
        self.lot.withLock { $0 = lot }
    }

    var count: Int { self.lot.withLock { $0 }?.count ?? 0 }
}
