import Clientless
import Entitlement
import HTTPServer

// `/reset-tempass/v3/reset` and `/reset-tempass/v3/reset/generic` (rest-v1 20.5).
extension Management {
    /// The longest text that names a person; programmers send hashes.
    private static let maximumKey = 1024
    /// Stands for every device, or every person.
    private static let everybody = "all"

    static let trialEndpoints: [Endpoint<Management>] = [
        endpoint(
            .delete, "/reset-tempass/v3/reset", "resetTrials", name: "reset-tempass", .trials,
            "Forget the trials of devices", section: "rest-v1 20.5",
            fields: [
                .resetRequestor, .resetProvider,
                .optional("device_id", .text(0...512), "The device; every one for `all`, and when left out."),
            ], answers: [.done]
        ) { face, managed in
            try await face.resetTrials(managed) { call throws(WireError) in try face.device(in: call) }
        },
        endpoint(
            .delete, "/reset-tempass/v3/reset/generic", "resetTrialsOfPeople", name: "reset-tempass-generic",
            .trials, "Forget the trials of people", section: "rest-v1 20.5",
            fields: [
                .resetRequestor, .resetProvider,
                .optional("key", .text(0...1024), "The person, as `generic_data` names it; everyone for `all`."),
            ], answers: [.done]
        ) { face, managed in
            try await face.resetTrials(managed) { call throws(WireError) in try face.person(in: call) }
        },
    ]

    /// 204 also when there was no trial to forget: what was asked for is then so already.
    private func resetTrials(
        _ managed: ManagementCall, _ identity: (Call) throws(WireError) -> TrialIdentity?
    ) async throws -> HTTPResponse {
        let (call, caller) = (managed.call, managed.caller)
        let requestor = try caller.requestor("requestor_id", in: call, self.domain.catalogue)
        // Also one that is switched off now: its trials are kept, and it may be switched on again.
        guard let mvpd = MVPDID(try call.required("mvpd_id")), self.domain.catalogue.mvpd(mvpd)?.trial != nil,
            self.domain.catalogue.requestor(requestor)?.integrations.contains(where: { $0.mvpd == mvpd }) == true
        else { throw WireError.invalid("mvpd_id") }
        _ = try await self.domain.trials.reset(
            of: try identity(call), requestor: requestor, mvpd: mvpd, actor: caller.actor, now: call.now)
        return Answer.empty(.noContent)
    }

    /// The device whose trials are reset; `nil` for all.
    private func device(in call: Call) throws(WireError) -> TrialIdentity? {
        guard let text = self.named("device_id", in: call) else { return nil }
        guard let device = DeviceID(fromWire: text) else { throw .invalid("device_id") }
        return .device(self.domain.keys.deviceHash(device))
    }

    /// The person whose trials are reset, as `generic_data` names one; `nil` for all.
    private func person(in call: Call) throws(WireError) -> TrialIdentity? {
        guard self.named("key", in: call) != nil, let key = try call.optional("key", atMost: Self.maximumKey)
        else { return nil }
        guard !key.unicodeScalars.contains("\u{FFFD}") else { throw .invalid("key") }
        return self.domain.trials.person(key)
    }

    private func named(_ parameter: String, in call: Call) -> String? {
        guard let text = call.parameters[parameter], !text.isEmpty, text != Self.everybody else { return nil }
        return text
    }
}
