import Clientless
import Entitlement
import HTTPServer

// `authorize`, `tokens/authz`, `tokens/media` and `mediatoken`, `logout` (rest-v1 15, 16, 18).
extension RESTv1 {
    private static let notAuthorized = """
        `User not authorized`, with the provider's or programmer's sentence in `details` where there is one; \
        `User not authenticated`.
        """

    static let authorizationEndpoints: [Endpoint<RESTv1>] = [
        Endpoint(
            [
                (.get, "/api/v1/authorize", "authorize"),
                (.post, "/api/v1/authorize", "authorizeByForm"),
            ], name: "authorize", .authorization, "Ask for a decision about a resource",
            "A decision that is still good is returned without asking the provider again. A refusal ends an earlier "
                + "permit.",
            section: "rest-v1 15.1", requestor: .parameter, limits: .devices, bodyLimit: .form,
            headers: APIField.deviceHeaders, fields: APIField.device + [.resource, .genericData],
            answers: [.document(200, "Permitted.", json: "Authorization")]
                + APIAnswer.device(invalid: APIAnswer.missing, forbidden: notAuthorized, .authorization),
            errors: .devices(.authorization),
            handler: .devicePoll(
                Poller(memory: { try $0.rememberedPermit($1) }), orElse: { try await $0.authorize($1) })),
        Endpoint(
            [(.get, "/api/v1/tokens/authz", "readAuthorization")], name: "tokens-authz", .authorization,
            "Read the stored decision about a resource", "Asks no provider and changes nothing.",
            section: "rest-v1 15.2",
            requestor: .parameter, limits: .devices, bodyLimit: .page, headers: APIField.deviceHeaders,
            fields: APIField.device + [.resource],
            answers: [
                .document(200, "Permitted.", json: "Authorization"),
                .error(404, "`Not Found` (in XML `Not found`): no decision.", .authorization),
                .error(410, "`Gone`: it is over.", .authorization),
                .error(412, "`User not authenticated`", .authorization),
            ] + APIAnswer.device(invalid: APIAnswer.missing, .authorization), errors: .devices(.storedAuthorization),
            handler: .device { try await $0.storedAuthorization($1) }),
        Endpoint(
            [
                (.get, "/api/v1/tokens/media", "issueMediaToken"),
                (.post, "/api/v1/tokens/media", "issueMediaTokenByForm"),
                (.get, "/api/v1/mediatoken", "mediaToken"),
                (.post, "/api/v1/mediatoken", "mediaTokenByForm"),
            ], name: "tokens-media", .authorization, "Get a media token for a permitted resource",
            "Needs a decision that `authorize` obtained. Every call issues a new token.", section: "rest-v1 16",
            requestor: .parameter, limits: .devices, bodyLimit: .form, headers: APIField.deviceHeaders,
            fields: APIField.device + [.resource],
            answers: [.document(200, "The token.", json: "MediaToken")]
                + APIAnswer.device(invalid: APIAnswer.missing, forbidden: notAuthorized, .authorization),
            errors: .devices(.mediaToken),
            handler: .devicePoll(
                Poller(memory: { try $0.mediaTokenFromMemory($1) }), orElse: { try await $0.mediaToken($1) })),
    ]

    static let logoutEndpoints: [Endpoint<RESTv1>] = [
        Endpoint(
            [(.delete, "/api/v1/logout", "logout")], name: "logout", .signIn, "Sign a device out",
            "Ends the sign-in and its decisions for every requestor that shares it. Trials and codes stay. Providers are told "
                + "where they take that from the server itself.",
            section: "rest-v1 18", requestor: .optionalParameter, limits: .logout, bodyLimit: .page,
            headers: APIField.deviceHeaders, fields: APIField.device,
            answers: [.empty(204, "The device is signed out.")]
                + APIAnswer.device(invalid: APIAnswer.missing).filter { $0.status != 429 },
            errors: .devices(.authentication), handler: .device { try await $0.logout($1) })
    ]

