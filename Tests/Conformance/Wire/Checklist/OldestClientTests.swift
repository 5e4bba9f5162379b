import RealPrograms
import TestSupport
import Testing

extension Checklist {
    @Suite("A client in the style of the oldest", .needsOwnService)
    struct OldestClientTests {
        /// POSIX shell, curl and openssl.
        private static let script = ProjectFolder.file("Tests/Conformance/OldestClient/oldest-client.sh")

        @Test("pairs, is authorized, gets a token that verifies, and logs out twice, with one header all the way")
        func wholeLife() async throws {
            let profile = own.service.profile
            let folder = try TemporaryFolder()
            let verify =
                "'\(ProgramFolder.own.server)' verify-media-token --config '\(own.demo.serverConfiguration)' "
                + "--channel '\(profile.resource)'"
            let client = try ChildProcess(
                "sh", [Self.script, own.service.url, folder.path],
                environment: [
                    "REQUESTOR": profile.requestor, "PUBLIC_KEY": profile.keyPair.publicKey,
                    "PRIVATE_KEY": profile.keyPair.privateKey, "RESOURCE": profile.resource, "MVPD": profile.mvpd,
                    "DOMAIN": profile.domain, "ACCOUNT": profile.account.account,
                    "PASSWORD": profile.account.password, "VERIFY": verify,
                    "REDIRECT_URL": "https://www.\(profile.domain)/done?from=tv&next=/home",
                ])
            let (end, output, talk) = await client.run()
            try #require(end == .exited(0), "\(talk)\(output)")
            let verdict = try JSON(parsing: output)
            #expect(verdict["result"] == "VALID_TOKEN")
            #expect(verdict["requestor"] == .text(profile.requestor) && verdict["provider"] == .text(profile.mvpd))
        }
    }
}
