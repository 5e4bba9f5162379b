import Entitlement
import HTTPServer

/// The clientless REST API, generation 1 (rest-v1): translates its wire to the domain and back, and decides nothing.
///
/// One file for each family of endpoints; this one has what they share.
final class RESTv1: Face {
    static let name: StaticString = "rest-v1"
    static let prefixes = ["/api/v1/", "/reggie/v1/"]

    let context: FaceContext
    let configurations: ConfigurationDocuments
    let polls: PollAnswers
    /// The page at which a viewer enters a code of a requestor that has none of its own.
    let ownPage: String
    let shortAddress: String

    init(_ context: FaceContext) {
        self.context = context
        self.polls = PollAnswers(context.transport)
        self.ownPage = context.settings.publicURL + ScreenPath.activate
        self.shortAddress = ScreenPath.shortAddress(at: context.settings.publicURL)
        self.configurations = ConfigurationDocuments(context.domain.catalogue, context.settings)
    }

    static let all: [Endpoint<RESTv1>] =
        codeEndpoints + configurationEndpoints + authenticateEndpoints + logoutEndpoints
        + pollEndpoints + authorizationEndpoints + preauthorizationEndpoints + metadataEndpoints + trialEndpoints
        + platformEndpoints

    func response(to error: WireError, in place: ErrorPlace) -> HTTPResponse {
        if place.wording.isForPeople, place.preference.isForPeople { return Answer.page(error) }
        return Answer.error(
            error.worded(for: place.wording.family), place.format,
            self.context.style(for: place.requestor, trace: place.trace))
    }

    /// 405 of a clientless endpoint has more in it for requestors that opted in (rest-v1 8.3).
    func unroutedStyle(of request: HTTPRequest, _ status: HTTPStatus) -> ErrorStyle {
        guard status == .methodNotAllowed, !self.authenticator.catalogue.haveClassicErrors else { return nil }
        let requestor = self.authenticator.presumedRequestor(
            of: request, named: Call.requestorName(in: request.parameters))
        return self.context.style(for: requestor, trace: request.id)
    }
}
