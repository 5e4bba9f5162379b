import Clientless
import CommandLineTool
import Cryptography
import Entitlement
import Glibc
import TestSupport
import Testing

@testable import latchkeyd

@Suite("The files of a TV provider")
struct ProviderFileTests {
    /// A further kind, as small as it can be.
    private struct SecretKind: ProviderKind {
        static let name = "secret"
        static let explanation = "with a secret"
        let files: [ProviderFile]

        static func read(_ provider: SettingsSection, isChosen: Bool) -> SecretKind? { nil }
        func answering(for mvpd: MVPDID) -> AnsweringProvider { .trial(TrialRules(lifetime: .seconds(1))) }
    }

    private static let mvpd = MVPDID("CableNova")!

    private func files(_ isSecret: Bool = true, limit: Int = 64) -> ProviderFiles {
        let file = ProviderFile(setting: "clientSecret", name: "secret", isSecret: isSecret, limit: limit)
        return ProviderFiles([Self.mvpd: SecretKind(files: [file])]) { "providers \($0), \($1 ?? "")" }
    }

    @Test func `are read by setting, and none of another provider`() async throws {
        let folder = try TemporaryFolder()
        try PrivateFiles.create(folder.file("secret"), Secret("hush"))
        let read = try self.files().contents(of: Self.mvpd) { folder.file($0) }
        #expect(read.keys.sorted() == ["clientSecret"])
        #expect(read["clientSecret"]?.withBytes { $0 == Array("hush".utf8) } == true)
        #expect(self.files().secretNames == ["secret"] && self.files().names.isEmpty)
        #expect(try self.files().contents(of: MVPDID("Other")!) { $0 }.isEmpty)
        #expect(self.files().faults { folder.file($0) } == [])
    }

    @Test("are at fault when they are missing, too long, or secret and open to others")
    func faults() async throws {
        let folder = try TemporaryFolder()
        func faults(_ files: ProviderFiles) -> [String] { files.faults { folder.file($0) } }
        // The name may be the secret itself, which is not told again.
        let missing = try #require(faults(self.files()).first)
        #expect(missing.contains("not take the secret itself") && !missing.contains(folder.file("secret")))
        try PrivateFiles.create(folder.file("secret"), Secret("hush"))
        #expect(faults(self.files(limit: 3)).count == 1)
        let changed = unsafe chmod(folder.file("secret"), 0o644)
        #expect(changed == 0)
        let sentence = try #require(faults(self.files()).first)
        #expect(sentence.hasPrefix("providers CableNova, clientSecret: ") && !sentence.contains("hush"))
        #expect(faults(self.files(false)) == [])
    }
}
