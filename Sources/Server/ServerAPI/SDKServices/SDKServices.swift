import Entitlement
import HTTPServer

/// The wire of the AccessEnabler library (sdk-services): boxes hold their tokens as signed documents and present them,
/// where the clientless face keeps them here. Both speak of the same codes, records and decisions.
///
/// One file for each family of endpoints; this one has what they share.
struct SDKServices: Face {
    static let name: StaticString = "sdk-services"

    let context: FaceContext

    static let all: [Endpoint<SDKServices>] =
        deviceEndpoints + sessionEndpoints + authorizationEndpoints + signInEndpoints + boxEndpoints

    /// One operation under all its names, each also in the older form of its path (rest-v1 Appendix A).
    static func operation(
        _ names: [String], _ summary: String, _ text: String = "", section: String,
        bodyLimit: EndpointFacts.BodyLimit, headers: [APIField] = [], fields: [APIField], answers: [APIAnswer],
        errors: ErrorWording = errors, handler: EndpointHandler<SDKServices>
    ) -> Endpoint<SDKServices> {
        let calls = names.flatMap { name -> [EndpointFacts.Call] in
            let title = (name.first?.uppercased() ?? "") + name.dropFirst()
            return [
                (.post, "/adobe-services/\(name)", "sdk\(title)"),
                (.post, "/adobe-services/1.0/\(name)", "sdk1\(title)"),
            ]
        }
        return Endpoint(
            calls, name: "sdk-\(names[0].lowercased())", .sdk, summary, text, section: section, requestor: .parameter,
            limits: .devices, bodyLimit: bodyLimit, headers: APIField.sdkHeaders + headers,
            fields: APIField.sdkDeviceFields + fields, answers: answers, errors: errors,
            handler: handler)
    }

    /// This face has one wording for all but the refusals of `authorize`.
    static let errors = ErrorWording.classic(.authentication)

    func refusal(_ error: WireError) -> SDKRefusal { SDKRefusal(error) }

    func refusal(_ error: EntitlementError, at family: EndpointFamily) -> SDKRefusal {
        SDKRefusal(error, at: family)
    }

    func response(to refusal: SDKRefusal, in place: ErrorPlace) -> HTTPResponse { SDKAnswer.refusal(refusal) }

    func turnedAway(_ error: WireError, _ request: HTTPRequest, _ place: ErrorPlace) -> HTTPResponse {
        SDKAnswer.refusal(SDKRefusal(error))
    }

    /// A deployed client that starts again has its documents, but neither a bearer nor a device ID. For this answer it
    /// empties its cache and signs in anew (sdk-services 1).
    func answer(toUnproven call: Call) async -> HTTPResponse? {
        let parameters = call.parameters.undeclared
        guard SDKCall.deviceName(in: call.request, parameters) == nil,
            let document = parameters["authentication_token"] ?? parameters["authz_token"],
            let requestor = await self.domain.documents.requestor(ofLiving: document, now: call.now),
            self.domain.catalogue.requestor(requestor)?.strictness == .compatible
        else { return nil }
        return SDKAnswer.refusal(.pendingLogout(nil))
    }

    func deviceName(in request: HTTPRequest) -> ArraySlice<UInt8>? {
        SDKCall.deviceName(in: request, request.parameters)
    }
}

extension EndpointHandler where F == SDKServices {
    static func box(
        _ answer: @escaping @Sendable (SDKServices, SDKCall) async throws -> HTTPResponse
    ) -> EndpointHandler<SDKServices> {
        .device { face, device in try await answer(face, SDKCall(device, face.domain)) }
    }
}
