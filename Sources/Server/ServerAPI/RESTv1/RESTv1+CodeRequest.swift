import Clientless
import Entitlement
import HTTPServer

// The fields of a box that asks for a code (rest-v1 11.1).
extension RESTv1 {
    /// The longest `registrationURL`, in bytes.
    private static let maximumURL = 2048

    func codeRequest(_ call: Call, _ caller: Caller, _ requestor: RequestorID) throws(WireError) -> CodeRequest {
        let device = try call.deviceID()
        return CodeRequest(
            requestor: requestor, deviceID: device, context: try call.context(of: device, self.domain),
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
        let kept = request.headers["User-Agent"]?.prefix(bytes: Call.maximumText)
        let said = BoxWords.of(request.headers["X-Device-Info"] ?? call.parameters["device_info"] ?? "", kept ?? "")
        let source = self.addresses.address(of: request, isFromServer: caller.isServer)
        let address = source.description
        // A proxy's port says nothing of the box.
        let port = source == request.remoteAddress ? request.remotePort : nil
        let information = said.information?.base64(
            address: address, port: port, isSecure: self.settings.isSecure(request))
        return BoxDescription(
            name: said.name, model: said.model, software: said.software, userAgent: said.agent,
            deviceInformation: information, address: address)
    }
}

/// The words of a box about itself.
private struct BoxWords: Sendable {
    let name, model, software, agent: String?
    /// `nil` for a box that says nothing.
    let information: NormalisedDeviceInformation?

    /// The words that were read last, by their texts: boxes of one model say the same.
    private static let read = BoundedMemory<ExactText, BoxWords>(bound: 256)

    /// - Parameters:
    ///   - encoded: as a header or a parameter carries it; empty is nothing.
    ///   - agent: describes a box that says nothing else; empty is nothing.
    static func of(_ encoded: String, _ agent: String) -> BoxWords {
        // A header has no line breaks: the last one stands before the agent.
        let texts = ExactText("\(encoded)\n\(agent)")
        if let known = self.read[texts] { return known }
        let words = BoxWords(DeviceInformation(decoding: encoded), agent.isEmpty ? nil : agent)
        return encoded.utf8.count > 2048 ? words : self.read.update(texts, initial: words) { $0 }
    }

    private init(_ said: DeviceInformation?, _ agent: String?) {
        let known = said ?? agent.map { _ in DeviceInformation() }
        self.information = known.map { NormalisedDeviceInformation($0, userAgent: agent) }
        (self.name, self.model) = (said?.name, said?.modelName)
        (self.software, self.agent) = (said?.software ?? agent, agent)
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
