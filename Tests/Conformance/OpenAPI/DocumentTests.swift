import RealPrograms
import ServerAPI
import Testing

@Suite("The description as a document")
struct DocumentTests {
    private let document: JSON

    init() throws {
        self.document = try JSON(parsing: APIDescription.text(server: "https://tv.example", version: "1.2.3"))
    }

    /// Every value of the document, with the names that lead to it.
    private func walk(_ value: JSON, at place: [String] = [], _ visit: ([String], JSON) -> Void) {
        visit(place, value)
        switch value {
        case .object(let members): for (name, member) in members { self.walk(member, at: place + [name], visit) }
        case .list(let values): for (index, item) in values.enumerated() { walk(item, at: place + ["\(index)"], visit) }
        case .null, .bool, .number, .text: break
        }
    }

    private func resolve(_ reference: String) -> JSON? {
        guard reference.hasPrefix("#/") else { return nil }
        return reference.dropFirst(2).split(separator: "/").reduce(Optional(self.document)) { value, name in
            value?[String(name)]
        }
    }

    @Test func `leads every reference to something, and refers to every component`() {
        var references: Set<String> = []
        var schemes: Set<String> = []
        self.walk(self.document) { place, value in
            if place.last == "$ref", let reference = value.text { references.insert(reference) }
            if place.count == 6, place[0] == "paths", place[3] == "security" { schemes.insert(place[5]) }
        }
        #expect(references.filter { self.resolve($0) == nil } == [])
        #expect(references.count > 50)
        for kind in ["responses", "parameters", "headers"] {
            for name in self.members(of: self.document["components"]?[kind]).keys {
                #expect(references.contains("#/components/\(kind)/\(name)"))
            }
        }
        #expect(schemes == Set(self.members(of: self.document["components"]?["securitySchemes"]).keys))
    }

    @Test func `declares the variables of every path, and nothing else as one`() {
        for (path, item) in self.members(of: self.document["paths"]) {
            let variables = path.split(separator: "/").filter { $0.hasPrefix("{") }
                .map { String($0.dropFirst().dropLast()) }
            for (method, operation) in self.members(of: item) {
                let parameters = (operation["parameters"]?.list ?? []).map { parameter in
                    parameter["$ref"]?.text.flatMap { self.resolve($0) } ?? parameter
                }
                let declared = parameters.filter { $0["in"]?.text == "path" }.compactMap { $0["name"]?.text }
                #expect(declared == variables, "\(method) \(path)")
                let names = parameters.map { "\($0["in"]?.text ?? "") \($0["name"]?.text ?? "")" }
                #expect(Set(names).count == names.count, "\(method) \(path)")
            }
        }
    }

    @Test func `names every operation once, and gives each at least one success, its caller and an example`() {
        var ids: [String] = []
        var (chapters, shown): ([String: Set<Substring>], [String: Set<Substring>]) = ([:], [:])
        for (path, item) in self.members(of: self.document["paths"]) {
            for (method, operation) in self.members(of: item) {
                ids.append(operation["operationId"]?.text ?? "")
                let statuses = self.members(of: operation["responses"]).keys
                #expect(statuses.contains { $0 < "400" }, "\(method) \(path)")
                #expect(operation["security"] != nil, "\(method) \(path)")
                let example = operation["description"]?.text?.split(separator: "```http\n").last ?? ""
                #expect(example.hasPrefix(method.uppercased() + " /"), "\(method) \(path) has no example")
                #expect(example.contains("\n\nHTTP/1.1 "), "\(method) \(path) has no answer")
                // Calls of other chapters with the same summary are answered in another way.
                let tag = operation["tags"]?.list.first?.text ?? ""
                chapters[tag, default: []].insert(path.split(separator: "/")[0])
                shown[tag, default: []].insert(example.split { "/ ?\n".contains($0) }.dropFirst().first ?? "")
            }
        }
        for (tag, shown) in shown { #expect(shown.isSubset(of: chapters[tag] ?? []), "\(tag)") }
        #expect(Set(ids).count == ids.count)
        #expect(ids.count == APIDescription.operations.count)
    }

    @Test func `requires of an object only members that it has`() {
        self.walk(self.document) { place, value in
            guard value["type"] == .text("object"), let required = value["required"]?.list, !required.isEmpty
            else { return }
            let names = Set(self.members(of: value["properties"]).keys)
            #expect(required.allSatisfy { names.contains($0.text ?? "") }, "\(place.joined(separator: "/"))")
        }
    }

    @Test func `is the same each time, in lines`() {
        let text = APIDescription.text(server: "https://tv.example", version: "1.2.3")
        #expect(text == APIDescription.text(server: "https://tv.example", version: "1.2.3"))
        #expect(text.hasPrefix("{\n  \"openapi\": \"3.1.0\",\n  \"info\": {\n"))
        #expect(text.utf8.count { $0 == UInt8(ascii: "\n") } > 5000)
        #expect(self.document["info"]?["version"]?.text == "1.2.3")
    }

    private func members(of value: JSON?) -> [String: JSON] {
        if case .object(let members) = value { members } else { [:] }
    }
}
