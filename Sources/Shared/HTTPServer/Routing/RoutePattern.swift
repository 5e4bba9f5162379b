/// A path with variables: `/reggie/v1/{requestor}/regcode/{code}`.
struct RoutePattern: Sendable {
    enum Segment: Hashable, Sendable {
        case fixed([UInt8])
        case variable(String)
    }

    let segments: [Segment]

    /// A segment in braces is a variable; every other is compared byte for byte with the decoded segment of a path.
    init(_ text: String) {
        precondition(text.hasPrefix("/"), "A route pattern starts with a slash")
        precondition(!text.utf8.contains(UInt8(ascii: "%")), "A route pattern is written decoded")
        self.segments = text.split(separator: "/").map { segment in
            if segment.hasPrefix("{"), segment.hasSuffix("}"), segment.utf8.count > 2 {
                .variable(String(segment.dropFirst().dropLast()))
            } else {
                .fixed(Array(segment.utf8))
            }
        }
    }

    /// Which segment of the path the variable stands for.
    func position(ofVariable name: String) -> Int? {
        self.segments.firstIndex(of: .variable(name))
    }
}
