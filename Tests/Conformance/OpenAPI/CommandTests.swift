import CommandLineTool
import RealPrograms
import ServerAPI
import Testing
import latchkeyd

@Suite("latchkeyd openapi")
struct CommandTests {
    @Test func `prints the description, for no server in particular`() async throws {
        let run = try await Run.command("openapi")
        #expect(run.code == .success)
        #expect(run.output == APIDescription.text(version: ServerProgram.version) + "\n")
        #expect(run.talk == "")
        #expect(try JSON(parsing: run.output)["servers"]?.list.first?["url"]?.text == "/")
    }

    @Test("names the server it is told, without a slash at its end", arguments: ["", "/"])
    func server(ending: String) async throws {
        let run = try await Run.command("openapi", "--server", "https://tv.example:8443" + ending)
        #expect(run.code == .success)
        #expect(try JSON(parsing: run.output)["servers"]?.list.first?["url"]?.text == "https://tv.example:8443")
    }

    @Test("takes no server with a path, or without a scheme", arguments: ["https://tv.example/api", "tv.example", "x"])
    func faulty(server: String) async throws {
        let run = try await Run.command("openapi", "--server", server)
        #expect(run.code == .usage)
        #expect(run.output == "")
        #expect(run.talk.contains("--server takes"))
    }
}
