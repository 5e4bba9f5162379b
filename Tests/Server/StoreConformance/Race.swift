import Entitlement

/// Callers that ask for the same at once, every other one through another handle on the store.
enum Race {
    /// - Returns: the numbers of those whose `body` said that they had it.
    @discardableResult
    static func winners(
        _ callers: Int, _ one: any Store, _ other: any Store,
        _ body: @escaping @Sendable (_ store: any Store, _ number: Int) async throws -> Bool
    ) async throws -> [Int] {
        try await withThrowingTaskGroup(of: Int?.self) { group in
            for number in 0..<callers {
                let store = number.isMultiple(of: 2) ? one : other
                group.addTask { try await body(store, number) ? number : nil }
            }
            return try await group.reduce(into: []) { winners, number in
                if let number { winners.append(number) }
            }
        }
    }
}
