import Clientless

/// The description of the programmable faces in OpenAPI 3.1: the clientless REST API, client registration, the SDK
/// services and management. The pages of the second screen and the operator's endpoints are not in it.
///
/// It is made of the same declarations as the routes; `deploy/test schema` calls every operation and compares the answers
/// with the schemas. It also calls each example of `examples.http` and compares the answer; `deploy/check/schema/run --accept`
/// records them anew.
package enum APIDescription {
    static let endpoints: [EndpointFacts] =
        (ClientRegistration.all.map(\.facts) + OAuth.all.map(\.facts) + RESTv1.all.map(\.facts)
        + Callbacks.all.map(\.facts) + SDKServices.all.map(\.facts) + [SecondScreen.shortAddress.facts]
        + Management.all.map(\.facts) + ServiceEndpoints.all.map(\.facts)).filter { $0.tag != nil }

    /// The beginning of all their paths.
    static let firstSegments = Set(
        endpoints.flatMap(\.calls).compactMap { $0.path.split(separator: "/").first.map(String.init) })

    /// The description as JSON, laid out in lines, always in the same order.
    /// - Parameters:
    ///   - server: scheme, host and port of the server it is for; `nil` leaves the address open.
    ///   - version: the program's.
    package static func text(server: String? = nil, version: String) -> String {
        let tags = APITag.allCases.map { tag -> JSONValue in
            ["name": .string(tag.rawValue), "description": .string(tag.text)]
        }
        let document: JSONValue = [
            "openapi": "3.1.0",
            "info": [
                "title": "Latchkey", "summary": "Pairs boxes with TV providers over a second screen.",
                "description": .string(self.introduction), "version": .string(version),
            ],
            "servers": [["url": .string(server ?? "/")]], "tags": .array(tags), "paths": self.paths,
            "components": self.components,
        ]
        return document.lines
    }

    private static let introduction = """
        Every path is also reached with repeated slashes, with one slash at its end, and with `.json` or `.xml` behind \
        its last segment. The suffix says which form the answer takes; after it count the parameter `format`, the \
        header `Accept`, and then XML. Unknown parameters are ignored.

        A POST may carry its fields in the query, too; of a name in both, the body's value counts. A flat JSON object \
        is read like a form. HEAD is answered as GET is, OPTIONS on every path with the cross-origin headers, any \
        other method with 405 and `Allow`.

        Times are milliseconds since 1970 where nothing else is said. The ends of tokens are texts of digits, every \
        other number is a number.
        """
}
