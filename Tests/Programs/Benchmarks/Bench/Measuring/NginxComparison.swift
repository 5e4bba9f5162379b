import RealPrograms
import TestSupport

/// Polls of a server of ours against nginx that answers as many bytes without looking.
struct NginxComparison: Sendable {
    let server: BenchServer
    /// What both are asked; every answer of ours is a 403.
    let script: String
    /// For whoever watches.
    let name: String

    /// - Returns: the medians of the ratios of their rates, and of their processor times for a request.
    func run(_ surroundings: Surroundings, in folder: String) async throws -> (rate: Double, processorTime: Double) {
        var ours = LoadGenerator(script: self.script, url: self.server.url, seconds: 1)
        ours.server = self.server.running.pid
        let answer = try await ours.run()
        guard answer.otherThanSuccess == answer.requests else {
            throw NotMeasured(description: "some polls that nobody has signed in for were not answered 403")
        }
        let nginx = try await self.nginx(answering: answer.bytesPerAnswer, surroundings, in: folder)
        return try await ending({ await nginx.stop() }) {
            var theirs = LoadGenerator(script: self.script, url: nginx.url, seconds: 1)
            theirs.server = nginx.pid
            return try await PairedRuns(of: ours, named: self.name, against: theirs, named: "nginx")
                .medianRatios(surroundings)
        }
    }

    /// nginx whose answers, head and body, have `size` bytes.
    private func nginx(
        answering size: Double, _ surroundings: Surroundings, in folder: String
    ) async throws -> NginxUnderTest {
        var length = 32
        for _ in 0..<3 {
            let body = String(repeating: "x", count: max(length, 0))
            let nginx = try await NginxUnderTest.start(
                surroundings.nginx, answering: body, with: self.server.running.demo, in: "\(folder)/nginx")
            let outcome = try await LoadGenerator(script: self.script, url: nginx.url, seconds: 1).run()
            guard abs(outcome.bytesPerAnswer - size) >= 1.5 else { return nginx }
            await nginx.stop()
            length += Int((size - outcome.bytesPerAnswer).rounded())
        }
        throw NotMeasured(description: "nginx's answers could not be made as long as ours")
    }
}
