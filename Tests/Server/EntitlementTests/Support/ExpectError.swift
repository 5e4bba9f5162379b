import Entitlement
import Testing

/// Expects that `body` throws this error of the domain, and for this reason where one is named.
func expectError<Result>(
    _ expected: EntitlementError.Code, _ denial: Denial? = nil, _ body: () async throws -> Result,
    sourceLocation: SourceLocation = #_sourceLocation
) async {
    do {
        _ = try await body()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
    } catch {
        let error = error as? EntitlementError
        #expect(error?.code == expected, sourceLocation: sourceLocation)
        if let denial { #expect(error?.denial == denial, sourceLocation: sourceLocation) }
    }
}
