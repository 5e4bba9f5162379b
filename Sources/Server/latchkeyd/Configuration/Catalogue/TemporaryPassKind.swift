import Clientless
import CommandLineTool
import Entitlement

/// A TempPass (rest-v1 20.1): no accounts at all, and a trial for every box or person.
struct TemporaryPassKind: ProviderKind {
    static let name = "temporaryPass"
    static let explanation = "without any"
    static let group = "trial"
    static let options: [Option] = [
        (.value("lifetime", "TIME", "temporaryPass: how long it lasts, such as 10m"), "lifetime")
    ]

    let trial: TrialRules?

    static func read(_ provider: SettingsSection, isChosen: Bool) -> TemporaryPassKind? {
        provider.section(Self.group, "The settings of a provider of kind temporaryPass") { section in
            let lifetime = section.readOptional(
                "lifetime", .duration(.seconds(1) ... .seconds(366 * 86_400)), example: "10m",
                "How long a trial lasts, counted from the first permit, watched or not")
            let resources = section.readOptional(
                "maximumResources", .integer(1...1000), example: 3,
                "The most different channels or programmes of one trial; left out, any number; needs identityKey")
            let key = section.readOptional(
                "identityKey", .metadataKey, example: "email",
                "The member of generic_data that names a person, who then has one trial on all boxes")
            guard isChosen else {
                section.refuseAll("is set, but the provider is not of kind temporaryPass")
                return nil
            }
            if resources != nil, key == nil {
                section.fault("maximumResources", "is set, but identityKey, which makes a trial promotional, is not")
            }
            guard let lifetime else {
                if !section.has("lifetime") { section.fault("lifetime", "is missing; a trial does not last for ever") }
                return nil
            }
            return TemporaryPassKind(
                trial: TrialRules(lifetime: lifetime, maximumResources: resources, identityKey: key))
        }
    }

    func provider(of mvpd: MVPDID, _ parts: ProviderParts) -> (any Provider)? { nil }
}
