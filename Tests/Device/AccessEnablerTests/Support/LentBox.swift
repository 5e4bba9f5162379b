import AccessEnabler
import Lending
import Synchronization
import TestSupport
import Testing

/// A service and a box for a test, and the applications that it made, which end with it.
final class LentBox: Sendable {
    /// Makes the application of a test; `nil` for a test that makes its own.
    typealias Make = @Sendable (LentBox) async throws -> TestApplication?

    @TaskLocal static var current: LentBox?

    let service: ScriptedService
    let box: TestBox
    private let applications = Mutex<[AccessEnabler]>([])
    private let made = Mutex<TestApplication?>(nil)

    private init() throws {
        self.service = try ScriptedService()
        self.box = try TestBox()
    }

    static func with(_ make: Make, _ body: (LentBox) async throws -> Void) async throws {
        let lent = try LentBox()
        try await ending({ for enabler in lent.applications.withLock({ $0 }) { await enabler.shutDown() } }) {
            let application = try await Self.$current.withValue(lent) { try await make(lent) }
            lent.made.withLock { $0 = application }
            try await body(lent)
        }
    }

    var application: TestApplication {
        guard let application = self.made.withLock({ $0 }) else { preconditionFailure("this trait makes none") }
        return application
    }

    /// Keeps the application until the test ends, and ends it then.
    func keep(_ enabler: AccessEnabler) { self.applications.withLock { $0.append(enabler) } }
}

var service: ScriptedService { LentBox.$current.lent().service }

var box: TestBox { LentBox.$current.lent().box }

var application: TestApplication { LentBox.$current.lent().application }

extension Trait where Self == Lending<LentBox> {
    static var box: Self { .making { _ in nil } }
    /// With an application that has not named a requestor.
    static var started: Self { .making { try $0.box.start($0.service) } }
    static var configured: Self { .making { try await $0.box.application($0.service) } }
    /// With an application that is signed in, over the second screen.
    static var signedIn: Self { .making { try await $0.box.signedIn($0.service) } }
    static var inBrowser: Self { .making { try await $0.box.inBrowser($0.service) } }
    static var showingCode: Self { .making { try await $0.box.showingCode($0.service) } }

    /// With an application in the pause after its first question about a code.
    static var polling: Self { .making { try await $0.box.polling($0.service) } }

    static func making(_ make: @escaping LentBox.Make) -> Self {
        Lending(LentBox.$current) { try await LentBox.with(make, $0) }
    }
}