    private typealias Question = (requestor: RequestorID, context: DeviceContext, resource: Resource)

    private func question(_ device: DeviceCall) throws(WireError) -> Question {
        (try device.requestor(), try self.context(of: device.call), try device.call.resource())
    }

    /// rest-v1 15.1.
    private func authorize(_ device: DeviceCall) async throws -> HTTPResponse {
        let question = try self.question(device)
        let person = try await self.person(of: device.call, question.context, question.requestor)
        let record = try await self.domain.decisions.authorize(
            question.resource, by: try await self.signIn(question, device), requestor: question.requestor,
            person: person, now: device.call.now)
        return self.answer(record, device)
    }

    private func signIn(_ question: Question, _ device: DeviceCall) async throws(EntitlementError) -> AuthNRecord {
        try await self.domain.signIns.signedIn(question.context, question.requestor, now: device.call.now)
    }

    private func permit(_ question: Question, of signIn: AuthNRecord, _ device: DeviceCall) async throws -> AuthZRecord
    {
        try await self.domain.decisions.storedAuthorization(
            question.resource, of: signIn, question.requestor, now: device.call.now)
    }

    /// The same for a permit that memory knows: most authorizations repeat one.
    private func rememberedPermit(_ device: DeviceCall) throws(WireError) -> HTTPResponse? {
        let question = try self.question(device)
        return self.domain.decisions.rememberedPermit(
            question.resource, context: question.context, requestor: question.requestor, now: device.call.now
        ).map { Answer.authorization($0.permit, proxy: $0.proxy, device.call.format) }
    }

    private func answer(_ record: AuthZRecord, _ device: DeviceCall) -> HTTPResponse {
        Answer.authorization(record, proxy: self.domain.catalogue.proxy(of: record.mvpd), device.call.format)
    }

    /// The person who tries, if the device is signed in at a promotional trial and the call names them (rest-v1 20.3).
    /// Any other call with `generic_data`, or with a wrong one, is treated as if it had none.
    private func person(
        of call: Call, _ context: DeviceContext, _ requestor: RequestorID
    ) async throws(EntitlementError) -> TrialIdentity? {
        guard let text = call.parameters["generic_data"], !text.isEmpty,
            case .signedIn(let record) = try await self.domain.signIns.deviceStanding(
                of: context, requestor: requestor, now: call.now),
            let key = self.domain.catalogue.mvpd(record.mvpd)?.trial?.identityKey
        else { return nil }
        return GenericData(text)?[key].map { self.domain.trials.person($0) }
    }

    /// rest-v1 15.2.
    private func storedAuthorization(_ device: DeviceCall) async throws -> HTTPResponse {
        let question = try self.question(device)
        let signIn = try await self.signIn(question, device)
        return self.answer(try await self.permit(question, of: signIn, device), device)
    }

    /// rest-v1 16.
    private func mediaToken(_ device: DeviceCall) async throws -> HTTPResponse {
        let question = try self.question(device)
        let signIn = try await self.signIn(question, device)
        let token = try self.domain.decisions.mediaToken(
            for: try await self.permit(question, of: signIn, device), of: signIn, now: device.call.now)
        return Answer.mediaToken(token, device.call.format)
    }

    /// The same on the strength of a permit that memory knows.
    private func mediaTokenFromMemory(_ device: DeviceCall) throws -> HTTPResponse? {
        let question = try self.question(device)
        return try self.domain.decisions.mediaTokenFromMemory(
            question.resource, context: question.context, requestor: question.requestor, now: device.call.now
        ).map { Answer.mediaToken($0, device.call.format) }
    }

    /// rest-v1 18: 204 whatever was stored.
    private func logout(_ device: DeviceCall) async throws -> HTTPResponse {
        // Clients leave the requestor out; those of the credential are meant then, never everybody's.
        try await self.domain.signIns.logout(
            try self.context(of: device.call),
            requestors: device.caller.requestor.map { [$0] } ?? Set(device.caller.allowed), now: device.call.now)
        return Answer.empty(.noContent)
    }
}
