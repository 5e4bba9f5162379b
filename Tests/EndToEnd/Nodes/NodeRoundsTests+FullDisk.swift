import HTTPClient
import PostgresServer
import RealPrograms
import TestSupport
import Testing

extension NodeRoundsTests {
    @Test(
        "No promise is broken when the primary's disk is full, and all goes on by itself when it is not",
        .enabled(if: SmallFileSystem.isAvailable, "a file system of the test's own takes root"))
    func fullDisk() async throws {
        let pair = try await PostgresPair.start(disk: 400)
        try await NodeStage.with(pair) { stage in
            for round in 1...NodeRounds.count {
                let hadEnded = try await stage.round(round, after: 30) {
                    await pair.fillDisk()
                    // What is left of the pages and of the log is used up first.
                    var number = 0
                    try await eventually("a code that cannot be kept", within: .seconds(120)) {
                        number += 1
                        let answer = try await stage.fleet.calls(0).call(
                            .post, BoxCalls.codes, form: "deviceId=full-\(round)-\(number)")
                        return answer.status == 503 ? () : nil
                    }
                    let hadEnded = try await pair.freeDisk()
                    try await stage.fleet.waitUntilReady()
                    return hadEnded
                }
                let broken = try await stage.broken(ofLast: nil)
                #expect(broken.isEmpty, "round \(round): \(broken.prefix(5))")
                print("round \(round): PostgreSQL \(hadEnded ? "had ended" : "went on"); \(stage.findings.summary)")
            }
        }
    }
}
