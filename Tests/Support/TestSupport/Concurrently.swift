/// Calls `body` so many times at once, and does something else meanwhile.
/// - Returns: the results, in the order in which the calls end.
@discardableResult
package func concurrently<Result: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (_ number: Int) async throws -> Result,
    meanwhile: () async throws -> Void = {}
) async throws -> [Result] {
    try await withThrowingTaskGroup(of: Result.self) { group in
        for number in 0..<count { group.addTask { try await body(number) } }
        try await meanwhile()
        return try await group.reduce(into: []) { $0.append($1) }
    }
}
