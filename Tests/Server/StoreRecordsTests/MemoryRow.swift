import Entitlement
import Stores

/// A row that is nothing but its values.
struct MemoryRow: RecordRow {
    struct Failure: RecordFailure, Hashable {
        let message: String
        var storeError: StoreError { StoreError(.damaged, detail: self.message) }

        static func nonsense(_ message: String) -> Failure { Failure(message: message) }
    }

    var start = 0
    private let values: [SQLValue]
    private var next = 0

    init(_ values: [SQLValue]) { self.values = values }

    mutating func advance() -> Int {
        defer { self.next += 1 }
        return self.next
    }

    func integerIfAny(at place: Int) throws(Failure) -> Int64? {
        switch self.values[self.start + place] {
        case .null: return nil
        case .integer(let integer): return integer
        case .text, .blob: throw .nonsense("column \(place) is not an integer")
        }
    }

    func textIfAny(at place: Int) throws(Failure) -> String? {
        switch self.values[self.start + place] {
        case .null: return nil
        case .text(let text): return text
        case .integer, .blob: throw .nonsense("column \(place) is not a text")
        }
    }

    func blobIfAny(at place: Int) throws(Failure) -> [UInt8]? {
        switch self.values[self.start + place] {
        case .null: return nil
        case .blob(let bytes): return bytes
        case .integer, .text: throw .nonsense("column \(place) is not a blob")
        }
    }
}
