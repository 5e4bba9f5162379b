import Clientless
import Entitlement
import HTTPServer

/// One call about a device, once its caller is known (sdk-services 1).
struct SDKCall: Sendable {
    let caller: DeviceCall
    let requestor: RequestorID
    let device: DeviceID

    var call: Call { self.caller.call }
    var now: Timestamp { self.call.now }
    var credential: BoxCredential { self.caller.caller.used }

    /// Reads the caller and the device that it asks for; a `pass_sfp` of another device is refused (sdk-services 2).
    init(_ device: DeviceCall, _ domain: Entitlements) throws {
        let call = device.call
        guard let requestor = device.caller.requestor else { throw WireError.missing("requestor_id") }
        guard let name = Self.deviceName(in: call.request, call.parameters.undeclared)
        else { throw WireError.missing("device_id") }
        guard let deviceID = DeviceID(fromWire: String(decoding: name, as: UTF8.self))
        else { throw WireError.invalid("device_id") }
        if let pass = call.request.headers["pass_sfp"], !pass.isEmpty {
            try domain.documents.checkPass(pass, device: deviceID)
        }
        self.caller = device
        self.requestor = requestor
        self.device = deviceID
    }

    /// The caller's word on the device: the header, or the parameter of those that have no header.
    static func deviceName(in request: HTTPRequest, _ parameters: HTTPParameters) -> ArraySlice<UInt8>? {
        if let name = request.headers.bytes("ap_21"), !name.isEmpty { return name }
        guard let name = parameters.bytes("device_id"), !name.isEmpty else { return nil }
        return name
    }

    func mvpd() throws(WireError) -> MVPDID {
        guard let mvpd = MVPDID(try self.call.required("mso_id")) else { throw .invalid("mso_id") }
        return mvpd
    }

    /// The resource the call names (rest-v1 23).
    func resource() throws -> Resource {
        let text = try self.call.required("resource_id")
        guard let resource = try? Resource(fromWire: text) else { throw SDKRefusal.invalidResource }
        return resource
    }

    /// The device context the call speaks for (rest-v1 6.3).
    func context(_ domain: Entitlements) throws(WireError) -> DeviceContext {
        try self.call.context(of: self.device, domain)
    }
}
