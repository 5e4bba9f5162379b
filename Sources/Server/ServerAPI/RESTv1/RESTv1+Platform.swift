import Clientless
import Entitlement
import HTTPServer

// Platform SSO: the provider account of a device's operating system (rest-v1 21).
extension RESTv1 {
    /// The values `deviceType` may have here.
    private static let platforms: Set<String> = ["iOS", "tvOS"]

    func addPlatformRoutes(to router: inout Router) {
        router.on(
            .get, path: "/api/v1/{requestor}/profile-requests/{mvpd}", name: "profile-request",
            group: self.throttled(.path)
        ) { request in
            self.device(request, for: { _ in .named(request.segment("requestor")) }, .authentication) {
                try self.profileRequest($0)
            }
        }
        router.on(.post, path: "/api/v1/tokens/authn", name: "platform-exchange", group: self.throttled) {
            self.device($0, .authentication) { try await self.exchange($0) }
        }
    }

    /// rest-v1 21.1: bytes for the operating system, whatever form the call asks for.
    private func profileRequest(_ device: DeviceCall) throws -> HTTPResponse {
        try Self.checkPlatform(device.call)
        let boarding = try self.boarding(device.call.request.segment("mvpd"), try device.requestor())
        guard let bytes = boarding.profileRequest, !bytes.isEmpty else { throw WireError.invalid("mvpd") }
        return HTTPResponse(
            headers: HTTPHeaders([
                ("Content-Type", "application/octet-stream"), ("Cache-Control", Answer.uncached),
            ]),
            body: .bytes(bytes))
    }

    /// rest-v1 21.2: 204, or 400 whatever is wrong with what was sent.
    private func exchange(_ device: DeviceCall) async throws -> HTTPResponse {
        let call = device.call
        let requestor = try device.requestor()
        let context = try self.context(of: call)
        let name = try call.mvpdName("mvpd")
        try Self.checkPlatform(call)
        let response = try call.required("SAMLResponse")
        _ = try self.boarding(name, requestor)
        guard let mvpd = MVPDID(name) else { throw WireError.invalid("mvpd") }
        _ = try await self.domain.signIns.platformSignIn(
            context, requestor: requestor, mvpd: mvpd,
            // A plus sign that a sloppy client left unencoded has become a space.
            samlResponse: response.replacing(" ", with: "+"), now: call.now)
        return Answer.empty(.noContent)
    }

    private static func checkPlatform(_ call: Call) throws(WireError) {
        guard self.platforms.contains(try call.required("deviceType")) else { throw .invalid("deviceType") }
    }

    /// How the provider takes part, when it does so in full.
    private func boarding(_ name: String, _ requestor: RequestorID) throws(WireError) -> PlatformBoarding {
        guard let mvpd = MVPDID(name),
            let boarding = self.domain.catalogue.integration(requestor, mvpd)?.platform, boarding.isEnabled,
            boarding.status == .supported
        else { throw .invalid("mvpd") }
        return boarding
    }
}
