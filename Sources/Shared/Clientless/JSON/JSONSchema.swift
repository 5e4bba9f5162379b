/// A JSON Schema (dialect 2020-12), as OpenAPI 3.1 uses it for JSON, forms, parameters and XML alike.
package struct JSONSchema: Sendable {
    package let json: JSONValue

    private init(_ members: [JSONValue.Member]) { self.json = .object(members) }

    /// The same with one more keyword, at the end.
    package func adding(_ keyword: String, _ value: JSONValue) -> JSONSchema {
        JSONSchema(self.json.members + [.init(keyword, value)])
    }

    package func described(_ text: String) -> JSONSchema { self.adding("description", .string(text)) }

    package func example(_ value: JSONValue) -> JSONSchema { self.adding("examples", [value]) }

    /// The same with the value that counts if the caller gives no value.
    package func standard(_ value: JSONValue) -> JSONSchema { self.adding("default", value) }

    package static let any = JSONSchema([])

    /// A text.
    /// - Parameters:
    ///   - length: in characters, which is what JSON Schema counts.
    ///   - pattern: an ECMA 262 expression, anchored where it should be.
    package static func text(
        _ length: ClosedRange<Int>? = nil, pattern: String? = nil, format: String? = nil
    ) -> JSONSchema {
        var members: [JSONValue.Member] = [.init("type", "string")]
        if let format { members.append(.init("format", .string(format))) }
        if let length {
            members += [
                .init("minLength", .integer(Int64(length.lowerBound))),
                .init("maxLength", .integer(Int64(length.upperBound))),
            ]
        }
        if let pattern { members.append(.init("pattern", .string(pattern))) }
        return JSONSchema(members)
    }

    package static func choice(_ values: String...) -> JSONSchema { self.choice(of: values) }

    package static func choice(of values: [String]) -> JSONSchema {
        JSONSchema([.init("type", "string"), .init("enum", .array(values.map { .string($0) }))])
    }

    package static func word<Word: RawRepresentable<String> & CaseIterable>(_ type: Word.Type) -> JSONSchema {
        self.choice(of: Word.allCases.map(\.rawValue))
    }

    package static func constant(_ value: JSONValue) -> JSONSchema { JSONSchema([.init("const", value)]) }

    package static func integer(_ range: PartialRangeFrom<Int64> = 0...) -> JSONSchema {
        JSONSchema([
            .init("type", "integer"), .init("format", "int64"), .init("minimum", .integer(range.lowerBound)),
        ])
    }

    package static func integer(_ range: ClosedRange<Int64>) -> JSONSchema {
        self.integer(range.lowerBound...).adding("maximum", .integer(range.upperBound))
    }

    package static let flag = JSONSchema([.init("type", "boolean")])

    package static func list(of item: JSONSchema) -> JSONSchema {
        JSONSchema([.init("type", "array"), .init("items", item.json)])
    }

    package static func named(_ name: String) -> JSONSchema {
        JSONSchema([.init("$ref", .string("#/components/schemas/\(name)"))])
    }

    package static func any(of schemas: [JSONSchema]) -> JSONSchema {
        schemas.count == 1 ? schemas[0] : JSONSchema([.init("anyOf", .array(schemas.map(\.json)))])
    }

    package static func all(of schemas: JSONSchema...) -> JSONSchema {
        JSONSchema([.init("allOf", .array(schemas.map(\.json)))])
    }

    package struct Property: Sendable {
        package let name: String
        package let schema: JSONSchema
        package let isRequired: Bool

        package init(_ name: String, _ schema: JSONSchema, isRequired: Bool) {
            self.name = name
            self.schema = schema
            self.isRequired = isRequired
        }

        package static func required(_ name: String, _ schema: JSONSchema) -> Property {
            Property(name, schema, isRequired: true)
        }

        package static func optional(_ name: String, _ schema: JSONSchema) -> Property {
            Property(name, schema, isRequired: false)
        }
    }

    /// An object with these members and no other.
    package static func object(_ properties: [Property]) -> JSONSchema {
        self.members(properties).adding("additionalProperties", false)
    }

    /// An object that may have other members, too.
    package static func members(_ properties: [Property]) -> JSONSchema {
        let required = properties.filter(\.isRequired).map { JSONValue.string($0.name) }
        let members = properties.map { JSONValue.Member($0.name, $0.schema.json) }
        let schema = JSONSchema([.init("type", "object"), .init("properties", .object(members))])
        return required.isEmpty ? schema : schema.adding("required", .array(required))
    }

    /// An object with any names, and values of one kind.
    package static func map(of value: JSONSchema) -> JSONSchema {
        JSONSchema([.init("type", "object"), .init("additionalProperties", value.json)])
    }

    package var orNull: JSONSchema {
        JSONSchema(
            self.json.members.map { $0.name == "type" ? .init("type", [$0.value, "null"]) : $0 })
    }

    /// The same as the root element of an XML document.
    package func element(_ name: String, namespace: (prefix: String, uri: String)? = nil) -> JSONSchema {
        var members: [JSONValue.Member] = [.init("name", .string(name))]
        if let namespace {
            members += [.init("namespace", .string(namespace.uri)), .init("prefix", .string(namespace.prefix))]
        }
        return self.adding("xml", .object(members))
    }

    /// The same as an attribute of its element.
    package var asAttribute: JSONSchema { self.adding("xml", ["attribute": true]) }
}
