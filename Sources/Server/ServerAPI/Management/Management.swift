import Clientless
import Entitlement
import HTTPServer

/// The calls of operators' programs: TempPass reset (rest-v1 20.5), degradation (25), reports (rest-v1 E), and under
/// `/management/v1` what no protocol document has: revocation, the records of a device, ending sign-ins, and the audit
/// log.
///
/// Every call shows a bearer token with the scope of its family and reaches the requestors of its application alone.
/// One file for each family; this one has what they share.
struct Management: Face {
    typealias Refusal = WireError

    static let name: StaticString = "management"

    let context: FaceContext

    static let all: [Endpoint<Management>] =
        trialEndpoints + degradationEndpoints + deviceEndpoints + signInEndpoints + credentialEndpoints + setUpEndpoints
        + auditEndpoints + reportEndpoints

    /// One endpoint of this face; every one has a form of its answer and the failures of a call with a token.
    static func endpoint(
        _ method: HTTPMethod, _ path: String, _ id: String, name: String, _ scopes: ManagementScopes,
        _ summary: String, _ text: String = "", section: String = "an extension of this server",
        limits: Limits = .devices, bodyLimit: EndpointFacts.BodyLimit = .page, fields: [APIField] = [],
        answers: [APIAnswer],
        handler: @escaping @Sendable (Management, ManagementCall) async throws -> HTTPResponse
    ) -> Endpoint<Management> {
        Endpoint(
            [(method, path, id)], name: name, .management, summary, text, section: section,
            requestor: .parameter, limits: limits, bodyLimit: bodyLimit, fields: fields + [.format],
            answers: answers + APIAnswer.managementFailures, errors: .classic(.authentication),
            handler: .managed(scopes, handler))
    }

    /// One that answers with an object.
    /// - Parameter answer: a sentence about it, and its name in XML.
    static func endpoint<Value: Sendable>(
        _ method: HTTPMethod, _ path: String, _ id: String, name: String, _ scopes: ManagementScopes,
        _ summary: String, _ text: String = "", fields: [APIField], answer: (text: String, root: XMLName),
        _ shape: Shape<Value>, value: @escaping @Sendable (Management, ManagementCall) async throws -> Value
    ) -> Endpoint<Management> {
        self.endpoint(
            method, path, id, name: name, scopes, summary, text, fields: fields,
            answers: [.object(answer.text, answer.root, shape)]
        ) { face, managed in
            Answer.object(answer.root, shape, try await value(face, managed), managed.call.format)
        }
    }

    /// One that ends something.
    /// - Parameter end: whether it was there for the caller.
    static func ending(
        _ path: String, _ id: String, name: String, _ scopes: ManagementScopes, _ summary: String,
        end: @escaping @Sendable (Management, ManagementCall) async throws -> Bool
    ) -> Endpoint<Management> {
        self.endpoint(.delete, path, id, name: name, scopes, summary, answers: [.done, .notThere]) { face, managed in
            guard try await end(face, managed) else { throw WireError.notFound }
            return Answer.empty(.noContent)
        }
    }
}

// Answers of this face.
extension APIAnswer {
    static let notThere = error(404, "`Not Found`", .authentication)
    static let done = empty(204, "Done.")

    static let managementFailures =
        [
            error(400, missing, .authentication), unauthorized,
            error(403, "`Forbidden`: the token is not good for this, or for this requestor.", .authentication),
        ] + always
}

extension Authenticator {
    /// The client behind a management call (rest-v1 7.6). Its token stands in the header: parameters reach the logs of
    /// proxies. Programs that read reports may put it there all the same (rest-v1 E). A signed call is not one of this class, whatever key signed it.
    func managementCaller(of call: Call, _ scopes: ManagementScopes) async throws -> ManagementCaller {
        let scheme = AuthorizationScheme(
            call.request,
            scopes == .analytics ? call.parameters.undeclared : HTTPParameters())
        do {
            return try await self.managementCaller(scheme, scopes, now: call.now)
        } catch let error as WireError {
            self.note(error, self.origin(of: call.request, scheme, .optional), now: call.now)
            throw error
        }
    }

    private func managementCaller(
        _ scheme: AuthorizationScheme, _ scopes: ManagementScopes, now: Timestamp
    ) async throws -> ManagementCaller {
        let token: String
        switch scheme {
        case .bearer(let text): token = text
        case .contradiction: throw WireError.bearerContradicted
        case .signedRequest, .emptyBearer, .none: throw WireError.bearerMissing
        }
        guard let claims = self.accessTokens.claims(of: token, now: now) else { throw WireError.bearerRefused }
        let credentials = self.domain.credentials
        guard case .active(let client) = try await credentials.client(claims.clientID, at: now),
            scopes.contains(where: claims.scopes.intersection(client.application.grantedScopes).contains)
        else { throw WireError.clientRefused }
        return ManagementCaller(
            clientID: client.record.clientID, requestors: Set(client.application.requestors),
            remit: Remit(of: client.application))
    }
}

struct ManagementCaller: Sendable {
    let clientID: String
    /// The requestors it may manage: the channels of its application.
    let requestors: Set<RequestorID>
    let remit: Remit

    /// Its name in the audit log. The ID of a client is no secret; what proves it is.
    var actor: String { "client \(self.clientID)" }

    /// The requestor a call names, if there is one and this caller may manage it.
    /// - Throws: 400 when it is left out or unknown, 403 when it is another application's (rest-v1 7.6).
    func requestor(_ parameter: String, in call: Call, _ catalogue: Catalogue) throws(WireError) -> RequestorID {
        guard let id = RequestorID(try call.required(parameter)), catalogue.requestor(id) != nil
        else { throw .invalid(parameter) }
        guard self.remit.covers(id) else { throw .clientRefused }
        return id
    }
}

/// The scopes that open a management call; any of them does (rest-v1 10.5). The description names the first.
typealias ManagementScopes = [Scope]

extension ManagementScopes {
    /// Resetting trials (rest-v1 20.5).
    static let trials: [Scope] = [.temporaryPasses]
    /// Degradation rules (rest-v1 25). The scope has two names: one of the first generation, one of the second.
    static let degradation: [Scope] = [.decisions, .degradation]
    static let devices: [Scope] = [.devices]
    static let credentials: [Scope] = [.credentials]
    /// The counted events of boxes (rest-v1 E).
    static let analytics: [Scope] = [.analytics]
    /// A client that makes changes may read that they were made.
    static let audit: [Scope] = [.devices, .credentials]
}
