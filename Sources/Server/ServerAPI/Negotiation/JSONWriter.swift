import TextCoding

/// Writes JSON (RFC 8259) without white space, members in their order.
enum JSONWriter {
    static func bytes(of object: WireObject) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(256)
        self.write(object, to: &output)
        return output
    }

    static func bytes(of value: WireValue) -> [UInt8] {
        var output: [UInt8] = []
        self.write(value, to: &output)
        return output
    }

    private static func write(_ object: WireObject, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        var isFirst = true
        for member in object.members where member.only != .xml {
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
            JSONText.append(member.name, to: &output)
            output.append(UInt8(ascii: ":"))
            self.write(member.value, to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }

    private static func write(_ value: WireValue, to output: inout [UInt8]) {
        switch value {
        case .string(let text): JSONText.append(text, to: &output)
        case .integer(let number): output.append(contentsOf: String(number).utf8)
        case .bool(let flag): output.append(contentsOf: (flag ? "true" : "false").utf8)
        case .null: output.append(contentsOf: "null".utf8)
        case .array(let values):
            output.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                self.write(value, to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let object): self.write(object, to: &output)
        }
    }
}
