/// Something a caller sends by name: in the path, the query, a form or a header.
struct APIField: Sendable {
    /// Where an operation's parameter stands.
    enum Place: String, Sendable { case path, query, header }

    let name: String
    let schema: APISchema
    let text: String
    let isRequired: Bool
    /// Where the field in this place is one of the components; they go by its name.
    let component: Place?
    /// Other names deployed clients use for it; not described.
    var aliases: [String] = []

    /// One the caller must give.
    static func required(
        _ name: String, _ schema: APISchema, _ text: String, component: Place? = nil
    ) -> APIField {
        APIField(name: name, schema: schema, text: text, isRequired: true, component: component)
    }

    /// One the caller may leave out.
    static func optional(
        _ name: String, _ schema: APISchema, _ text: String, component: Place? = nil
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
    func reference(in place: Place) -> WireObject {
        guard self.component == place else { return self.parameter(in: place) }
        return WireObject([.init("$ref", .string("#/components/parameters/\(self.name)"))])
    }

    /// As a parameter of an operation, in full.
    func parameter(in place: Place) -> WireObject {
        WireObject([
            .init("name", .string(self.name)), .init("in", .string(place.rawValue)),
            .init("required", .bool(self.isRequired)), .init("description", .string(self.text)),
            .init("schema", .object(self.schema.object)),
        ])
    }

    /// As a member of a body.
    var property: APISchema.Property {
        APISchema.Property(name: self.name, schema: self.schema.described(self.text), isRequired: self.isRequired)
    }
}
