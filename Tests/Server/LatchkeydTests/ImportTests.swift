import CommandLineTool
import Cryptography
import Entitlement
import Providers
import ServerAPI
import TestSupport
import Testing

@Suite("Many viewers, and their channels", .demo, .timeLimit(.minutes(5)))
struct ImportTests {
    private func accounts() async throws -> [Account] { try await setUp.store { try await $0.accounts() } }

    @Test func `come from a table, with passwords or their hashes, once`() async throws {
        let file = try setUp.folder.write(
            "\u{FEFF}name,channels,password\r\nAnna,\"Demo One|Demo, Two\",correct horse\r\n\r\nben,*,\"a \"\"b\"\"\"\r\n",
            to: "viewers.csv")
        let run = try await setUp.run("user", "import", file)
        #expect(run.code == .success && run.talk.hasSuffix("\n2 viewers are added.\n"), "\(run.talk)")
        #expect(run.talk.hasPrefix("warning: a password of fewer than 8 characters"), "\(run.talk)")
        #expect(run.talk.contains("line 2: no viewer had 'Demo, Two' before, but some have 'Demo Two'"), "\(run.talk)")
        let accounts = try await self.accounts()
        #expect(accounts.map(\.name) == ["anna", "ben", "demo"])
        #expect(accounts[0].lineUp == ["Demo One", "Demo, Two"] && accounts[1].lineUp == ["*"])
        #expect(try PasswordHash(accounts[1].passwordHash)?.verify(Secret("a \"b\"")) == true)

        let hashed = try setUp.folder.write(
            "name,passwordHash\ncleo,\(accounts[0].passwordHash)\nanna,\(accounts[0].passwordHash)\n", to: "hashes.csv")
        try await setUp.run("user", "import", hashed).expect(
            .invalidData, talk: "Line 3: There is a viewer anna of DemoTV already")
        let wrong = try setUp.folder.write("name,password,channels\ndora,correct horse,North;South\n", to: "wrong.csv")
        try await setUp.run("user", "import", wrong).expect(
            .success, talk: "line 2: 'North;South' counts as one channel.")
        #expect(try await self.accounts().count == 4)
        // Also if viewers have it already.
        try await setUp.run("user", "channels", "add", "anna", "North;South").expect(
            .success, talk: "warning: 'North;South' counts as one channel.")
        let skipping = try await setUp.run("user", "import", hashed, "--skip-existing", "--json")
        #expect(skipping.output == #"{"added":1,"skipped":1}"# + "\n", "\(skipping.talk)")
        #expect(skipping.talk.contains("\n1 of them may play nothing yet: "), "\(skipping.talk)")
    }

    private static let hash = "$y$j9T$F5Jx5fExrKuPp53xLKQ..1$tnSYvahCwPBHKZUspmcxMfb0.WiB9W.zEaKlOBL35rC"

    @Test(arguments: [
        ("", "The table is empty."), ("name\nx\n", "Line 1: The first row has to name"),
        ("name,pasword\n", "Line 1: 'pasword' is no column, or is named twice. Perhaps password is meant."),
        ("zoe,secret secret\n", "Line 1: 'zoe' is no column, or is named twice. The first row names the columns: "),
        ("name;password\n", "'name;password' is no column, or is named twice. A comma is between two columns"),
        ("name,password,channels\nx,secret secret,A,B\n", "names 3. Several channels have | between them"),
        ("name,password,passwordHash\n", "Line 1: The first row has to name"),
        ("name,password\nx,secret secret\ny\n", "Line 3: The row has 1 values; the first row names 2."),
        ("name,password\nx,a\nX,b\n", "Line 3: The viewer x is there twice."),
        ("name,password\nx y,a\n", "Line 2: A name has 1 to 64 bytes"),
        ("name,password\nx,\n", "Line 2: A password has 1 to 128 bytes"),
        ("name,password\nx,\(hash)\n", "Line 2: The password is a hash; "),
        ("name,passwordHash\nx,5f4dcc3b\n", "Line 2: The passwordHash is no hash of yescrypt"),
        ("name,password\nx,\"a\n", "Line 2: A value begins with a quote that is never closed."),
        ("name,password\nx,\"a\"b\n", "Line 2: A quote is followed by neither"),
        ("name,password,channels\nx,a,*|News\n", "Line 2: The channel * is everything, and stands alone."),
    ])
    func `are refused whole, with the line, when one is not fit`(text: String, sentence: String) async throws {
        let file = try setUp.folder.write(text, to: "viewers.csv")
        try await setUp.run("user", "import", file).expect(.invalidData, talk: sentence)
        #expect(try await self.accounts().map(\.name) == ["demo"])
    }

    @Test func `get and lose channels without losing anything else`() async throws {
        let before = try await self.accounts()[0]
        let added = try await setUp.run("user", "channels", "add", "demo", "News", "Demo One", "News")
        #expect(added.talk == "demo of DemoTV may play Demo One, Demo Two, News.\n")
        let removed = try await setUp.run("user", "channels", "remove", "demo", "Demo One")
        #expect(removed.talk.hasPrefix("demo of DemoTV may play Demo Two, News.\nBoxes that already have a permit "))
        #expect(
            removed.talk.contains(/at most until 20[^.]+\. 'latchkeyd sign-ins end --viewer demo' ends it/),
            "\(removed.talk)")
        let after = try await self.accounts()[0]
        #expect(after.passwordHash == before.passwordHash && after.metadata == before.metadata && after.id == before.id)
        #expect(
            try await setUp.run("user", "channels", "add", "demo", "--every-channel").talk.hasSuffix("everything.\n"))
        try await setUp.run("user", "channels", "remove", "demo", "News").expect(
            .failure, talk: "The viewer may play everything")
        #expect(
            try await setUp.run("user", "channels", "remove", "demo", "--every-channel").talk.contains("nothing.\n"))
        #expect(try await setUp.run("user", "channels", "remove", "demo", "News").code == .failure)
        #expect(try await setUp.run("user", "channels", "add", "demo").code == .usage)
        let audit = try await setUp.run("audit", "--json").output
        #expect(audit.contains(#""action":"user.channels""#))
        for change in ["added News", "removed Demo One", "added every channel", "removed every channel"] {
            #expect(audit.contains(#""subject":"user DemoTV demo, \#(change)""#), "\(audit)")
        }
    }

    @Test("are written to tables that a spreadsheet reads back, and never takes for a formula")
    func rows() throws {
        let values = ["plain", "a,b", "a \"b\"", "two\r\nlines", "", "é"]
        let text = CSVText.row(values) + CSVText.row(["=1+1", "-2", "@x"])
        let rows = try CSVText.rows(of: text, limit: 10)
        #expect(rows.map(\.values) == [values, ["'=1+1", "'-2", "'@x"]])
        #expect(rows.map(\.line) == [1, 3])
        #expect(throws: CSVText.Fault.self) { try CSVText.rows(of: "a\nb\nc\n", limit: 2) }
    }
}
