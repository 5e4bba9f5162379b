/// The two documents that a provider publishes.
struct ProviderDocuments: Sendable {
    let settings: OpenIDConnectClient.Settings
    let exchange: any ProviderTransport

    func metadata() async throws(OpenIDConnectFault) -> CachedDocument<ProviderMetadata, OpenIDConnectFault>.Fetched {
        let address = self.settings.metadataAddress ?? self.settings.issuer.metadataAddress
        let answer = try await self.fetch(address, limit: ProviderMetadata.maximumSize, .discovery)
        let metadata = try ProviderMetadata(
            reading: answer.body, issuer: self.settings.issuer, policy: self.settings.policy)
        return .init(value: metadata, life: CacheLife.read(answer.cacheControl))
    }

    func keys(
        at address: EndpointAddress
    ) async throws(OpenIDConnectFault) -> CachedDocument<KeySet, OpenIDConnectFault>.Fetched {
        let answer = try await self.fetch(address.text, limit: KeySet.maximumSize, .keys)
        guard let keys = KeySet(answer.body) else { throw OpenIDConnectFault(.keys, .unreadable) }
        return .init(value: keys, life: CacheLife.read(answer.cacheControl))
    }

    private func fetch(
        _ address: String, limit: Int, _ step: OpenIDConnectFault.Step
    ) async throws(OpenIDConnectFault) -> ExchangeAnswer {
        let request = ExchangeRequest(
            .get, address, headers: [("Accept", "application/json")], limit: limit, time: self.settings.time)
        let answer = try await self.exchange.send(request) { OpenIDConnectFault(step, .exchange($0)) }
        guard answer.status == 200 else { throw OpenIDConnectFault(step, .status(answer.status)) }
        return answer
    }
}
