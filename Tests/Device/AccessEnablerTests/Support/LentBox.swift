import AccessEnabler
import Lending
import Synchronization
import TestSupport
import Testing

/// A service and a box for a test, and the applications that it made, which end with it.
final class LentBox: Sendable {
    @TaskLocal static var current: LentBox?

    let service: ScriptedService
    let box: TestBox
    private let applications = Mutex<[AccessEnabler]>([])

    private init() throws {
        self.service = try ScriptedService()
        self.box = try TestBox()
    }

    static func with(_ body: (LentBox) async throws -> Void) async throws {
        let lent = try LentBox()
        do {
            try await body(lent)
        } catch {
            await lent.endApplications()
            throw error
        }
        await lent.endApplications()
    }

    private func endApplications() async {
        for enabler in self.applications.withLock({ $0 }) { await enabler.shutDown() }
    }

    /// Keeps the application until the test ends, and ends it then.
    func keep(_ enabler: AccessEnabler) { self.applications.withLock { $0.append(enabler) } }
}

/// The service that the running test's trait lends it.
var service: ScriptedService { LentBox.$current.lent().service }

/// The box that the running test's trait lends it.
var box: TestBox { LentBox.$current.lent().box }

extension Trait where Self == Lending<LentBox> {
    static var box: Self { Lending(LentBox.$current) { try await LentBox.with($0) } }
}
