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
        for member in object.members(in: .json) {
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
            self.write(member.name, to: &output)
            output.append(UInt8(ascii: ":"))
            self.write(member.value, to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }

    private static func write(_ value: WireValue, to output: inout [UInt8]) {
        switch value {
        case .string(let text): self.write(text, to: &output)
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

    private static func write(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                output.append(UInt8(ascii: "\\"))
                output.append(byte)
            case UInt8(ascii: "\n"): output.append(contentsOf: "\\n".utf8)
            case UInt8(ascii: "\r"): output.append(contentsOf: "\\r".utf8)
            case UInt8(ascii: "\t"): output.append(contentsOf: "\\t".utf8)
            case 0x00..<0x20:
                output.append(contentsOf: byte < 0x10 ? "\\u000".utf8 : "\\u001".utf8)
                output.append(contentsOf: String(byte & 0x0F, radix: 16).utf8)
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }
}
