import Clientless

/// Writes XML 1.0 on one line. Characters XML forbids are dropped: there is no way to write them.
enum XMLWriter {
    static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>"

    /// - Parameter members: of the root element. One whose name begins with `@` is an attribute of its element, and `null` is
    ///   left out. A list repeats its element.
    static func bytes(of members: [JSONValue.Member], in root: XMLName) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(512)
        output.append(contentsOf: self.declaration.utf8)
        guard let namespace = root.namespace else {
            self.write(root.local, members, to: &output)
            return output
        }
        let declared = JSONValue.Member("@xmlns:\(namespace.prefix)", .string(namespace.uri))
        self.write("\(namespace.prefix):\(root.local)", [declared] + members, to: &output)
        return output
    }

    private static func write(_ name: String, _ members: [JSONValue.Member], to output: inout [UInt8]) {
        output.append(UInt8(ascii: "<"))
        output.append(contentsOf: name.utf8)
        for member in members {
            guard self.isAttribute(member), case .string(let value) = member.value else { continue }
            output.append(UInt8(ascii: " "))
            output.append(contentsOf: member.name.utf8.dropFirst())
            output.append(contentsOf: "=\"".utf8)
            XMLText.append(value, in: .attribute, to: &output)
            output.append(UInt8(ascii: "\""))
        }
        let start = output.count
        output.append(UInt8(ascii: ">"))
        for member in members where !self.isAttribute(member) { self.write(member.name, member.value, to: &output) }
        self.close(name, openedAt: start, to: &output)
    }

    private static func isAttribute(_ member: JSONValue.Member) -> Bool {
        member.name.utf8.first == UInt8(ascii: "@")
    }

    /// Writes an element; of a list, one for each item.
    static func write(_ name: String, _ value: JSONValue, to output: inout [UInt8]) {
        switch value {
        case .null: break
        case .array(let values): for value in values { self.write(name, value, to: &output) }
        case .object(let members): self.write(name, members, to: &output)
        case .string(let text): self.write(name, text: text, to: &output)
        case .integer(let number): self.write(name, text: String(number), to: &output)
        case .double, .boolean: self.write(name, text: value.text, to: &output)
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
            output.append(UInt8(ascii: "<"))
            output.append(UInt8(ascii: "/"))
            output.append(contentsOf: name.utf8)
            output.append(UInt8(ascii: ">"))
        }
    }
}
