package import Clientless

/// The attributes of a viewer, under the provider's own names: each name with one value or many, in their order.
package struct SourceAttributes: Hashable, Sendable {
    /// The most names, and the most values of one name, that are looked at.
    package static let maximumCount = 512

    package struct Attribute: Hashable, Sendable {
        package let name: String
        package let values: [JSONValue]

        package init(_ name: String, _ values: [JSONValue]) {
            self.name = name
            self.values = values
        }
    }

    package let attributes: [Attribute]

    /// Attributes as a SAML assertion has them. Attributes beyond the bounds are left out.
    package init(_ attributes: [Attribute]) {
        self.attributes = attributes.prefix(Self.maximumCount).map {
            Attribute($0.name, Array($0.values.prefix(Self.maximumCount)))
        }
    }

    /// The members of an object of claims: an array is many values, anything else is one.
    package init(claims: JSONValue) {
        guard case .object(let members) = claims else {
            self.init([])
            return
        }
        self.init(members.map { Attribute($0.name, $0.value.array ?? [$0.value]) })
    }

    /// The values at a path: the first name is an attribute's, the others are members of objects in it. Arrays on the way
    /// are walked through.
    func values(at path: [String]) -> [JSONValue] {
        guard let first = path.first else { return [] }
        var found = self.attributes.filter { $0.name == first }.flatMap(\.values)
        for name in path.dropFirst() {
            found = found.compactMap { $0[name] }.flatMap { $0.array ?? [$0] }
        }
        return Array(found.prefix(Self.maximumCount))
    }

    /// A sentence for operators if a path leads nowhere, with the names that there are and no value, or to no list of names.
    /// An empty list is one.
    package func doubt(about path: [String]) -> String? {
        guard let last = path.last else { return nil }
        let isThere =
            path.count > 1
            ? self.values(at: Array(path.dropLast())).contains { $0[last] != nil }
            : self.attributes.contains { $0.name == last }
        if isThere {
            let values = self.values(at: path)
            guard !values.isEmpty, values.allSatisfy({ $0.scalarText == nil }) else { return nil }
            return "the line-up '\(path.joined(separator: "."))' is no list of names, but has objects or null"
        }
        let names = self.attributes.prefix(20).map { String(decoding: $0.name.utf8.prefix(64), as: UTF8.self) }
            .joined(separator: ", ")
        return "the line-up '\(path.joined(separator: "."))' is not among what the provider says of a viewer: \(names)"
    }

    /// The texts at a path, in their order: numbers and booleans as texts, each of at most `limit` bytes.
    package func texts(at path: [String], limit: Int = MetadataMapping.maximumTextSize) -> [String] {
        self.values(at: path).compactMap(\.scalarText).filter { (1...limit).contains($0.utf8.count) }
    }
}
