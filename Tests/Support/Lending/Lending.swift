package import Testing

/// Lends each test of a suite a fixture of its own, and takes it back after the test. A test that names another one
/// gets that alone.
package final class Lending<Fixture: Sendable>: SuiteTrait, TestTrait, TestScoping {
    package typealias Body = @Sendable (Fixture) async throws -> Void

    package let isRecursive = true
    private let current: TaskLocal<Fixture?>
    private let lend: @Sendable (_ body: @escaping Body) async throws -> Void

    /// - Parameters:
    ///   - current: where the test finds its fixture.
    ///   - lend: makes a fixture, and ends it when `body` has returned.
    package init(
        _ current: TaskLocal<Fixture?>, _ lend: @escaping @Sendable (_ body: @escaping Body) async throws -> Void
    ) {
        self.current = current
        self.lend = lend
    }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard test.traits.last(where: { $0 is Self }) as? Self === self else { return try await function() }
        try await withoutActuallyEscaping(function) { function in
            try await self.lend { fixture in
                try await self.current.withValue(fixture) { try await function() }
            }
        }
    }
}

extension TaskLocal {
    /// The fixture of the test that runs.
    package func lent<Fixture>() -> Fixture where Value == Fixture? {
        guard let fixture = self.get() else {
            preconditionFailure("no trait of this test or its suite lends a fixture")
        }
        return fixture
    }
}
