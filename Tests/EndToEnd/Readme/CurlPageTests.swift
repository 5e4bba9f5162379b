import FoundationEssentials
import RealPrograms
import TestSupport
import Testing

@Suite("The page for those who have only curl", .serialized, .timeLimit(.minutes(5)))
struct CurlPageTests {
    @Test func `leads from a key pair to a media token, as it is printed`() async throws {
        try await ReadmeScene.with { scene in
            let pair = try JSON(
                parsing: try await self.said(scene, "latchkeyd keys issue --requestor NORTHSPORT --json"))
            let (publicKey, privateKey) = (pair["publicKey"]?.text ?? "", pair["privateKey"]?.text ?? "")
            try await self.pairs(
                scene, values: "PUBLIC_KEY='\(publicKey)' PRIVATE_KEY='\(privateKey)'", first: ["two-helpers.sh"],
                asks: "-X DELETE -H \"$(signed DELETE /api/v1/logout)\" "
                    + "\"$SERVER/api/v1/logout?requestor=$REQUESTOR&deviceId=$DEVICE\"")
        }
    }

    @Test func `leads from a software statement to a media token, as it is printed`() async throws {
        try await ReadmeScene.with { scene in
            let application = try JSON(
                parsing: try await self.said(
                    scene,
                    "latchkeyd keys application issue --name Box --requestor NORTHSPORT --scope api:client:v1 --json"))
            try await self.pairs(
                scene, values: "STATEMENT='\(application["softwareStatement"]?.text ?? "")'",
                first: ["two-helpers.sh", "register.sh", "get-an-access-token.sh"],
                asks: "-H 'Content-Type: application/json' -d \"{\\\"software_statement\\\":\\\"$STATEMENT\\\"}\" "
                    + "\"$SERVER/o/client/register\"")
        }
    }

    private func said(_ scene: ReadmeScene, _ command: String) async throws -> String {
        let (end, output, talk) = try await scene.shell(command: command).run()
        try #require(end == .exited(0), "\(talk)")
        return output
    }

    /// Runs the blocks of the page one after the other in one shell, and plays the viewer once a code is shown.
    ///
    /// - Parameters:
    ///   - first: the blocks that come before the six calls.
    ///   - asks: the arguments of a call that the server refuses until it has followed the command that made the
    ///     credential.
    private func pairs(_ scene: ReadmeScene, values: String, first: [String], asks: String) async throws {
        let page = try await PrintedBlocks.of("deploy/clients/curl.md")
        #expect(page.names.count == 9)
        let calls = page.names.filter { $0.first?.isNumber == true }
        #expect(calls.count == 6)
        let script =
            try ["\(values) SERVER='\(scene.url)' REQUESTOR=NORTHSPORT CHANNEL='North Sport'", page.text(first[0])]
            + ["curl -fs -o /dev/null --retry 100 --retry-delay 1 --retry-all-errors \(asks)"]
            + (first.dropFirst() + calls).map { try page.text($0) }
        let process = try scene.shell(command: "set -eu\n" + script.joined(separator: "\n"))
        var lines: [String] = []
        for await line in process.outputLines {
            lines.append(line)
            guard let code = line.firstMatch(of: /and enter (\w{7})$/)?.output.1 else { continue }
            try await scene.confirm(String(code))
        }
        let output = lines.joined(separator: "\n")
        #expect(await process.waitForEnd() == .exited(0), "\(output)")
        #expect(lines.contains("The server says 200"), "\(output)")
        #expect(lines.last == "Signed out: 204", "\(output)")
        // A media token is the Base64 of a document that names its channel.
        let documents = lines.compactMap { Data(base64Encoded: $0) }.map { String(decoding: $0, as: UTF8.self) }
        #expect(documents.contains { $0.contains("North Sport") && $0.contains("signatureInfo") }, "\(output)")
    }
}
