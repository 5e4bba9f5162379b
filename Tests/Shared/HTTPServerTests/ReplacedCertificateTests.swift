import HTTPServer
import TestSupport
import Testing

@Suite("A replaced certificate", .timeLimit(.minutes(5)))
struct ReplacedCertificateTests {
    @Test("is used by new connections, while open ones live on; one that cannot be used changes nothing")
    func replaced() async throws {
        let (old, new) = (try TemporaryFolder(), try TemporaryFolder())
        let tls = try await SecureClient.makeCertificate(old, name: "old")
        let replacement = try await SecureClient.makeCertificate(new, name: "new")
        let inbox = Inbox<HeldReply>()
        try await TestServer.with(HeldReplyTests.router(inbox), configure: { $0.tls = tls }) { server in
            #expect(try await Self.subject(server, new) == "old")
            async let open = SecureClient.fetch("/held", server, old)
            let reply = try await inbox.nextHeld()
            try server.server.replaceTLS(replacement)
            for _ in 0..<4 { #expect(try await Self.subject(server, new) == "new") }
            reply.complete(.text("lived on"))
            #expect(try await open.hasSuffix("lived on"))

            let mixed = HTTPServerConfiguration.TLS(certificatePEM: tls.certificatePEM, keyPEM: replacement.keyPEM)
            let cut = HTTPServerConfiguration.TLS(
                certificatePEM: String(tls.certificatePEM.dropLast(200)), keyPEM: tls.keyPEM)
            for broken in [mixed, cut] {
                #expect(throws: HTTPServerError.self) { try server.server.replaceTLS(broken) }
                #expect(try await Self.subject(server, new) == "new")
            }
            for _ in 0..<20 { try server.server.replaceTLS(tls) }
            #expect(try await Self.subject(server, new) == "old")
        }
    }

    @Test("ends the sessions that clients resume, which cost no signature until then")
    func resumed() async throws {
        let folder = try TemporaryFolder()
        let tls = try await SecureClient.makeCertificate(folder)
        let request = try folder.write("GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", to: "request")
        try await TestServer.with(Router(), configure: { $0.tls = tls }) { server in
            func handshake(_ option: String) async throws -> String {
                let words = ["s_client", "-connect", server.address.description, "-ign_eof", option]
                let arguments = words + [folder.file("session")]
                return try await Command.run("openssl", arguments, input: request)
            }
            #expect(try await handshake("-sess_out").contains("New, TLSv1.3"))
            #expect(try await handshake("-sess_in").contains("Reused, TLSv1.3"))
            try server.server.replaceTLS(tls)
            #expect(try await handshake("-sess_in").contains("New, TLSv1.3"))
        }
    }

    @Test(arguments: [
        ("-tls1_3", "rsa_pss_rsae_sha256", "SHA256", "RSA-PSS"),
        ("-tls1_3", "rsa_pss_rsae_sha384", "SHA384", "RSA-PSS"),
        ("-tls1_2", "rsa_pss_rsae_sha512", "SHA512", "RSA-PSS"), ("-tls1_2", "RSA+SHA384", "SHA384", "RSA"),
        ("-tls1_3", "ecdsa_secp256r1_sha256", "SHA256", "ECDSA"),
    ])
    func `signs as the client asks for it`(
        _ version: String, _ algorithm: String, _ digest: String, _ kind: String
    ) async throws {
        let folder = try TemporaryFolder()
        let key = kind == "ECDSA" ? ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"] : ["rsa:2048"]
        let tls = try await SecureClient.makeCertificate(folder, key: key)
        try await TestServer.with(Router(), configure: { $0.tls = tls }) { server in
            // With TLS 1.2 it would rather have its key transported, which is not done. The certificate itself is signed with
            // one of the last two.
            let wish = [version, "-cipher", "kRSA:ECDHE", "-sigalgs", "\(algorithm):RSA+SHA1:RSA+SHA256"]
            let arguments = ["s_client", "-connect", server.address.description]
            let text = try await Command.run("openssl", arguments + wish)
            #expect(text.contains("Peer signing digest: \(digest)\n"))
            #expect(text.contains("Peer signature type: \(kind)\n"))
        }
    }

    @Test func `is looked at beforehand: whether it can be used, and for which host it is`() async throws {
        let tls = try await SecureClient.makeCertificate(try TemporaryFolder(), name: "tv.example")
        let other = try await SecureClient.makeCertificate(try TemporaryFolder(), name: "*.other.example")
        #expect(tls.fault == nil)
        #expect(tls.covers(host: "tv.example") == true)
        #expect(tls.covers(host: "www.tv.example") == false)
        #expect(other.covers(host: "tv.other.example") == true)
        let mixed = HTTPServerConfiguration.TLS(certificatePEM: tls.certificatePEM, keyPEM: other.keyPEM)
        #expect(mixed.fault == "one of the two is damaged, or they do not belong together")
        let text = HTTPServerConfiguration.TLS(certificatePEM: "x", keyPEM: tls.keyPEM)
        #expect(text.fault == "the certificate's file has no PEM text in it")
        #expect(text.covers(host: "tv.example") == nil)
    }

    /// The name in the certificate that a new connection gets.
    private static func subject(_ server: TestServer, _ folder: TemporaryFolder) async throws -> String? {
        let arguments = ["s_client", "-connect", server.address.description]
        let text = try await Command.run("openssl", arguments)
        let line = text.split(separator: "\n").first { $0.hasPrefix("subject=") }
        return line?.split(separator: " ").last.map(String.init)
    }
}
