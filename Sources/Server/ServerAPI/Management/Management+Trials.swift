import Clientless
import Entitlement
import HTTPServer

// `/reset-tempass/v3/reset` and `/reset-tempass/v3/reset/generic` (rest-v1 20.5).
extension Management {
    /// The longest text that names a person; programmers send hashes.
    private static let maximumKey = 1024
    /// What stands for every device, or everybody.
    private static let everybody = "all"

    func addTrialRoutes(to router: inout Router) {
        router.on(.delete, path: "/reset-tempass/v3/reset", name: "reset-tempass", group: self.group) { request in
            self.managed(request, .trials) { call, caller in
                try await self.resetTrials(call, caller) { call throws(WireError) in try self.device(in: call) }
            }
        }
        router.on(
            .delete, path: "/reset-tempass/v3/reset/generic", name: "reset-tempass-generic", group: self.group
        ) { request in
            self.managed(request, .trials) { call, caller in
                try await self.resetTrials(call, caller) { call throws(WireError) in try self.person(in: call) }
            }
        }
    }

    /// 204 also when there was no trial to forget: what was asked for is then so already.
    private func resetTrials(
        _ call: Call, _ caller: ManagementCaller, _ identity: (Call) throws(WireError) -> TrialIdentity?
    ) async throws -> HTTPResponse {
        let requestor = try caller.requestor("requestor_id", in: call, self.domain.catalogue)
        // Also one that is switched off now: its trials are kept, and it may be switched on again.
        guard let mvpd = MVPDID(try call.required("mvpd_id")), self.domain.catalogue.mvpd(mvpd)?.trial != nil,
            self.domain.catalogue.requestor(requestor)?.integrations.contains(where: { $0.mvpd == mvpd }) == true
        else { throw WireError.invalid("mvpd_id") }
        _ = try await self.domain.trials.reset(
            of: try identity(call), requestor: requestor, mvpd: mvpd, actor: caller.actor, now: call.now)
        return Answer.empty(.noContent)
    }

    /// The device whose trials are reset; none for all.
    private func device(in call: Call) throws(WireError) -> TrialIdentity? {
        guard let text = self.named("device_id", in: call) else { return nil }
        guard let device = DeviceID(text), !text.unicodeScalars.contains("\u{FFFD}")
        else { throw .invalid("device_id") }
        return .device(self.domain.keys.deviceHash(device))
    }

    /// The person whose trials are reset, as `generic_data` names one; none for all.
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
