import Entitlement
import TestSupport

/// Callers that ask for the same at once, every other one through another handle on the store.
enum Race {
    /// - Returns: the numbers of those whose `body` said that they had it.
    @discardableResult
    static func winners(
        _ callers: Int, _ one: any Store, _ other: any Store,
        _ body: @escaping @Sendable (_ store: any Store, _ number: Int) async throws -> Bool
    ) async throws -> [Int] {
        try await concurrently(callers) { number in
            try await body(number.isMultiple(of: 2) ? one : other, number) ? number : nil
        }.compactMap(\.self)
    }
}
