import Synchronization

/// Names one request in logs and in the answer. Unique in this process and, with overwhelming odds, among all.
///
/// It is not a secret and no proof of anything: an id is the process's random key and a counter, mixed.
public struct RequestID: Hashable, Sendable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// The next id. Costs an atomic addition, no system call.
    package static func next() -> RequestID {
        let number = self.counter.wrappingAdd(1, ordering: .relaxed).newValue
        return RequestID(
            high: self.mixed(number ^ self.key.high), low: self.mixed(number &+ self.key.low))
    }

    /// 36 characters in the form of a version 4 UUID (RFC 9562 5.4).
    public var description: String {
        unsafe String(unsafeUninitializedCapacity: Self.textSize) { text in
            unsafe self.write(to: text)
            return Self.textSize
        }
    }

    static let textSize = 36

    /// Writes the description to the front of `text`, which has room for it.
    func write(to text: UnsafeMutableBufferPointer<UInt8>) {
        let high = self.high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = self.low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let bytes = UnsafeMutableRawBufferPointer(text)
        // Sixteen bits at a time: 8, 4, 4, 4 and 12 digits.
        for part in 0..<8 {
            let bits = (part < 4 ? high : low) >> UInt64(48 - 16 * (part & 3)) & 0xFFFF
            let place = 4 * part + min(max(part - 1, 0), 4)
            unsafe bytes.storeBytes(of: Self.digits(UInt32(bits)).bigEndian, toByteOffset: place, as: UInt32.self)
        }
        for mark in 1...4 { unsafe bytes[5 * mark + 3] = UInt8(ascii: "-") }
    }

    /// The four hexadecimal digits of a number of sixteen bits, the first in the highest byte.
    private static func digits(_ number: UInt32) -> UInt32 {
        let pairs = (number << 8 | number) & 0x00FF_00FF
        let nibbles = (pairs << 4 | pairs) & 0x0F0F_0F0F
        // Six more than a nibble carries into the next four bits from ten on, where the digits are letters.
        let letters = (nibbles + 0x0606_0606) >> 4 & 0x0101_0101
        return nibbles + 0x3030_3030 + letters * UInt32(UInt8(ascii: "a") - 10 - UInt8(ascii: "0"))
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
