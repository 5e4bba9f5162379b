import ClaimsMapping
import Clientless
import CommandLineTool
import Cryptography

/// The common part of the kinds whose viewers sign in on the provider's own pages.
enum RemoteSettings {
    /// Whether exactly one place says what viewers may play; what is wrong otherwise is reported.
    /// - Parameters:
    ///   - source: the setting that names where the provider says it.
    ///   - isDecidedElsewhere: whether the provider's authorization endpoint says it.
    static func hasOneLineUp(
        _ section: SettingsSection, _ channels: [String], source: String, isSourceSet: Bool, isDecidedElsewhere: Bool
    ) -> Bool {
        if isSourceSet, !channels.isEmpty {
            section.fault("lineUp", "cannot stand beside \(source)")
            return false
        }
        if isDecidedElsewhere {
            for name in ["lineUp", source] where section.has(name) {
                section.fault(name, "cannot stand beside authorization")
                return false
            }
        } else if !isSourceSet, channels.isEmpty, !section.has("lineUp"), !section.has(source) {
            section.fault(source, "is missing, and so is lineUp; viewers could play nothing")
            return false
        }
        return true
    }

    /// The settings of the rules of user metadata; those that are not right, and two for one value, are reported.
    static func metadata(_ section: SettingsSection, _ explanation: String) -> [MappingSettings] {
        let settings = section.sections("metadata", atMost: 128, explanation, MappingSettings.init(_:))
        do throws(MappingFault) {
            _ = try MetadataMapping(settings.map { rule throws(MappingFault) in try rule.rule(label: "", hash: nil) })
        } catch {
            section.fault("metadata", "cannot be used: \(error)")
        }
        return settings
    }

    /// The rules of user metadata of a provider.
    /// - Parameter hash: makes the pseudonyms of rules with a keyed hash.
    static func mapping(
        _ settings: [MappingSettings], of mvpd: MVPDID, setting: String, hash: KeyedHash
    ) throws(OperatorError) -> MetadataMapping {
        do throws(MappingFault) {
            return try MetadataMapping(
                settings.map { rule throws(MappingFault) in try rule.rule(of: mvpd, hash: hash) })
        } catch {
            throw OperatorError("providers \(mvpd), \(setting): \(error).", exitCode: .configuration)
        }
    }

    static func contents(_ files: [String: Secret], of setting: String) throws(OperatorError) -> Secret {
        guard let contents = files[setting]
        else { throw OperatorError("\(setting) was not read.", exitCode: .configuration) }
        return contents
    }
}
