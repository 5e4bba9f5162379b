/// A number that only goes up.
package struct Counter: Sendable {
    private let table: CounterTable

    init(table: CounterTable) {
        self.table = table
    }

    package func increment(by amount: Int = 1) {
        self.table.increment(by: amount)
    }

    package var value: Int { self.table.value() }
}
