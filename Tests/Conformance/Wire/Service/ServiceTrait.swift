import HTTPClient
import Testing

/// Runs a suite against the service the environment names, or against one of its own that lives as long as the suite.
struct ServiceTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // Suites inside this one have the service already.
        guard Service.current == nil else { return try await function() }
        guard let given = try Profile.given?.get() else {
            return try await OwnService.with { own in
                try await OwnService.$current.withValue(own) {
                    try await Service.$current.withValue(own.service) { try await function() }
                }
            }
        }
        let client = HTTPClient()
        let service = Service(url: given.url, profile: given.profile, client: client)
        try await Service.$current.withValue(service) { try await function() }
        await client.shutDown()
    }
}

extension Trait where Self == ServiceTrait {
    static var service: ServiceTrait { ServiceTrait() }
}
