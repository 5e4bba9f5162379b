import Clientless
import Entitlement

extension WireDocument {
    static func userMetadata(_ metadata: UserMetadata) -> WireDocument {
        let values = metadata.values.filter { !metadata.encryptedKeys.contains($0.key) }.map { key, value in
            let value: WireValue =
                switch value {
                case .text(let text): .string(text)
                case .list(let texts): .array(texts.map { .string($0) })
                case .map(let entries): .object(WireObject(entries.map { .init($0.name, .string($0.value)) }))
                }
            return WireObject.Member(key, value)
        }
        return WireDocument(
            "userMetadata",
            WireObject([
                .init("updated", .integer(metadata.updated.seconds)), .init("encrypted", .array([])),
                .init("data", .object(WireObject(values))),
            ]))
    }

    static func preauthorization(_ verdicts: some Sequence<(Resource, Verdict)>) -> WireDocument {
        let resources = verdicts.map { resource, verdict in
            WireValue.object(
                WireObject([.init("id", .string(resource.text)), .init("authorized", .bool(verdict.isPermit))]))
        }
        return WireDocument("resources", WireObject([.init("resources", .array(resources))]))
    }
}
