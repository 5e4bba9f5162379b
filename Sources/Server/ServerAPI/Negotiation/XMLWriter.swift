import Clientless

/// Writes XML 1.0 on one line. Characters XML forbids are dropped: there is no way to write them.
enum XMLWriter {
    private static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>"

    static func bytes(of document: WireDocument) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(512)
        output.append(contentsOf: self.declaration.utf8)
        var attributes = document.object.attributes
        var name = document.root.local
        if let namespace = document.root.namespace {
            name = "\(namespace.prefix):\(name)"
            attributes.insert(.init("xmlns:\(namespace.prefix)", namespace.uri), at: 0)
        }
        self.write(name, attributes, document.object, to: &output)
        return output
    }

    private static func write(
        _ name: String, _ attributes: [WireObject.Attribute], _ object: WireObject, to output: inout [UInt8]
    ) {
        output.append(UInt8(ascii: "<"))
        output.append(contentsOf: name.utf8)
        for attribute in attributes {
            output.append(UInt8(ascii: " "))
            output.append(contentsOf: attribute.name.utf8)
            output.append(contentsOf: "=\"".utf8)
            XMLText.append(attribute.value, in: .attribute, to: &output)
            output.append(UInt8(ascii: "\""))
        }
        let start = output.count
        output.append(UInt8(ascii: ">"))
        for member in object.membersOfXML { self.write(member.name, member.value, to: &output) }
        self.close(name, openedAt: start, to: &output)
    }

    private static func write(_ name: String, _ value: WireValue, to output: inout [UInt8]) {
        switch value {
        case .null: break
        case .array(let values): for value in values { self.write(name, value, to: &output) }
        case .object(let object): self.write(name, object.attributes, object, to: &output)
        case .string(let text): self.write(name, text: text, to: &output)
        case .integer(let number): self.write(name, text: String(number), to: &output)
        case .bool(let flag): self.write(name, text: flag ? "true" : "false", to: &output)
        }
    }

    private static func write(_ name: String, text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "<"))
        output.append(contentsOf: name.utf8)
        let start = output.count
        output.append(UInt8(ascii: ">"))
        XMLText.append(text, in: .content, to: &output)
        self.close(name, openedAt: start, to: &output)
    }

    /// Ends the element whose start tag's `>` stands at `start`; an element without content becomes `<name/>`.
    private static func close(_ name: String, openedAt start: Int, to output: inout [UInt8]) {
        if output.count == start + 1 {
            output[start] = UInt8(ascii: "/")
            output.append(UInt8(ascii: ">"))
        } else {
            output.append(contentsOf: "</".utf8)
            output.append(contentsOf: name.utf8)
            output.append(UInt8(ascii: ">"))
        }
    }
}
