import Clientless
import Entitlement
import HTTPServer

/// One call as an endpoint of rest-v1 reads it.
struct Call: Sendable {
    let request: HTTPRequest
    let parameters: HTTPParameters
    let preference: FormatPreference
    let now: Timestamp

    /// Reads what every call has (rest-v1 3.3, 3.5).
    init(_ request: HTTPRequest, now: Timestamp) {
        let parameters = Self.parameters(of: request)
        self.request = request
        self.parameters = parameters
        self.preference = Self.preference(of: request, parameters)
        self.now = now
    }

    var format: WireFormat { self.preference.format }

    /// How the answers of `request` are written.
    static func preference(of request: HTTPRequest, _ parameters: HTTPParameters) -> FormatPreference {
        FormatPreference(
            suffix: request.suffix.map { WireFormat($0) }, parameter: parameters["format"],
            accept: request.headers["Accept"])
    }

    /// A body counts with `POST` alone; elsewhere it means nothing.
    private static func parameters(of request: HTTPRequest) -> HTTPParameters {
        guard request.method == .post else { return request.query }
        guard JSONObjectParameters.isJSON(request) else { return request.parameters }
        guard let members = JSONObjectParameters.read(request.body) else { return request.query }
        return request.query.overridden(by: members)
    }
}

extension WireFormat {
    init(_ suffix: PathSuffix) {
        switch suffix {
        case .json: self = .json
        case .xml: self = .xml
        }
    }
}

extension Call {
    /// A parameter the caller must give.
    func required(_ name: String) throws(WireError) -> String {
        guard let value = self.parameters[name], !value.isEmpty else { throw .missing(name) }
        return value
    }

    /// A parameter the caller may leave out; one longer than `limit` bytes cannot be used.
    func optional(_ name: String, atMost limit: Int) throws(WireError) -> String? {
        guard let value = self.parameters[name], !value.isEmpty else { return nil }
        guard value.utf8.count <= limit,
            !value.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw .invalid(name) }
        return value
    }

    /// `requestor`, or `requestor_id`, which some endpoints call it (rest-v1 4).
    var requestorName: String? { Self.requestorName(in: self.parameters) }

    static func requestorName(in parameters: HTTPParameters) -> String? {
        if let name = parameters["requestor"], !name.isEmpty { return name }
        return parameters["requestor_id"]
    }

    /// The provider, which some endpoints call `mso_id` and others `mvpd` (rest-v1 4).
    /// - Parameter name: what this endpoint calls it.
    func mvpdName(_ name: String) throws(WireError) -> String {
        for name in [name, "mso_id", "mvpd"] {
            if let value = self.parameters[name], !value.isEmpty { return value }
        }
        throw .missing(name)
    }

    /// The device the call is about (rest-v1 6.1).
    ///
    /// Bytes that are not UTF-8 have become U+FFFD; such an ID is refused, or two broken ones would be one device.
    func deviceID() throws(WireError) -> DeviceID {
        let text = try self.required("deviceId")
        guard let device = DeviceID(text), !text.unicodeScalars.contains("\u{FFFD}") else { throw .invalid("deviceId") }
        return device
    }

    /// The resource the call is about (rest-v1 23).
    func resource() throws(WireError) -> Resource {
        let text = try self.required("resource")
        guard let resource = Resource(text), XMLText.canCarry(text), !text.unicodeScalars.contains("\u{FFFD}")
        else { throw .invalid("resource") }
        guard (try? resource.channelTitle()) != nil else { throw .malformedResource }
        return resource
    }
}
