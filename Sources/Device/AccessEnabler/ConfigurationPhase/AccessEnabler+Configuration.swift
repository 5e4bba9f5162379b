import Clientless
import Lifecycle
import Observability

// The configuration phase (access-enabler 6).
extension AccessEnabler {
    /// A box's clock that is further off than this is worth a report (access-enabler D-34).
    private static let tolerableSkew: Duration = .seconds(300)

    /// The ten steps of access-enabler 6.2. - Returns: why it failed, if it did.
    func configure(_ requestorID: String, _ urls: [String]) async -> ConfigurationFailure? {
        if let identity = self.identity, identity.requestorID != requestorID {
            // A login of the former requestor ends (access-enabler D-54).
            await self.advance(.requestorChanged)
            self.preselected = nil
        }
        self.identity = (requestorID, urls)
        self.configurationRun += 1
        guard let requestor = RequestorID(requestorID) else { return self.fail(AdvancedStatus("CFG400", .error)) }
        let answers: [ServiceConfiguration]
        do {
            answers = try await self.ask(self.servers(urls), for: requestor)
        } catch {
            return self.fail(configurationStatus(error), error)
        }
        guard let configuration = RequestorConfiguration(requestor, merging: answers) else {
            return self.fail(AdvancedStatus("CFG404", .error))
        }
        self.configuration = configuration
        self.preauthorizations.clear()
        self.reportSkew(answers.map(\.server))
        await self.bringUpToDate(configuration)
        self.gate = .open
        self.report(.requestorComplete(.success))
        return nil
    }

    /// A login that is under way goes on with the configuration it began with: a box that comes back before its router
    /// does would lose it otherwise (access-enabler D-54).
    private func fail(_ status: AdvancedStatus, _ cause: EntitlementError? = nil) -> ConfigurationFailure {
        if !self.flow.isRunning { self.configuration = nil }
        self.gate = .failed
        self.report(status)
        self.report(.requestorComplete(.error))
        return ConfigurationFailure(status: status, cause: cause)
    }

    /// Asks for the configuration again: the operator of the server may have added a provider, or switched one off.
    /// - Returns: whether there was an answer; without one the configuration stays as it is.
    func renewConfiguration() async -> Bool {
        guard let identity = self.identity, let known = self.configuration,
            let answers = try? await self.ask(self.servers(identity.serviceProviders), for: known.requestor),
            let configuration = RequestorConfiguration(known.requestor, merging: answers),
            self.configuration?.requestor == known.requestor
        else { return false }
        self.configuration = configuration
        return true
    }

    /// Each server once; those that must not be contacted are left out (access-enabler D-01).
    private func servers(_ urls: [String]) -> [ServiceProviderURL] {
        guard !urls.isEmpty else { return self.settings.environment?.serviceProvider.map { [$0] } ?? [] }
        var known: Set<ServiceProviderURL> = []
        return urls.compactMap { ServiceProviderURL($0) }.filter { known.insert($0).inserted }
    }

    /// Asks all servers at once. - Returns: their answers in the order they came; there is at least one.
    /// - Throws: the first failure, when no server answered.
    private func ask(
        _ servers: [ServiceProviderURL], for requestor: RequestorID
    ) async throws(EntitlementError) -> [ServiceConfiguration] {
        let services = servers.map { self.service($0) }
        var answers: [ServiceConfiguration] = []
        var failures: [EntitlementError] = []
        await withTaskGroup(of: Result<ServiceConfiguration, EntitlementError>.self) { group in
            for service in services {
                group.addTask { await self.configuration(of: service, for: requestor) }
            }
            for await result in group {
                switch result {
                case .success(let configuration):
                    self.logger.debug("[AccessEnabler] a service provider answered", [.count: .number(answers.count)])
                    answers.append(configuration)
                case .failure(let error):
                    self.logger.debug("[AccessEnabler] a service provider failed", [.error: .text(error.description)])
                    failures.append(error)
                }
            }
        }
        guard answers.isEmpty else { return answers }
        throw failures.first ?? EntitlementError(.unreachable, detail: "no service provider may be contacted")
    }

    private func configuration(
        of service: ServiceAccess, for requestor: RequestorID
    ) async -> Result<ServiceConfiguration, EntitlementError> {
        let answer = try? await withTimeout(self.settings.serviceProviderTimeout) {
            await Result { () async throws(EntitlementError) in
                try await self.server(service, for: requestor).configuration()
            }
        }
        return answer ?? .failure(EntitlementError(.unreachable, detail: "the service provider takes too long"))
    }

    private func reportSkew(_ servers: [ServiceProviderURL]) {
        let isOff = servers.contains { server in
            let offset = self.service(server).clock.offset
            return offset > Self.tolerableSkew || offset < .zero - Self.tolerableSkew
        }
        if isOff { self.report(AdvancedStatus("CFG100", .warning)) }
    }
}

/// The report of a failed configuration (access-enabler 16.1).
func configurationStatus(_ error: EntitlementError) -> AdvancedStatus {
    let code =
        switch error.code {
        case .untrusted: "SEC420"
        case .notRegistered: "R400"
        case .noAccessToken: "R401"
        case .credentialsRefused: "SEC403"
        case .serverFault: "CFG\(error.status ?? 500)"
        case .throttled: "CFG503"
        case .refused where error.status == 400: "CFG400"
        case .state: "500"
        default: "CFG404"
        }
    return AdvancedStatus(code, .error, details: error.detail)
}
