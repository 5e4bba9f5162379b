import Synchronization

/// Where stores put contents aside, in order.
final class SetAsidePlaces: Sendable {
    private let places = Mutex<[String]>([])
    var all: [String] { self.places.withLock { $0 } }

    func add(_ place: String) { self.places.withLock { $0.append(place) } }
}
