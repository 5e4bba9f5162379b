import FoundationEssentials
import HTTPClient
import RealPrograms
import TestSupport

/// What one request of a stranger costs before it is refused: the worst of each kind of text that the server reads. A
/// stranger has a box's credential, because every box carries it.
struct StrangersRequest: Measurement {
    let figures = [
        Figure(
            name: "strangers-request", unit: "ms", goal: .atMost(5),
            meaning: "processor time of the server for the worst request of a stranger, over every kind of text"),
        Figure(
            name: "strangers-request-polls", unit: "ratio", goal: .atMost(200),
            meaning: "the same over the processor time of one signed poll of a pending code, measured in between"),
    ]

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let folder = "\(surroundings.folder)/strangers-request"
        let issuer = try await Issuer.make(in: "\(folder)/issuer")
        let server = try await BenchServer.start(surroundings, in: "\(folder)/server") { try issuer.board(&$0) }
        return try await ending({ await server.stop() }) {
            try await self.measure(server, issuer, surroundings, folder)
        }
    }

    private func measure(
        _ server: BenchServer, _ issuer: Issuer, _ surroundings: Surroundings, _ folder: String
    ) async throws -> [Double] {
        let box = try await server.createCodes(1, in: folder)[0]
        let poll = HostileRequests.Named(
            name: "a poll", request: HTTPClient.Request(.get, server.url + box.codePath),
            signedURI: withoutQuery(box.codePath))
        let client = HTTPClient()
        var polls: [Double] = []
        var worst = 0.0
        try await ending({ await client.shutDown() }) {
            for request in try HostileRequests(server: server, issuer: issuer).all {
                polls.append(
                    try await self.milliseconds(
                        poll, server, client, times: surroundings.amount(2000, rehearsal: 5)
                    ).cost)
                let (cost, status) = try await self.milliseconds(
                    request, server, client, times: surroundings.amount(100, rehearsal: 2))
                talk("\(request.name): \(cost.rounded(places: 2)) ms, answered \(status)")
                worst = max(worst, cost)
            }
        }
        talk("a signed poll: \(polls.median.rounded(places: 4)) ms")
        return [worst, polls.median > 0 ? worst / polls.median : 0]
    }

    /// Sends the request `times` times, one after the other.
    private func milliseconds(
        _ request: HostileRequests.Named, _ server: BenchServer, _ client: HTTPClient, times: Int
    ) async throws -> (cost: Double, status: Int) {
        // What is made once, such as connections and what a first use loads, is no cost of a request.
        var status = try await client.send(request.turn(0, server)).status
        let before = try ProcessFacts.processorTime(of: server.running.pid)
        for number in 1...times { status = try await client.send(request.turn(number, server)).status }
        let after = try ProcessFacts.processorTime(of: server.running.pid)
        return ((after - before) * 1000 / Double(times), status)
    }
}

/// An issuer of assertions that the server is told to trust, so that it reads what pretends to be from there.
struct Issuer: Sendable {
    static let name = "https://idp.bench.example/"

    let folder: String

    static func make(in folder: String) async throws -> Issuer {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let (end, _, talk) = try await ChildProcess(
            "openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "\(folder)/key.pem", "-out",
                "\(folder)/certificate.pem", "-subj", "/CN=bench", "-days", "2",
            ]
        ).run()
        guard end == .exited(0) else { throw NotMeasured(description: "openssl made no certificate: \(talk)") }
        let certificate = try String(contentsOfFile: "\(folder)/certificate.pem", encoding: .utf8)
            .split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        let metadata = """
            <EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="\(Self.name)">\
            <IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">\
            <KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data>\
            <X509Certificate>\(certificate)</X509Certificate></X509Data></KeyInfo></KeyDescriptor>\
            <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="\(Self.name)sso"/>\
            </IDPSSODescriptor></EntityDescriptor>
            """
        try Data(metadata.utf8).write(to: URL(filePath: "\(folder)/issuer.xml"))
        try Data("<AuthnRequest/>".utf8).write(to: URL(filePath: "\(folder)/request.xml"))
        return Issuer(folder: folder)
    }

    /// Has every integration of a configuration take the issuer's word.
    func board(_ configuration: inout JSON) throws {
        let platform: JSON = [
            "enabled": true, "status": "SUPPORTED", "profileRequest": .text("\(self.folder)/request.xml"),
            "issuerMetadata": .text("\(self.folder)/issuer.xml"),
        ]
        configuration["requestors"] = .list(
            (configuration["requestors"]?.list ?? []).map { requestor in
                var requestor = requestor
                requestor["integrations"] = .list(
                    (requestor["integrations"]?.list ?? []).map { integration in
                        var integration = integration
                        if integration["provider"]?.text == DemoFolder.provider { integration["platform"] = platform }
                        return integration
                    })
                return requestor
            })
    }
}
