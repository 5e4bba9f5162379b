/// Lays compact JSON out in lines, for people and for tools that compare lines.
enum JSONLayout {
    /// The same JSON with two spaces for each level, one member or element a line.
    /// - Parameter json: without white space between its tokens.
    static func indented(_ json: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(json.count * 2)
        var depth = 0
        var isText = false
        var previous: UInt8 = 0
        for (index, byte) in json.enumerated() {
            if isText {
                output.append(byte)
                isText = byte != UInt8(ascii: "\"") || previous == UInt8(ascii: "\\")
                // The second of two backslashes escapes nothing.
                previous = byte == previous && byte == UInt8(ascii: "\\") ? 0 : byte
                continue
            }
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                output.append(byte)
                let next = index + 1 < json.count ? json[index + 1] : 0
                if next != UInt8(ascii: "}"), next != UInt8(ascii: "]") {
                    depth += 1
                    self.startLine(depth, &output)
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if let last = output.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") {
                    depth -= 1
                    self.startLine(depth, &output)
                }
                output.append(byte)
            case UInt8(ascii: ","):
                output.append(byte)
                self.startLine(depth, &output)
            case UInt8(ascii: ":"): output += [byte, UInt8(ascii: " ")]
            default:
                output.append(byte)
                isText = byte == UInt8(ascii: "\"")
            }
            previous = byte
        }
        return output
    }

    private static func startLine(_ depth: Int, _ output: inout [UInt8]) {
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }
}
