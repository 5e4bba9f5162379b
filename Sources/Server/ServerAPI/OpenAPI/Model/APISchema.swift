/// A JSON Schema (dialect 2020-12), as OpenAPI 3.1 uses it for JSON, forms, parameters and XML alike.
struct APISchema: Sendable {
    /// As it is written.
    let object: WireObject

    private init(_ members: [WireObject.Member]) {
        self.object = WireObject(members)
    }

    /// The same with one more keyword, at the end.
    func adding(_ keyword: String, _ value: WireValue) -> APISchema {
        APISchema(self.object.members + [.init(keyword, value)])
    }

    /// The same with a sentence for readers.
    func described(_ text: String) -> APISchema {
        self.adding("description", .string(text))
    }

    /// The same with a value for readers to look at.
    func example(_ value: WireValue) -> APISchema {
        self.adding("examples", .array([value]))
    }

    /// The same with the value that counts where the caller gives no value.
    func standard(_ value: WireValue) -> APISchema {
        self.adding("default", value)
    }
}

// Kinds of values.
extension APISchema {
    /// A text.
    /// - Parameters:
    ///   - length: in characters, which is what JSON Schema counts.
    ///   - pattern: an ECMA 262 expression, anchored where it should be.
    static func text(
        _ length: ClosedRange<Int>? = nil, pattern: String? = nil, format: String? = nil
    ) -> APISchema {
        var members: [WireObject.Member] = [.init("type", .string("string"))]
        if let format { members.append(.init("format", .string(format))) }
        if let length {
            members += [
                .init("minLength", .integer(Int64(length.lowerBound))),
                .init("maxLength", .integer(Int64(length.upperBound))),
            ]
        }
        if let pattern { members.append(.init("pattern", .string(pattern))) }
        return APISchema(members)
    }

    /// One of a few texts.
    static func choice(_ values: String...) -> APISchema { self.choice(of: values) }

    static func choice(of values: [String]) -> APISchema {
        APISchema([.init("type", .string("string")), .init("enum", .array(values.map { .string($0) }))])
    }

    static func constant(_ value: WireValue) -> APISchema {
        APISchema([.init("const", value)])
    }

    /// A whole number.
    static func integer(_ range: PartialRangeFrom<Int64> = 0...) -> APISchema {
        APISchema([
            .init("type", .string("integer")), .init("format", .string("int64")),
            .init("minimum", .integer(range.lowerBound)),
        ])
    }

    static func integer(_ range: ClosedRange<Int64>) -> APISchema {
        self.integer(range.lowerBound...).adding("maximum", .integer(range.upperBound))
    }

    static let flag = APISchema([.init("type", .string("boolean"))])

    static func list(of item: APISchema) -> APISchema {
        APISchema([.init("type", .string("array")), .init("items", .object(item.object))])
    }

    /// A schema of the components.
    static func named(_ name: String) -> APISchema {
        APISchema([.init("$ref", .string("#/components/schemas/\(name)"))])
    }

    static func any(of schemas: [APISchema]) -> APISchema {
        schemas.count == 1 ? schemas[0] : APISchema([.init("anyOf", .array(schemas.map { .object($0.object) }))])
    }

    static func all(of schemas: APISchema...) -> APISchema {
        APISchema([.init("allOf", .array(schemas.map { .object($0.object) }))])
    }
}

// Objects.
extension APISchema {
    struct Property: Sendable {
        let name: String
        let schema: APISchema
        let isRequired: Bool

        static func required(_ name: String, _ schema: APISchema) -> Property {
            Property(name: name, schema: schema, isRequired: true)
        }

        static func optional(_ name: String, _ schema: APISchema) -> Property {
            Property(name: name, schema: schema, isRequired: false)
        }
    }

    /// An object with these members and no other.
    static func object(_ properties: [Property]) -> APISchema {
        self.members(properties).adding("additionalProperties", .bool(false))
    }

    /// An object that may have other members, too.
    static func members(_ properties: [Property]) -> APISchema {
        let required = properties.filter(\.isRequired).map { WireValue.string($0.name) }
        let members = properties.map { WireObject.Member($0.name, .object($0.schema.object)) }
        let schema = APISchema([
            .init("type", .string("object")), .init("properties", .object(WireObject(members))),
        ])
        return required.isEmpty ? schema : schema.adding("required", .array(required))
    }

    /// An object with any names, and values of one kind.
    static func map(of value: APISchema) -> APISchema {
        APISchema([.init("type", .string("object")), .init("additionalProperties", .object(value.object))])
    }

    /// The same, or `null`.
    var orNull: APISchema {
        APISchema(
            self.object.members.map { member in
                guard member.name == "type" else { return member }
                return .init("type", .array([member.value, .string("null")]))
            })
    }

    /// The same as the root element of an XML document.
    func element(_ name: XMLName) -> APISchema {
        var members: [WireObject.Member] = [.init("name", .string(name.local))]
        if let namespace = name.namespace {
            members += [.init("namespace", .string(namespace.uri)), .init("prefix", .string(namespace.prefix))]
        }
        return self.adding("xml", .object(WireObject(members)))
    }

    /// The same as an attribute of its element.
    var asAttribute: APISchema {
        self.adding("xml", .object(WireObject([.init("attribute", .bool(true))])))
    }
}
