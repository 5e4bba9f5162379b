import Clientless
import Entitlement
import HTTPServer

// `preauthorize`, by device and by code: what may be played, to show locks (rest-v1 17).
extension RESTv1 {
    func addPreauthorizationRoutes(to router: inout Router) {
        router.on(.get, .post, path: "/api/v1/preauthorize", name: "preauthorize", group: self.throttled) {
            self.device($0, .preauthorization) { try await self.preauthorize($0) }
        }
        router.on(.get, .post, path: "/api/v1/preauthorize/{code}", name: "preauthorize-code", group: self.throttled) {
            request in
            let call = Call(request, now: self.now())
            // A page asks, so nobody is authenticated; the requestor it names decides how errors are written.
            let requestor = self.authenticator.presumedRequestor(of: request, named: call.requestorName)
            return .later {
                await self.answered(call, .preauthorization, for: requestor) {
                    try await self.preauthorize(byCode: call)
                }
            }
        }
    }

    private func preauthorize(_ device: DeviceCall) async throws -> HTTPResponse {
        let requestor = try device.requestor()
        let context = try self.context(of: device.call)
        let resources = try self.resources(device.call, requestor)
        let verdicts = try await self.domain.decisions.preauthorize(
            resources, context: context, requestor: requestor, now: device.call.now)
        return self.answer(verdicts, on: resources, device.call, requestor)
    }

    private func preauthorize(byCode call: Call) async throws -> HTTPResponse {
        let address = try self.admitGuess(call)
        guard let name = call.requestorName, !name.isEmpty else { throw WireError.missing("requestor") }
        guard let requestor = self.authenticator.requestors[name] else { throw WireError.invalid("requestor") }
        let resources = try self.resources(call, requestor)
        guard let code = RegistrationCodeText(call.request.segment("code")) else {
            self.countGuess(address, now: call.now)
            throw EntitlementError(.notAuthenticated)
        }
        let standing = try await self.domain.codes.codeStanding(of: code, requestor: requestor, now: call.now)
        switch standing {
        case .signedIn, .signInExpired, .open, .signInGone: break
        // Alike to a guesser, and a guess (rest-v1 24.4).
        case .unknown, .declined, .cancelled, .expired: self.countGuess(address, now: call.now)
        }
        let verdicts = try await self.domain.decisions.preauthorize(
            resources, codeStanding: standing, requestor: requestor, now: call.now)
        return self.answer(verdicts, on: resources, call, requestor)
    }

    private func resources(_ call: Call, _ requestor: RequestorID) throws -> [Resource] {
        let limit = self.domain.catalogue.requestor(requestor)?.preauthorizationLimit ?? 0
        let resources = try ResourceList.read(try call.required("resource"), limit: limit)
        guard resources.count <= limit else { throw EntitlementError(.tooManyResources) }
        return resources
    }

    private func answer(
        _ verdicts: [Verdict], on resources: [Resource], _ call: Call, _ requestor: RequestorID
    ) -> HTTPResponse {
        let style = self.styles.style(for: requestor, trace: call.request.id)
        return Answer.document(.preauthorization(verdicts, on: resources, style), call.format)
            .adding("Adobe-Response-Confidence", "full")
    }
}
