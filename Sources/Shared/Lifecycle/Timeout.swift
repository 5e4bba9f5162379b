package struct TimeoutError: Error, Hashable {
    package init() {}
}

/// The result of `operation`, which is cancelled once `duration` has passed.
/// - Throws: `TimeoutError` when the time is up, else what `operation` throws. It returns when `operation` has, so an
///   operation that does not heed cancellation is waited for.
package func withTimeout<Result: Sendable>(
    _ duration: Duration, _ operation: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    try await withThrowingTaskGroup(of: Result?.self) { group in
        group.addTask { try await operation() }
        group.addTask {
            try await Task.sleep(for: duration)
            return nil
        }
        defer { group.cancelAll() }
        guard case .some(.some(let result)) = try await group.next() else { throw TimeoutError() }
        return result
    }
}
