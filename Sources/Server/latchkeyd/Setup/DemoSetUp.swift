import CommandLineTool

/// The demo content that `latchkeyd init --demo` adds: a programmer with two brands, a TV provider with one viewer, and
/// credentials for the box program, all of it made up.
enum DemoSetUp {
    static let strictRequestor = "DEMO"
    static let compatibleRequestor = "DEMO-CLASSIC"
    static let provider = "DemoTV"
    /// A trial of ten minutes, for viewers without an account.
    static let freePreview = "FreePreview"
    static let account = "demo"
    static let lineUp = ["Demo One", "Demo Two"]
    static let otherChannel = "Demo Extra"

    /// One brand of each strictness; the strict one has errors with codes, which the other's old clients do not know.
    /// The demo has no throttle: a person who tries things out is in a hurry.
    static let settings: [String: JSON5Value] = [
        "calls": .object(["degradationCallsPerMinute": 0, "throttle": .object(["enabled": false])]),
        "providers": .list([
            .object(["id": .text(Self.provider), "name": "Demo TV", "kind": "local"]),
            .object([
                "id": .text(Self.freePreview), "name": "Free preview", "kind": "temporaryPass",
                "trial": .object(["lifetime": "10m"]),
            ]),
        ]),
        "requestors": .list([
            Self.requestor(Self.strictRequestor, "Demo Channel", ["strictness": "strict", "enhancedErrors": true]),
            Self.requestor(
                Self.compatibleRequestor, "Demo Classic", ["strictness": "compatible", "hidesDeviceID": true]),
        ]),
    ]

    private static func requestor(_ id: String, _ name: JSON5Value, _ more: [String: JSON5Value]) -> JSON5Value {
        let shared: [String: JSON5Value] = [
            "id": .text(id), "name": name, "domains": .list(["demo.example", "localhost"]),
            "integrations": .list([
                .object(["provider": .text(Self.provider)]), .object(["provider": .text(Self.freePreview)]),
            ]),
        ]
        return .object(shared.merging(more) { _, new in new })
    }

    /// Twelve characters that are easy to read and type on a phone, in groups of four: some 55 bits.
    static func password(using generator: inout some RandomNumberGenerator) -> String {
        let letters = Array("bcdfghjkmnpqrstvwxz23456789")
        let groups = (0..<3).map { _ in
            String((0..<4).map { _ in letters[Int.random(in: 0..<letters.count, using: &generator)] })
        }
        return groups.joined(separator: "-")
    }
}
