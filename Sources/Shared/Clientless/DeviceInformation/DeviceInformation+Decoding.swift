import Cryptography
import TextCoding

extension DeviceInformation {
    /// The longest value read, in bytes.
    package static let maximumEncodedLength = 8192

    /// Reads the value of a header or a parameter by the procedure of rest-v1 5: percent-decoding if there is a `%`,
    /// spaces back to `+`, either Base 64 alphabet, with padding or without, then a flat JSON object.
    /// - Returns: `nil` on any failure; the value is then ignored.
    package init?(decoding value: some StringProtocol) {
        guard (1...Self.maximumEncodedLength).contains(value.utf8.count), let base64 = Self.base64Text(of: value),
            let json = Base64.decodeTolerantly(base64), let object = FlatJSONObject(json)
        else { return nil }
        self.init(Dictionary(object.members.map { ($0.name, $0.value) }) { $1 })
    }

    /// Takes the members one by one; those of the wrong type count as missing.
    private init(_ members: [String: JSONValue]) {
        self.init()
        var rest = members
        for (name, member) in Self.known {
            guard let value = rest.removeValue(forKey: name) else { continue }
            switch member {
            case .type: self.primaryHardwareType = value.string.map { PrimaryHardwareType(rawValue: $0) ?? .unknown }
            case .text(let path): self[keyPath: path] = value.wording.flatMap(Self.displayable)
            case .number(let path): self[keyPath: path] = value.measure.map { Int($0) }
            case .size: self.diagonalScreenSize = value.measure
            case .secure: self.connectionSecure = value.flag
            }
        }
        self.foreign = Self.foreignMembers(rest)
    }

    /// Undoes what a URL or a form did to the Base 64 text.
    private static func base64Text(of value: some StringProtocol) -> String? {
        guard var bytes = PercentCoding.strictlyDecoded(value) else { return nil }
        // White space around the value is not a lost plus sign.
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        while bytes.last.map(isSpace) == true { bytes.removeLast() }
        let trimmed = bytes.drop(while: isSpace).map { $0 == 0x20 ? UInt8(ascii: "+") : $0 }
        return String(validating: trimmed, as: UTF8.self)
    }

    private static func foreignMembers(_ members: [String: JSONValue]) -> [JSONValue.Member] {
        let known = members.keys.sorted().lazy.compactMap { name -> JSONValue.Member? in
            guard name.utf8.count <= 64 else { return nil }
            return members[name]?.kept.map { .init(name, $0) }
        }
        return Array(known.prefix(Self.maximumForeignMembers))
    }
}

extension JSONValue {
    /// A text, or a number where a text was expected.
    fileprivate var wording: String? { if case .boolean = self { nil } else { self.scalarText } }

    /// A size from 0 to 100,000, written as a number or as a text.
    fileprivate var measure: Double? {
        self.wording.flatMap { $0.utf8.count <= 32 ? Double($0) : nil }
            .flatMap { (0...100_000).contains($0) ? $0 : nil }
    }

    /// A truth value, or its name.
    fileprivate var flag: Bool? {
        switch self {
        case .boolean(let flag): flag
        case .string("true"): true
        case .string("false"): false
        default: nil
        }
    }

    /// The value to write back; `nil` for one that is not kept.
    fileprivate var kept: JSONValue? {
        switch self {
        case .string(let text): .string(DeviceInformation.displayable(text) ?? "")
        case .integer, .double, .boolean, .null: self
        case .array, .object: nil
        }
    }
}
