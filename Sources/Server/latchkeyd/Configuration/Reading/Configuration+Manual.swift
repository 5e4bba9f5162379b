import CommandLineTool

extension Configuration {
    /// The manual page of the configuration: every setting, by the group it is in.
    static var manualPage: String {
        CommandLineProgram.manualPage(
            ofFile: ConfigurationFile.name, "the configuration of latchkeyd",
            paragraphs: [
                "JSON5: JSON with comments, names without quotes and commas at ends of lists. 'latchkeyd init' writes one with "
                    + "every setting and its default in comments; 'latchkeyd check-config' names faults with their lines. "
                    + "'systemctl reload latchkeyd' applies the settings that 'latchkeyd serve --help' names; the others "
                    + "need 'systemctl restart latchkeyd'.",
                "Each file of latchkeyd.d/providers and latchkeyd.d/requestors beside it has one more entry of the list of that "
                    + "name, in the order of the files' names; 'latchkeyd provider' and 'latchkeyd requestor' write such files. "
                    + "Relative paths begin in the folder of the configuration.",
            ],
            sections: Self.described().map { (heading: $0.key, items: DescribedSetting.items(of: [$0])) })
    }
}
