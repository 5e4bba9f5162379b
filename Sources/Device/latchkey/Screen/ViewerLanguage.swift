import CommandLineTool
import POSIX

/// Which language a viewer at a screen is spoken to in: `--language`, else the setting `language`, else the locale of the
/// environment; English if the box does not speak it, or the screen cannot show it.
struct ViewerLanguage: Sendable {
    /// The language that `--language` or the configuration names: a tag of ``BoxPhrases/languages``; `nil` if
    /// neither does.
    var chosen: String?
    var environment: [String: String]
    var terminal: Terminal
    /// Of the machine's own screen; `nil` of every other.
    var console: LinuxConsole?

    var phrases: BoxPhrases {
        let language = self.chosen ?? BoxPhrases.language(ofEnvironment: self.environment)
        guard let language, language != BoxPhrases.english.language else { return .english }
        let phrases = BoxPhrases(language: language)
        return self.shows(phrases) ? phrases : .english
    }

    /// Whether the words arrive as they are. A console is asked for its font; of other screens the locale says whether
    /// they read UTF-8. A file or a journal holds any words that were chosen on purpose.
    private func shows(_ phrases: BoxPhrases) -> Bool {
        guard self.terminal.isTerminal else { return self.chosen != nil || self.terminal.isUTF8 }
        if phrases.isRightToLeft, !self.ordersWords { return false }
        if let console { return console.isUnicode && console.shows(phrases.foreignCharacters) }
        return self.terminal.isUTF8
    }

    /// Whether the terminal puts words that are read from right to left in their order (UAX 9). Most do not, and show them
    /// backwards. VTE does since 0.58, and Konsole and mlterm do.
    private var ordersWords: Bool {
        if let version = self.environment["VTE_VERSION"].flatMap({ Int($0) }), version >= 5800 { return true }
        return self.environment["KONSOLE_VERSION"] != nil || self.environment["TERM"]?.hasPrefix("mlterm") == true
    }
}

extension ViewerLanguage {
    /// The language that `--language` asks for; `nil` without the option.
    /// - Throws: when the box does not speak it.
    static func chosen(by arguments: ParsedArguments) throws(UsageError) -> String? {
        guard let wish = arguments.value("language") else { return nil }
        guard let language = BoxPhrases.language(fitting: wish) else {
            throw arguments.fault(
                "--language takes one of \(BoxPhrases.languages.joined(separator: ", ")), not "
                    + "'\(terminalSafe(wish, limit: 40))'.")
        }
        return language
    }
}
