import Synchronization

/// Names one request in logs and in the answer. Unique in this process and, with overwhelming odds, among all.
///
/// It is not a secret and no proof of anything: an id is the process's random key and a counter, mixed.
package struct RequestID: Hashable, Sendable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// The next id. Costs an atomic addition, no system call.
    package static func next() -> RequestID {
        let number = self.counter.wrappingAdd(1, ordering: .relaxed).newValue
        return RequestID(
            high: self.mixed(number ^ self.key.high), low: self.mixed(number &+ self.key.low))
    }

    /// 36 characters in the form of a version 4 UUID (RFC 9562 5.4).
    package var description: String {
        unsafe String(unsafeUninitializedCapacity: Self.textSize) { text in
            unsafe self.write(to: text)
            return Self.textSize
        }
    }

    /// Bytes of a description.
    static let textSize = 36

    /// Writes the description to the front of `text`, which has room for it.
    func write(to text: UnsafeMutableBufferPointer<UInt8>) {
        let high = self.high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = self.low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        var position = 0
        for nibble in 0..<32 {
            if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 {
                unsafe text[position] = UInt8(ascii: "-")
                position += 1
            }
            let word = nibble < 16 ? high : low
            let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (nibble & 15)) & 15)
            unsafe text[position] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
            position += 1
        }
    }

    private static let counter = Atomic<UInt64>(0)
    private static let key = (high: UInt64.random(in: 0 ... .max), low: UInt64.random(in: 0 ... .max))

    /// The finaliser of SplitMix64: every input gives another output, neighbours differ in half their bits.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var word = value
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}
