import Testing
import latchkeyd

@Suite("The actor of a command")
struct CommandActorTests {
    private func text(_ number: Int, _ name: String?, _ environment: [String: String] = [:]) -> String {
        CommandActor.text(of: number, name, environment: environment)
    }

    @Test func `is the user of the machine, by number and name`() {
        #expect(self.text(1000, "anna") == "1000:anna")
        #expect(self.text(4711, nil) == "4711")
        #expect(self.text(0, "root") == "0:root")
    }

    @Test func `is behind sudo the one who called it, and nobody else may say so`() {
        let environment = ["SUDO_UID": "1000", "SUDO_USER": "anna"]
        #expect(self.text(0, "root", environment) == "1000:anna (sudo)")
        #expect(self.text(1001, "ben", environment) == "1001:ben")
        #expect(self.text(0, "root", ["SUDO_UID": "0", "SUDO_USER": "root"]) == "0:root")
        #expect(self.text(0, "root", ["SUDO_USER": "anna"]) == "0:root")
    }

    @Test(arguments: ["", "a b", "a\nb", "ä", String(repeating: "a", count: 65)])
    func `never brings a text that a log or a terminal would choke on`(_ name: String) {
        #expect(self.text(0, "root", ["SUDO_UID": "1000", "SUDO_USER": name]) == "1000 (sudo)")
    }
}
