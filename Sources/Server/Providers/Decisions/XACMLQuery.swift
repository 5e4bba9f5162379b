import Clientless

struct XACMLResource: Sendable {
    /// The channel, which is what classic endpoints know; the resource itself if it has none.
    let id: String
    /// By the system of the rating, in lower case.
    let ratings: [(system: String, rating: String)]

    init(_ resource: Resource) {
        self.id = (try? resource.channelTitle()) ?? resource.text
        let ratings = resource.isMediaRSS ? (try? resource.ratings()) ?? [] : []
        self.ratings = ratings.compactMap { rating in
            switch rating.scheme.lowercased() {
            case "urn:v-chip": ("vchip", rating.value)
            case "urn:mpaa": ("mpaa", rating.value)
            default: nil
            }
        }
    }
}

/// Whether a viewer may watch each of some resources (XACML 2.0, 6; multiple resource profile, 3.3).
struct XACMLQuery: Sendable {
    private static let text = "http://www.w3.org/2001/XMLSchema#string"

    /// `nil` only tries the endpoint out.
    let viewer: String?
    let requestor: RequestorID?
    let resources: [XACMLResource]

    /// The query as a message (SAML 2.0 profile of XACML 2.0, 4.1).
    func message(_ requests: SAMLRequests, id: String, to destination: String) -> CanonicalElement {
        requests.message(
            "XACMLAuthzDecisionQuery", of: .authorization, id: id, to: destination,
            ["InputContextOnly": "false", "ReturnContext": "false"], [self.request])
    }

    private var request: CanonicalElement {
        let viewer = self.viewer.map { [Self.attribute("urn:oasis:names:tc:xacml:1.0:subject:subject-id", $0)] } ?? []
        let subject = CanonicalElement(
            .context, "Subject",
            ["SubjectCategory": "urn:oasis:names:tc:xacml:1.0:subject-category:access-subject"], viewer)
        let resources = self.resources.map { resource in
            CanonicalElement(
                .context, "Resource",
                [Self.attribute("urn:oasis:names:tc:xacml:1.0:resource:resource-id", resource.id)]
                    + resource.ratings.map {
                        Self.attribute("\(XACMLObligation.rating)\($0.system)", $0.rating)
                    })
        }
        let action = CanonicalElement(
            .context, "Action", [Self.attribute("urn:oasis:names:tc:xacml:1.0:action:action-id", "VIEW")])
        let requestor = self.requestor.map { [Self.attribute("urn:latchkey:xacml:environment:requestor", $0.text)] }
        // The schema has one of each at least; one without attributes is asked about nothing.
        let parts =
            [subject] + (resources.isEmpty ? [CanonicalElement(.context, "Resource", [])] : resources)
            + [action, CanonicalElement(.context, "Environment", requestor ?? [])]
        return CanonicalElement(.context, "Request", parts)
    }

    private static func attribute(_ id: String, _ value: String) -> CanonicalElement {
        CanonicalElement(
            .context, "Attribute", ["AttributeId": id, "DataType": Self.text],
            [CanonicalElement(.context, "AttributeValue", text: value)])
    }
}

enum XACMLObligation: String {
    /// The viewer's play is written down anyway.
    case log = "urn:cablelabs:olca:1.0:obligations:log"
    /// To be asked again after so many seconds.
    case reauthorize = "urn:cablelabs:olca:1.0:obligations:re-authz"
    /// The package that the viewer could subscribe to.
    case upgrade = "urn:tve:xacml:2.0:obligations:upgrade"
    /// With a denial: the household's own controls forbid it. With a permit: as far as they allow it.
    case parentalControls = "urn:tve:xacml:2.0:obligations:restrict-pc"
    /// A permit up to a rating only, named as those of resources are.
    case maximumRating = "urn:latchkey:xacml:obligations:max-rating"

    /// The name of a rating, before its system.
    static let rating = "urn:cablelabs:olca:1.0:attribute:content:rating:"
}
