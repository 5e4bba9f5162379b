import Clientless
import Entitlement
import HTTPServer

// The fields of a box that asks for a code (rest-v1 11.1).
extension RESTv1 {
    /// The longest `registrationURL`, in bytes.
    private static let maximumURL = 2048

    func codeRequest(
        _ call: Call, _ caller: Caller, _ requestor: RequestorID
    ) throws(WireError) -> CodeRequest {
        CodeRequest(
            requestor: requestor, deviceID: try call.deviceID(), context: try self.context(of: call),
            mvpd: try Self.preselected(call.parameters["mvpd"]),
            registrationURL: try call.optional("registrationURL", atMost: Self.maximumURL),
            deviceType: try call.optional("deviceType", atMost: Call.maximumText),
            appVersion: try call.optional("appVersion", atMost: Call.maximumText),
            box: self.box(of: call, caller), application: caller.application,
            credential: caller.used)
    }

    /// The device context a call speaks for (rest-v1 6.3).
    func context(of call: Call) throws(WireError) -> DeviceContext {
        try call.context(of: try call.deviceID(), self.domain)
    }

    /// The provider a box preselects, stored and returned as it came. Whether the viewer may pick it, perhaps no longer,
    /// the picker decides.
    private static func preselected(_ name: String?) throws(WireError) -> MVPDID? {
        guard let name, !name.isEmpty else { return nil }
        guard let mvpd = MVPDID(name) else { throw .invalid("mvpd") }
        return mvpd
    }

    /// `ttl` in seconds; empty is as absent.
    static func lifetime(_ call: Call) throws(WireError) -> Duration {
        let seconds = try call.number("ttl") ?? CodeRequest.defaultLifetime
        guard CodeRequest.lifetimes.contains(seconds) else { throw .invalid("ttl") }
        return .seconds(seconds)
    }

    /// The box as the confirmation page will show it, from what it says of itself and what the request shows (rest-v1
    /// 5).
    private func box(of call: Call, _ caller: Caller) -> BoxDescription {
        let request = call.request
        let encoded = request.headers["X-Device-Info"] ?? call.parameters["device_info"]
        let said = encoded.flatMap { DeviceInformation(decoding: $0) }
        let kept = request.headers["User-Agent"]?.prefix(bytes: Call.maximumText)
        let agent = kept?.isEmpty == true ? nil : kept
        let address = self.addresses.address(of: request, isFromServer: caller.isServer)
        // A proxy's port says nothing of the box.
        let port = address == request.remoteAddress ? request.remotePort : nil
        // A box that says nothing of itself is described by its request, when that says something.
        let known = said ?? agent.map { _ in DeviceInformation() }
        let normalised = known.map {
            NormalisedDeviceInformation(
                $0, userAgent: agent, address: address.description, port: port,
                isSecure: self.settings.isSecure(request))
        }
        return BoxDescription(
            name: said?.name, model: said?.modelName, software: said?.software ?? agent, userAgent: agent,
            deviceInformation: normalised?.base64, address: address.description)
    }
}

extension DeviceInformation {
    /// The box's own name. Not of the documented members; boxes of this project send `deviceName`.
    fileprivate var name: String? {
        for member in self.foreign where member.name == "deviceName" || member.name == "name" {
            if case .string(let text) = member.value, !text.isEmpty { return text }
        }
        return nil
    }

    /// Maker and model, without the maker twice.
    fileprivate var modelName: String? {
        guard let model = self.model else { return self.manufacturer ?? self.vendor }
        guard let maker = self.manufacturer ?? self.vendor, !model.hasPrefix(maker) else { return model }
        return "\(maker) \(model)"
    }

    /// Application and system, as far as they are said.
    fileprivate var software: String? {
        let system = [self.osName ?? self.osFamily, self.osVersion].compactMap { $0 }.joined(separator: " ")
        let parts = [self.applicationId, system.isEmpty ? nil : system].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
