import FoundationEssentials
import HTTPServer
import RealPrograms
import TestSupport
import Testing

@testable import latchkey

@Suite("The description of the agent's API")
struct DescriptionTests {
    @Test func `is the file that ships`() throws {
        let file = ProjectFolder.file("deploy/contracts/agent.openapi.json")
        let shipped = try String(contentsOfFile: file, encoding: .utf8)
        #expect(
            AgentDescription.text == shipped,
            "'latchkey agent --openapi' makes it")
    }

    @Test func `names every call once, and a schema that is there for each body and answer`() throws {
        let json = try JSON(parsing: AgentDescription.text)
        var operations: [String] = []
        for endpoint in AgentDescription.endpoints {
            let operation = json["paths"]?[endpoint.path]?[endpoint.method.text.lowercased()]
            operations.append(try #require(operation?["operationId"]?.text))
            for variable in endpoint.path.split(separator: "/") where variable.hasPrefix("{") {
                #expect(endpoint.parameters.contains { "{\($0.name)}" == variable && $0.place == .path })
            }
            for name in [endpoint.body] + endpoint.answers.map(\.schema) {
                if let name { #expect(json["components"]?["schemas"]?[name] != nil, "\(name)") }
            }
        }
        #expect(Set(operations).count == 20 && operations.count == 20)
    }
}
