import Clientless

/// Something a caller sends by name: in the path, the query, a form or a header.
struct APIField: Sendable {
    enum Place: String, Sendable { case path, query, header }

    let name: String
    let schema: JSONSchema
    let text: String
    let isRequired: Bool
    /// The place in which the field is one of the components; they go by its name.
    let component: Place?
    /// Other names deployed clients use for it; not described.
    var aliases: [String] = []

    static func required(_ name: String, _ schema: JSONSchema, _ text: String, component: Place? = nil) -> APIField {
        APIField(name: name, schema: schema, text: text, isRequired: true, component: component)
    }

    static func optional(_ name: String, _ schema: JSONSchema, _ text: String, component: Place? = nil) -> APIField {
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

/// The chapters of the description.
enum APITag: String, CaseIterable, Sendable {
    case registration = "Client registration"
    case codes = "Registration codes"
    case providers = "Providers"
    case signIn = "Sign-in"
    case authorization = "Authorization"
    case metadata = "User metadata"
    case trials = "Trials"
    case platform = "Platform sign-in"
    case sdk = "SDK services"
    case management = "Management"
    case keys = "Keys"

    var text: String {
        switch self {
        case .registration: "An application registers its installation and gets bearer tokens (rest-v1 10)."
        case .codes: "The short codes that connect a device with a browser (rest-v1 11)."
        case .providers: "Which TV providers a viewer may pick (rest-v1 12)."
        case .signIn: "From the code to the sign-in of a device, and out of it again (rest-v1 13, 14, 18)."
        case .authorization: "Whether a resource may be played, and the token that proves it (rest-v1 15 to 17)."
        case .metadata: "Facts that the provider states about the viewer (rest-v1 19)."
        case .trials: "Free previews without an account (rest-v1 20)."
        case .platform: "The provider account of the device's operating system (rest-v1 21)."
        case .sdk: "The same operations for devices that hold their tokens themselves (sdk-services)."
        case .management: "Changes by operators and programmers while the server runs (rest-v1 20.5, 25)."
        case .keys: "Public keys (rest-v1 22.5)."
        }
    }
}
