import FoundationEssentials
import HTTPClient
import RealPrograms
import TestSupport

/// Sign-ins at TV providers with OpenID Connect and with SAML: what they cost the server, and what a silent provider costs the others.
struct ProviderLogins: Measurement {
    let figures = [
        Figure(
            name: "oidc-login-processor", unit: "ms", goal: .atMost(3),
            meaning:
                "the server's processor time for a sign-in at a provider with OpenID Connect, from the code's page "
                + "to the confirmed box"),
        Figure(
            name: "saml-login-processor", unit: "ms", goal: .atMost(8),
            meaning: "the same at a provider with SAML, which redirects there and is answered by a form"),
        Figure(
            name: "silent-provider", unit: "ratio", goal: .atMost(1.1),
            meaning:
                "99th percentile of sign-ins with OpenID Connect while another provider answers nothing, over that without it"
        ),
    ]

    private static let id = "BenchTV"
    private static let saml = "BenchSAML"
    private static let silent = "SilentTV"

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let (provider, saml, gate) = (try StubProvider(), try StubSAMLProvider(), Gate())
        let quiet = try StubProvider(gate: gate)
        defer { for _ in 0..<10_000 { gate.open() } }
        let server = try await BenchServer.start(surroundings, in: "\(surroundings.folder)/logins/server") {
            try DemoFolder.add(
                [
                    StubProvider.settings(Self.id, at: provider.url),
                    StubProvider.settings(Self.silent, at: quiet.url),
                    saml.settings(Self.saml, key: "\(surroundings.folder)/logins/saml.pem"),
                ], to: &$0)
        }
        do {
            let count = surroundings.amount(1000, rehearsal: 5)
            let boxes = try await server.createCodes(3 * count + 96, in: "\(surroundings.folder)/logins")
            _ = try await self.signIn(boxes.suffix(32), server)
            let (alone, cost) = try await self.costs(boxes[..<count], server)
            _ = try await self.signIn(boxes.suffix(64).prefix(32), server, withSAML: true)
            let (bySAML, costOfSAML) = try await self.costs(
                boxes[(2 * count)..<(3 * count)], server, withSAML: true)
            // Viewers who try the silent one all the while.
            let stuck = Task {
                for box in boxes[(3 * count)..<(3 * count + 32)] where !Task.isCancelled {
                    _ = try? await self.leave(Phone(), box, server, to: Self.silent)
                }
            }
            let together = try await self.signIn(boxes[count..<(2 * count)], server)
            stuck.cancel()
            await server.stop()
            talk(
                "\(count) sign-ins, median \(alone.median.rounded(places: 1)) ms; beside a silent provider "
                    + "\(together.median.rounded(places: 1)) ms; with SAML \(bySAML.median.rounded(places: 1)) ms")
            return [cost, costOfSAML, together.percentile(0.99) / alone.percentile(0.99)]
        } catch {
            await server.stop()
            throw error
        }
    }

    /// - Returns: milliseconds, for each box; and of the server's processor time, for each.
    private func costs(
        _ boxes: ArraySlice<BenchServer.Box>, _ server: BenchServer, withSAML isSAML: Bool = false
    ) async throws -> (times: [Double], processor: Double) {
        let before = try ProcessFacts.processorTime(of: server.running.pid)
        let times = try await self.signIn(boxes, server, withSAML: isSAML)
        let used = try ProcessFacts.processorTime(of: server.running.pid) - before
        return (times, used * 1000 / Double(boxes.count))
    }

    /// - Returns: milliseconds, for each box.
    private func signIn(
        _ boxes: ArraySlice<BenchServer.Box>, _ server: BenchServer, withSAML isSAML: Bool = false
    ) async throws -> [Double] {
        var times: [Double] = []
        for box in boxes {
            let begun = ContinuousClock.now
            let phone = Phone()
            let away = try await self.leave(phone, box, server, to: isSAML ? Self.saml : Self.id)
            let question: Phone.Page
            if isSAML {
                let answer = try await phone.open(away)
                guard let form = answer.form(having: "SAMLResponse")
                else { throw NotMeasured(description: "the provider does not answer: \(answer.summary)") }
                question = try await phone.submit(form, of: answer)
            } else {
                question = try await phone.open(
                    try StubProvider.answer(to: away, at: "\(server.url)/sp/login/\(Self.id)"))
            }
            _ = try await phone.decide(.confirm, on: question)
            times.append(ContinuousClock.now.milliseconds(since: begun))
        }
        return times
    }

    /// Walks to the page that leads to the provider.
    private func leave(
        _ phone: Phone, _ box: BenchServer.Box, _ server: BenchServer, to provider: String
    ) async throws -> String {
        try await phone.walkToProvider(
            from: "\(server.url)/activate?code=\(box.code)",
            as: Viewer(account: "", password: "", provider: provider))
    }
}

/// The start of a server with many TV providers, none of which answers.
struct ProviderStart: Measurement {
    let figures = [
        Figure(
            name: "providers-start", unit: "s", goal: .atMost(1),
            meaning: "from the start of a server with 200 providers that answer nothing to its first answer")
    ]

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let gate = Gate()
        let quiet = try StubProvider(gate: gate)
        defer { for _ in 0..<10_000 { gate.open() } }
        let providers = (0..<200).map { StubProvider.settings("TV\($0)", at: "\(quiet.url)/\($0)") }
        let demo = try await DemoFolder.make(surroundings.programs, in: "\(surroundings.folder)/many") {
            DemoFolder.add(providers, to: &$0)
        }
        var times: [Double] = []
        for _ in 0..<surroundings.amount(5, rehearsal: 1) {
            let begun = ContinuousClock.now
            let server = try await RunningServer.start(demo, surroundings.programs)
            let ready = try await server.get("/readyz")
            times.append(ContinuousClock.now.milliseconds(since: begun) / 1000)
            await server.stop()
            guard ready.status == 200 else { throw NotMeasured(description: "it was not ready: \(ready.status)") }
        }
        return [times.median]
    }
}
