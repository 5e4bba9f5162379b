import Clientless
import Entitlement
import HTTPServer

// `authenticate/freepreview`: a trial without an account (rest-v1 20.2).
extension RESTv1 {
    static let trialEndpoints: [Endpoint<RESTv1>] = [
        Endpoint(
            [(.post, "/api/v1/authenticate/freepreview", "startTrial")], name: "freepreview", .trials,
            "Begin a trial",
            "Its time runs from the first decision. A viewer who has used it up learns that with the next decision.",
            section: "rest-v1 20.2", requestor: .parameter, limits: .devices, bodyLimit: .form,
            headers: APIField.deviceHeaders,
            fields: [
                .required("requestor_id", APIField.requestorName, "The channel brand; `requestor` is the same."),
                .required("mso_id", APIField.mvpdName, "The trial, which is listed like a provider.").orElse("mvpd"),
                .required("domain_name", .text(1...253), "A registered domain of the requestor."), .deviceID,
                .genericData,
            ] + APIField.deviceDetails,
            answers: [.empty(204, "Signed in.")]
                + APIAnswer.device(
                    invalid: "A parameter is missing or of no use, or there is no such trial."),
            errors: .devices(.authentication), handler: .device { try await $0.startTrial($1) })
    ]

    /// 204 also when the trial is used up: the refusal comes with the authorization.
    private func startTrial(_ device: DeviceCall) async throws -> HTTPResponse {
        let call = device.call
        let requestor = try device.requestor()
        let context = try self.context(of: call)
        let name = try call.mvpdName("mso_id")
        let domain = try call.required("domain_name")
        guard let settings = self.domain.catalogue.requestor(requestor) else { throw WireError.invalid("requestor") }
        guard RedirectTarget.isRegistered(domain, for: settings) else { throw WireError.invalid("domain_name") }
        guard let mvpd = MVPDID(name), let trial = self.domain.catalogue.mvpd(mvpd)?.trial,
            self.domain.catalogue.integration(requestor, mvpd) != nil
        else { throw WireError.invalid("mso_id") }
        let person = try self.person(trying: trial, call.parameters["generic_data"])
        _ = try await self.domain.trials.start(
            context, requestor: requestor, mvpd: mvpd, person: person,
            by: device.guesser(self.addresses, device: context.device), credential: device.caller.used, now: call.now)
        return Answer.empty(.noContent)
    }

    /// The person a promotional trial is for; `nil` for other sign-ins, whatever `generic_data` says.
    ///
    /// It is asked of pages as well as of devices: a viewer who could leave it out of an address would be a new person
    /// on every device.
    func person(trying trial: TrialRules?, _ text: String?) throws(WireError) -> TrialIdentity? {
        guard let key = trial?.identityKey else { return nil }
        guard let text, !text.isEmpty else { throw .missing("generic_data") }
        guard let name = GenericData(text)?[key] else { throw .invalid("generic_data") }
        return self.domain.trials.person(name)
    }
}
