import Clientless
import Entitlement
import HTTPServer

// `regcode`: create, read, delete (rest-v1 11).
extension RESTv1 {
    func addRegistrationCodeRoutes(to router: inout Router) {
        let group = self.throttled(.path)
        router.on(.post, path: "/reggie/v1/{requestor}/regcode", name: "regcode-create", group: group) { request in
            self.device(request, for: { _ in .named(request.segment("requestor")) }, .registrationCode) {
                try await self.createCode($0)
            }
        }
        router.on(.get, path: "/reggie/v1/{requestor}/regcode/{code}", name: "regcode-read", group: group) {
            self.open($0, .registrationCode) { try await self.readCode($0) }
        }
        router.on(.delete, path: "/reggie/v1/{requestor}/regcode/{code}", name: "regcode-delete", group: group) {
            request in
            self.device(request, for: { _ in .named(request.segment("requestor")) }, .registrationCode) {
                try await self.deleteCode($0)
            }
        }
        // An example in the sources leaves the requestor out of the path (rest-v1 11.3).
        router.on(.delete, path: "/reggie/v1/regcode/{code}", name: "regcode-delete", group: self.throttled) {
            self.device($0, for: { .parameter($0.requestorName, orElse: .optional) }, .registrationCode) {
                try await self.deleteCode($0)
            }
        }
    }

    /// rest-v1 11.1.
    private func createCode(_ device: DeviceCall) async throws -> HTTPResponse {
        let call = device.call
        let requestor = try device.requestor()
        let request = try self.codeRequest(call, device.caller, requestor)
        let record = try await self.domain.codes.createCode(request, now: call.now)
        let document = WireDocument.registrationCode(record, page: self.page(of: requestor), hidesDevice: false)
        return Answer.document(document, call.format, status: .created)
    }

    /// rest-v1 11.2. Unauthenticated, so a code that is not there counts as a guess.
    private func readCode(_ call: Call) async throws -> HTTPResponse {
        let address = try self.admitGuess(call)
        guard let requestor = RequestorID(call.request.segment("requestor")),
            let known = self.domain.catalogue.requestor(requestor),
            let code = RegistrationCodeText(call.request.segment("code")),
            let record = try await self.domain.codes.openCode(code, of: requestor, now: call.now)
        else {
            self.countGuess(address, now: call.now)
            throw WireError.codeNotFound
        }
        let document = WireDocument.registrationCode(
            record, page: self.page(of: requestor), hidesDevice: known.hidesDeviceID)
        return Answer.document(document, call.format)
    }

    /// Where a viewer enters a code of `requestor`: its own page, or ours.
    private func page(of requestor: RequestorID) -> String {
        self.domain.catalogue.requestor(requestor)?.activationURL ?? self.settings.publicURL + ScreenPath.activate
    }

    /// rest-v1 11.3. A code that is not there is as deleted as one that was.
    private func deleteCode(_ device: DeviceCall) async throws -> HTTPResponse {
        if let code = RegistrationCodeText(device.call.request.segment("code")) {
            // Without a requestor the credential's own are meant; never everybody's.
            let requestors = device.caller.requestor.map { [$0] } ?? Array(device.caller.allowed)
            for requestor in requestors { try await self.domain.codes.deleteCode(code, of: requestor) }
        }
        return Answer.empty(.noContent)
    }
}
