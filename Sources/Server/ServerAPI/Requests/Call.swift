import Clientless
import Entitlement
import HTTPServer

struct Call: Sendable {
    /// The most pairs of query and form together.
    static let maximumPairs = 256
    /// The longest text of the deprecated, free-form parameters, in bytes.
    static let maximumText = 256

    let request: HTTPRequest
    let parameters: CallParameters
    let preference: FormatPreference
    let now: Timestamp

    /// Reads what every call has (rest-v1 3.3, 3.5).
    /// - Parameter endpoint: whose fields may be read.
    init(_ request: HTTPRequest, of endpoint: EndpointFacts, now: Timestamp) {
        let parameters = Self.parameters(of: request)
        self.request = request
        self.parameters = CallParameters(undeclared: parameters, endpoint: endpoint)
        self.preference = Self.preference(of: request, parameters)
        self.now = now
    }

    var format: WireFormat { self.preference.format }

    func place(_ wording: ErrorWording, _ requestor: RequestorID?) -> ErrorPlace {
        ErrorPlace(preference: self.preference, trace: self.request.id, wording: wording, requestor: requestor)
    }

    /// How the answers of `request` are written.
    static func preference(of request: HTTPRequest, _ parameters: HTTPParameters) -> FormatPreference {
        FormatPreference(
            suffix: request.suffix.flatMap { WireFormat(name: $0) }, parameter: parameters["format"],
            accept: AcceptHeader(of: request.headers))
    }

    /// A body counts with `POST` alone; elsewhere it means nothing.
    private static func parameters(of request: HTTPRequest) -> HTTPParameters {
        guard request.method == .post else { return request.query }
        guard FlatJSONObject.isBody(of: request) else { return request.parameters }
        guard let object = FlatJSONObject(request.body) else { return request.query }
        return request.query.overridden(by: object.parameters)
    }
}

/// The parameters of a call, of which a handler reads those that its endpoint declares.
struct CallParameters: Sendable {
    /// All of them, for what every call has: credential, requestor, form.
    let undeclared: HTTPParameters
    let endpoint: EndpointFacts

    /// Others, for an endpoint that reads its body in a way of its own.
    func replaced(by parameters: HTTPParameters) -> CallParameters {
        CallParameters(undeclared: parameters, endpoint: self.endpoint)
    }

    /// The last value of `name`.
    /// - Precondition: the endpoint declares the field.
    subscript(_ name: String) -> String? {
        self.check(name)
        return self.undeclared[name]
    }

    /// Every value of `name`, in order.
    /// - Precondition: the endpoint declares the field.
    func all(_ name: String) -> [String] {
        self.check(name)
        return self.undeclared.all(name)
    }

    var countsGuesses: Bool { self.endpoint.limits.codes != .notTried }

    private func check(_ name: String) {
        assert(self.endpoint.declares(field: name), "\(self.endpoint.name) does not declare the field \(name)")
    }
}

extension Call {
    /// A caller that needs no credential, as guesses count it.
    /// - Parameter server: the credential of the programmer's server that calls, if one does.
    /// - Precondition: the endpoint declares that it counts guesses.
    func guesser(_ addresses: CallerAddresses, server: String?) -> Guesser {
        assert(self.parameters.countsGuesses, "an endpoint that tries codes counts guesses")
        let address = addresses.address(of: self.request).network
        guard let server else { return Guesser(address) }
        return Guesser(
            addresses.address(of: self.request, isFromServer: true).network,
            relay: Guesser.Relay(credential: server, at: address))
    }
}

extension Face {
    /// A caller that needs no credential, as guesses count it. One that it shows all the same decides one thing: a
    /// programmer's server forwards the addresses of its viewers, so that none pays for the mistakes of all (rest-v1
    /// 24.4, 28.2).
    func guesser(of call: Call) -> Guesser {
        call.guesser(self.addresses, server: self.authenticator.server(calling: call.request, now: call.now))
    }
}

extension DeviceCall {
    /// The device that calls, as guesses count it; a server that calls for its devices forwards their addresses (rest-v1
    /// 28.2).
    /// - Parameter device: the one the call names, if it names one.
    func guesser(_ addresses: CallerAddresses, device: DeviceHash?) -> Guesser {
        let request = self.call.request
        return Guesser(
            addresses.address(of: request, isFromServer: self.caller.isServer).network, box: device?.bytes,
            relay: self.caller.isServer
                ? Guesser.Relay(credential: self.caller.credential.name, at: addresses.address(of: request).network)
                : nil)
    }
}

extension Call {
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

    /// A whole number of at most nine digits that the caller may leave out.
    func number(_ name: String) throws(WireError) -> Int? {
        guard let text = self.parameters[name], !text.isEmpty else { return nil }
        guard text.utf8.count <= 9, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int(text)
        else { throw .invalid(name) }
        return number
    }

    /// `requestor`, or `requestor_id`, which some endpoints call it (rest-v1 4).
    var requestorName: ArraySlice<UInt8>? { Self.requestorName(in: self.parameters.undeclared) }

    static func requestorName(in parameters: HTTPParameters) -> ArraySlice<UInt8>? {
        if let name = parameters.bytes("requestor"), !name.isEmpty { return name }
        return parameters.bytes("requestor_id")
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
    func deviceID() throws(WireError) -> DeviceID {
        let text = try self.required("deviceId")
        guard let device = DeviceID(fromWire: text) else { throw .invalid("deviceId") }
        return device
    }

    /// The device context the call speaks for (rest-v1 6.3).
    func context(of device: DeviceID, _ domain: Entitlements) throws(WireError) -> DeviceContext {
        domain.signIns.context(
            device, appID: try self.optional("appId", atMost: Self.maximumText),
            deviceUser: try self.optional("deviceUser", atMost: Self.maximumText))
    }

    /// The resource the call is about (rest-v1 23).
    func resource() throws(WireError) -> Resource {
        try Resource(parameter: "resource", try self.required("resource"))
    }
}

extension Resource {
    /// The resource that a parameter names, checked as everywhere (``Resource/init(fromWire:)``).
    /// - Parameter name: the parameter's, for the error.
    init(parameter name: String, _ text: String) throws(WireError) {
        do throws(WireFault) {
            self = try Resource(fromWire: text)
        } catch {
            switch error {
            case .unusable: throw .invalid(name)
            case .malformedDocument: throw .malformedResource
            }
        }
    }
}

/// Why a question of an operator or their program cannot be answered.
struct QuestionFault: Error {
    let sentence: String
}

extension FlatJSONObject {
    /// The members that are texts, numbers or flags, as pairs of a form.
    var parameters: HTTPParameters {
        HTTPParameters(
            pairs: self.members.compactMap { member in member.value.scalarText.map { (member.name, $0) } })
    }

    /// Whether the request says that its body is JSON and has one.
    static func isBody(of request: HTTPRequest) -> Bool {
        guard !request.body.isEmpty, !request.headers.has("Content-Type", "application/x-www-form-urlencoded"),
            let type = request.headers["Content-Type"]
        else { return false }
        let essence = type.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
        return essence.elementsEqual("application/json".utf8, by: { $0 | 0x20 == $1 | 0x20 })
    }
}
