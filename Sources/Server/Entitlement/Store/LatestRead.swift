/// The latest read of a changing value: a slow read does not replace the result of a later one.
struct LatestRead<Value: Sendable>: Sendable {
    private(set) var value: Value
    private var begun = 0
    private var kept = 0

    init(_ value: Value) { self.value = value }

    /// The number of a read that begins now.
    mutating func begin() -> Int {
        self.begun += 1
        return self.begun
    }

    /// Keeps what the read with this number found, unless a later read is kept already.
    /// - Returns: whether it was kept.
    mutating func keep(_ value: Value, readAs number: Int) -> Bool {
        guard number > self.kept else { return false }
        self.value = value
        self.kept = number
        return true
    }
}
