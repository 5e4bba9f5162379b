import Clientless

/// Something a caller sends by name: in the path, the query, a form or a header.
struct APIField: Sendable {
    /// The place of an operation's parameter.
    enum Place: String, Sendable { case path, query, header }

    let name: String
    let schema: JSONSchema
    let text: String
    let isRequired: Bool
    /// The place in which the field is one of the components; they go by its name.
    let component: Place?
    /// Other names deployed clients use for it; not described.
    var aliases: [String] = []

    /// One the caller must give.
    static func required(
        _ name: String, _ schema: JSONSchema, _ text: String, component: Place? = nil
    ) -> APIField {
        APIField(name: name, schema: schema, text: text, isRequired: true, component: component)
    }

    /// One the caller may leave out.
    static func optional(
        _ name: String, _ schema: JSONSchema, _ text: String, component: Place? = nil
    ) -> APIField {
        APIField(name: name, schema: schema, text: text, isRequired: false, component: component)
    }

    /// The same with another name that clients use for it.
    func orElse(_ alias: String) -> APIField {
        var copy = self
        copy.aliases.append(alias)
        return copy
    }

    /// As a parameter of an operation, as it is written there.
    func reference(in place: Place) -> JSONValue {
        self.component == place
            ? ["$ref": .string("#/components/parameters/\(self.name)")] : self.parameter(in: place)
    }

    /// As a parameter of an operation, in full.
    func parameter(in place: Place) -> JSONValue {
        [
            "name": .string(self.name), "in": .string(place.rawValue), "required": .boolean(self.isRequired),
            "description": .string(self.text), "schema": self.schema.json,
        ]
    }

    /// As a member of a body.
    var property: JSONSchema.Property {
        .init(self.name, self.schema.described(self.text), isRequired: self.isRequired)
    }
}
