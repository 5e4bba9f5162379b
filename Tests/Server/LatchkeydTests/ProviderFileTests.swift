import Clientless
import Cryptography
import Glibc
import TestSupport
import Testing

@testable import latchkeyd

@Suite("The files of a TV provider")
struct ProviderFileTests {
    private static let mvpd = MVPDID("CableNova")!

    private static func configuration(_ folder: TemporaryFolder, _ file: String) throws -> Configuration {
        let oidc = "issuer: 'https://idp.example', clientID: 'a', lineUp: ['*'], \(file): 'secret'"
        return try LatchkeydTests.configuration(
            configurationText(provider: "kind: 'oidc', oidc: { \(oidc) }"), folder: folder.path)
    }

    @Test func `are read by setting, and none of another provider`() async throws {
        let folder = try TemporaryFolder()
        try PrivateFiles.create(folder.file("secret"), Secret("hush"))
        let configuration = try Self.configuration(folder, "clientSecret")
        let read = try configuration.fileContents(of: Self.mvpd)
        #expect(read.keys.sorted() == ["oidc.clientSecret"])
        #expect(read["oidc.clientSecret"]?.withBytes { $0 == Array("hush".utf8) } == true)
        #expect(configuration.providerFiles.map(\.name) == ["secret"] && configuration.providerFiles[0].isSecret)
        #expect(try configuration.fileContents(of: MVPDID("Other")!).isEmpty)
        #expect(configuration.fileFaults(of: try #require(configuration.providers[Self.mvpd])) == [])
    }

    @Test("are at fault when they are missing, too long, or secret and open to others")
    func faults() async throws {
        let folder = try TemporaryFolder()
        func faults(_ file: String = "clientSecret") throws -> [String] {
            let configuration = try Self.configuration(folder, file)
            return configuration.fileFaults(of: try #require(configuration.providers[Self.mvpd]))
        }
        // The name may be the secret itself, which is not told again.
        let missing = try #require(try faults().first)
        #expect(missing.contains("not take the secret itself") && !missing.contains(folder.file("secret")))
        try PrivateFiles.create(folder.file("secret"), Secret(Array(repeating: UInt8(ascii: "x"), count: 65_537)))
        #expect(try faults().count == 1)
        try PrivateFiles.replace(folder.file("secret"), "hush")
        #expect(try faults() == [])
        #expect(unsafe chmod(folder.file("secret"), 0o644) == 0)
        let sentence = try #require(try faults().first)
        #expect(sentence.contains("oidc.clientSecret: ") && !sentence.contains("hush"))
        #expect(try faults("authorities") == [])
    }
}
