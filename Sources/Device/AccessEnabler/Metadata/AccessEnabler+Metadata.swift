import Clientless
import FoundationEssentials

// `getMetadata` (access-enabler 7.17, 13). No network.
extension AccessEnabler {
    func metadata(_ arguments: [String: MetadataArgument]) async -> MetadataResult {
        var result = MetadataResult.nothing
        if self.gate == .open, let query = MetadataQuery(arguments: arguments) { result = await self.answer(query) }
        var key = -1
        if case .opcode(let opcode) = arguments[MetadataKey.opcode] { key = opcode }
        self.report(.metadata(result, key: key, arguments: arguments))
        return result
    }

    private func answer(_ query: MetadataQuery) async -> MetadataResult {
        switch query {
        case .authenticationExpiry:
            guard let signIn = await self.signIn() else { return .nothing }
            return Self.expiry(signIn.token.expiryText, signIn.token.expires)
        case .authorizationExpiry(let resource):
            guard let configuration = self.configuration, let signIn = await self.signIn(),
                let provider = await self.kept(signIn), let key = Resource(resource)?.storeKey,
                let kept = provider.authz[key], kept.expires > self.now(configuration).milliseconds,
                let token = try? AuthorizationToken(xml: kept.xml)
            else { return .nothing }
            return Self.expiry(token.expiryText, token.expires)
        case .deviceID:
            guard self.configuration?.deviceIDMetadataEnabled == true, let deviceID = try? await self.deviceID()
            else { return .nothing }
            return MetadataResult(value: .string(deviceID.text), isEncrypted: false, date: nil)
        case .user(let name):
            guard let signIn = await self.signIn(), let provider = await self.kept(signIn),
                let payload = provider.userMetadata.flatMap(UserMetadataPayload.init),
                let value = payload.data[name] ?? nil
            else { return .nothing }
            return MetadataResult(
                value: value, isEncrypted: payload.encrypted?.contains(name) ?? false, date: nil)
        }
    }

    private func kept(_ signIn: CurrentSignIn) async -> StoreImage.Provider? {
        guard let requestor = self.configuration?.requestor.text else { return nil }
        return try? await self.vault.image()[requestor: requestor, mvpd: signIn.facts.id]
    }

    private static func expiry(_ text: String, _ moment: Timestamp) -> MetadataResult {
        MetadataResult(
            value: .string(text), isEncrypted: false,
            date: Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000))
    }
}

extension AccessEnabler.MetadataResult {
    static let nothing = Self(value: nil, isEncrypted: false, date: nil)
}
