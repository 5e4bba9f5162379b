import AccessEnabler
import Synchronization

/// Chance that always falls in the middle, and nonces that count.
final class CountingRandomness: Randomness {
    private let count = Atomic<Int>(0)

    func bytes(_ count: Int) -> [UInt8] {
        guard count > 4 else { return [0x80, 0, 0, 0] }
        let number = self.count.add(1, ordering: .relaxed).newValue
        return [UInt8](repeating: 0, count: count - 2) + [UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
    }
}
