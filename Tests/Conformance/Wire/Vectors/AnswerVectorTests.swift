import HTTPClient
import RealPrograms
import TestSupport
import Testing
import WireAnswers

extension PublishedVectors {
    @Suite("Answers (11–19)")
    struct AnswerVectorTests {
        private let box = Box(service)

        /// The answer of that name, for a box that may play the channel.
        private func answer(_ name: String, accept: String) async throws -> HTTPClient.Response {
            let profile = service.profile
            switch name {
            case "regcode":
                return try await Box(service).creation(
                    [
                        "mvpd": profile.mvpd, "deviceType": "settop", "deviceUser": "JD", "appId": "2345",
                        "appVersion": "2.0", "registrationURL": "https://\(profile.domain)/activate",
                    ], accept: accept)
            case "config":
                return try await service.send(.get, "/api/v1/config/\(profile.requestor)", headers: ["Accept": accept])
            case "preauthorize":
                return try await self.box.call(
                    name, ["resource": "\(profile.resource),\(profile.otherResource)"], accept: accept)
            default: return try await self.box.call(name, ["resource": profile.resource], accept: accept)
            }
        }

        @Test(
            "JSON has the members that are printed, of the types that are printed",
            arguments: try AnswerVectors.load().answers)
        func json(_ vector: AnswerVectors.Answer) async throws {
            try await self.box.authorize()
            let answer = try await self.answer(vector.name, accept: "application/json")
            // Not every provider knows anything about its viewers.
            if vector.name == "tokens/usermetadata", answer.status == 404 { return }
            #expect([200, 201].contains(answer.status), "\(answer.summary)")
            #expect(answer.headers["Content-Type"] == "application/json;charset=utf-8")
            let fault = Self.fault(in: try answer.json, printed: try JSON(parsing: vector.json), open: vector.more)
            #expect(fault == nil, "\(answer.summary)")
        }

        @Test("XML has the elements that are printed, in that order", arguments: try AnswerVectors.load().answers)
        func xml(_ vector: AnswerVectors.Answer) async throws {
            try await self.box.authorize()
            let answer = try await self.answer(vector.name, accept: "application/xml")
            if vector.name == "tokens/usermetadata", answer.status == 404 { return }
            #expect([200, 201].contains(answer.status), "\(answer.summary)")
            #expect(answer.headers["Content-Type"] == "application/xml;charset=utf-8")
            let declaration = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#
            #expect(answer.text.hasPrefix(declaration) && vector.xml.hasPrefix(declaration))
            // There is no canonical form for a name space that is no URI; the name itself is compared all the same.
            let texts = [answer.text, vector.xml].map { $0.replacing("=\"model.", with: "=\"urn:model.") }
            let read = try await CanonicalXML.read(texts.map { Array($0.utf8) })
            let fault = Self.fault(in: read[0], printed: read[1], open: vector.more)
            #expect(fault == nil, "\(answer.summary)")
            #expect(!answer.text.contains(#/>\s+</#), "no white space between elements")
        }

        /// What is different between the kinds of two values; `nil` when nothing is.
        private static func fault(in value: JSON, printed: JSON, open: String?, path: String = "$") -> String? {
            switch (value, printed) {
            case (.text, .text), (.number, .number), (.bool, .bool), (.null, .null): return nil
            case (.list(let values), .list(let printed)):
                guard let model = printed.first else { return values.isEmpty ? nil : "\(path) is not empty" }
                return values.lazy.compactMap { self.fault(in: $0, printed: model, open: open, path: path) }.first
            case (.object(let members), .object(let printed)):
                let isOpen = open.map { path.hasSuffix(".\($0)") } ?? false
                if !isOpen, let other = members.keys.first(where: { printed[$0] == nil }) {
                    return "\(path) has \(other)"
                }
                // Of user metadata only what was released is there.
                if isOpen, open == "data" { return nil }
                for (name, model) in printed {
                    guard let member = members[name] else { return "\(path) has no \(name)" }
                    if let fault = self.fault(in: member, printed: model, open: open, path: "\(path).\(name)") {
                        return fault
                    }
                }
                return nil
            default: return "\(path) is \(value), not like \(printed)"
            }
        }

        /// What is different between the names and the order of two elements; `nil` when nothing is.
        private static func fault(
            in element: CanonicalXML.Element, printed: CanonicalXML.Element, open: String?
        ) -> String? {
            guard element.name == printed.name, element.attributes == printed.attributes else {
                return "\(element.name) \(element.attributes) in place of \(printed.name) \(printed.attributes)"
            }
            let (names, printedNames) = (self.distinct(element), self.distinct(printed))
            if element.name == open, open == "data" { return nil }
            // Nothing has to be encrypted.
            if element.name == "encrypted", names.isEmpty { return nil }
            guard names == printedNames || element.name == open && names.starts(with: printedNames) else {
                return "\(element.name) has \(names) in place of \(printedNames)"
            }
            for child in element.children {
                // Every one of several, such as channels of a list, has to look like the first that is printed.
                guard let model = printed.children.first(where: { $0.name == child.name }) else { continue }
                if let fault = self.fault(in: child, printed: model, open: open) { return fault }
            }
            return nil
        }

        /// The names of the children, one for each run of the same name.
        private static func distinct(_ element: CanonicalXML.Element) -> [String] {
            element.children.map(\.name).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
        }

        @Test("Refusals are printed to the letter, and so they are sent", arguments: try RefusalVectors.load().refusals)
        func refusals(_ refusal: RefusalVectors.Refusal) async throws {
            let code = refusal.box == "signed in" ? try await self.box.signIn() : try await self.box.createCode()
            let path = "/api/v1/\(refusal.call.replacing("{code}", with: code))"
            let resource = query(["resource": service.profile.resource])
            let named = self.box.parameters(["resource": service.profile.resource])
            let target = "\(path)?\(refusal.box == "nameless" ? resource : named)"
            let declaration = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#
            for (type, body) in [("json", refusal.json), ("xml", refusal.xml.map { declaration + $0 })] {
                guard let body else { continue }
                var headers: HTTPClient.Headers = ["Accept": "application/\(type)"]
                if refusal.box != "unsigned" { headers["Authorization"] = service.signature("GET", path) }
                try await service.send(.get, target, headers: headers).expect(refusal.status, body)
            }
        }
    }
}
