import RealPrograms
import TestSupport

extension RunningServer {
    /// Stops it. Whatever a test sent, the operator must not have been told of a fault, nor by a caller's own words.
    func stopWithoutFault() async throws {
        let end = await self.stop()
        let log = await self.log()
        let isForged = log.split(separator: "\n").contains { $0.contains(#/^\W*X-Injected/#) }
        guard end == .exited(0), !log.contains(" error "), !isForged else {
            throw GaveUp(description: "the server ended with \(end) and said:\n\(log)")
        }
    }
}

extension RunningService {
    func stopWithoutFault() async throws {
        await self.stop()
        for server in self.servers { try await server.stopWithoutFault() }
    }
}
