import CommandLineTool
import JSON5

extension Configuration {
    /// The manual page of the configuration: every setting, by the group it is in.
    static var manualPage: String {
        CommandLineProgram.manualPage(
            ofFile: ConfigurationFile.name, "the configuration of latchkeyd",
            paragraphs: [
                "JSON5: JSON with comments, names without quotes and commas at ends of lists. 'latchkeyd init' writes one with "
                    + "every setting and its default in comments; 'latchkeyd check-config' names faults with their lines. A "
                    + "running server reads it again at SIGHUP.",
                "Each file of latchkeyd.d/providers and latchkeyd.d/requestors beside it has one more entry of the list of that "
                    + "name, in the order of the files' names; 'latchkeyd provider' and 'latchkeyd requestor' write such files. "
                    + "Relative paths begin in the folder of the configuration.",
            ],
            sections: Self.described.map { (heading: $0.key, items: Self.items(of: [$0], in: "")) })
    }

    private static func items(
        of settings: [DescribedSetting], in place: String
    ) -> [(label: String, text: String)] {
        settings.flatMap { setting -> [(label: String, text: String)] in
            let name = place + setting.key
            let told = (label: name, text: "\(setting.explanation).")
            return switch setting.content {
            case .set(let value), .unset(let value): [(name, "\(told.text) Default or example: \(value.source)")]
            case .group(let inner): [told] + Self.items(of: inner, in: "\(name).")
            case .list(_, let entry): [told] + Self.items(of: entry, in: "\(name)[].")
            }
        }
    }
}
