import RealPrograms
import TestSupport

/// Sign-ins at TV providers with OpenID Connect and with SAML: what they cost the server, and what a silent provider costs
/// the others.
struct ProviderLogins: Measurement {
    let figures = [
        Figure(
            name: "oidc-login-processor", unit: "ms", goal: .atMost(4),
            meaning:
                "the server's processor time for a sign-in at a provider with OpenID Connect, from the code's page "
                + "to the confirmed box"),
        Figure(
            name: "saml-login-processor", unit: "ms", goal: .atMost(6),
            meaning: "the same at a provider with SAML, which redirects there and is answered by a form"),
        Figure(
            name: "silent-provider", unit: "ratio", goal: .atMost(1.1),
            meaning:
                "99th percentile of sign-ins with OpenID Connect while viewers wait for a provider that answers nothing, "
                + "over that while it answers"),
    ]

    /// Sign-ins whose times and costs do not count.
    private static let warmUp = 32
    /// After so many sign-ins another viewer turns to the other provider.
    private static let betweenOthers = 10

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let gate = Gate()
        defer { for _ in 0..<10_000 { gate.open() } }
        let (provider, saml) = (try StubProvider(), try StubSAMLProvider())
        let (other, silent) = (try StubProvider(), try StubProvider(gate: gate))
        let count = surroundings.amount(1000, rehearsal: 5)
        // Two servers that differ in what the other provider does, so that what else the machine does meets both.
        func visitors(_ name: String, others: StubProvider, _ boxes: Int) async throws -> ProviderVisitors {
            let folder = "\(surroundings.folder)/\(name)"
            let server = try await BenchServer.start(surroundings, in: "\(folder)/server") {
                DemoFolder.add(
                    [
                        StubProvider.settings(ProviderVisitors.openID, at: provider.url),
                        try saml.settings(ProviderVisitors.saml, key: "\(folder)/saml.pem"),
                        StubProvider.settings(ProviderVisitors.other, at: others.url),
                    ], to: &$0)
            }
            return try await ProviderVisitors(boxes, at: server, in: folder)
        }
        let others = 1 + count / Self.betweenOthers
        let usual = try await visitors("usual", others: other, 3 * count + 2 * Self.warmUp + others)
        do {
            let beside = try await visitors("silent", others: silent, count + Self.warmUp + others)
            return try await ending({ await beside.server.stop() }) {
                let values = try await self.values(count, usual, beside)
                await usual.server.stop()
                return values
            }
        } catch {
            await usual.server.stop()
            throw error
        }
    }

    private func values(_ count: Int, _ usual: ProviderVisitors, _ beside: ProviderVisitors) async throws -> [Double] {
        for visitors in [usual, beside] { _ = try await visitors.signIn(Self.warmUp, at: ProviderVisitors.openID) }
        let (times, cost) = try await usual.costs { try await usual.signIn(count, at: ProviderVisitors.openID) }
        _ = try await usual.signIn(Self.warmUp, at: ProviderVisitors.saml)
        let (bySAML, costBySAML) = try await usual.costs {
            try await usual.signIn(count, at: ProviderVisitors.saml)
        }
        let (loud, quiet) = try await self.inTurns(count, usual, beside)
        talk(
            "\(count) sign-ins, median \(times.median.rounded(places: 1)) ms, with SAML "
                + "\(bySAML.median.rounded(places: 1)) ms; \(loud.median.rounded(places: 1)) ms while another provider "
                + "answers, \(quiet.median.rounded(places: 1)) ms while it does not")
        return [
            cost / Double(count), costBySAML / Double(count), quiet.percentile(0.99) / loud.percentile(0.99),
        ]
    }

    /// Sign-ins at both servers in turns. Now and then a viewer turns to the other provider of each, and waits there for
    /// as long as it takes.
    /// - Returns: milliseconds.
    private func inTurns(
        _ count: Int, _ usual: ProviderVisitors, _ beside: ProviderVisitors
    ) async throws -> (usual: [Double], beside: [Double]) {
        var times: (usual: [Double], beside: [Double]) = ([], [])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                for visitors in [usual, beside] where number.isMultiple(of: Self.betweenOthers) {
                    let turn = try await visitors.comeToOther()
                    group.addTask { await turn.take() }
                }
                times.usual += try await usual.signIn(1, at: ProviderVisitors.openID)
                times.beside += try await beside.signIn(1, at: ProviderVisitors.openID)
            }
            group.cancelAll()
        }
        return times
    }
}
