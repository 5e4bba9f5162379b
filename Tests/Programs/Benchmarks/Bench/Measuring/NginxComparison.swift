import TestSupport

/// Polls of a server of ours against nginx that answers as many bytes without looking.
struct NginxComparison: Sendable {
    let server: BenchServer
    /// What both are asked; every answer of ours is a 403.
    let script: String
    /// For whoever watches.
    let name: String

    /// - Returns: the median of the ratios of their rates.
    func run(_ surroundings: Surroundings, in folder: String) async throws -> Double {
        let ours = LoadGenerator(script: self.script, url: self.server.url, seconds: 1)
        let answer = try await ours.run()
        guard answer.otherThanSuccess == answer.requests else {
            throw NotMeasured(description: "some polls that nobody has signed in for were not answered 403")
        }
        let nginx = try await Self.nginx(answering: answer.bytesPerAnswer, self.script, surroundings, in: folder)
        return try await ending({ await nginx.stop() }) {
            let theirs = LoadGenerator(script: self.script, url: nginx.url, seconds: 1)
            let ratio = try await PairedRuns(of: ours, named: self.name, against: theirs, named: "nginx")
                .medianRatio(surroundings)
            return ratio
        }
    }

    /// nginx whose answers, head and body, have `size` bytes.
    private static func nginx(
        answering size: Double, _ script: String, _ surroundings: Surroundings, in folder: String
    ) async throws -> NginxUnderTest {
        var length = 32
        for _ in 0..<3 {
            let body = String(repeating: "x", count: max(length, 0))
            let nginx = try await NginxUnderTest.start(surroundings.nginx, answering: body, in: "\(folder)/nginx")
            let outcome = try await LoadGenerator(script: script, url: nginx.url, seconds: 1).run()
            guard abs(outcome.bytesPerAnswer - size) >= 1.5 else { return nginx }
            await nginx.stop()
            length += Int((size - outcome.bytesPerAnswer).rounded())
        }
        throw NotMeasured(description: "nginx's answers could not be made as long as ours")
    }
}
