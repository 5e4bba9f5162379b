package enum CompletionShell: String, CaseIterable, Sendable {
    case bash, zsh, fish
}

extension CommandLineProgram {
    /// The script with which `shell` completes the program's commands and options, made of the table of commands.
    package func completion(for shell: CompletionShell) -> String {
        switch shell {
        case .bash: self.bashCompletion
        case .zsh: self.zshCompletion
        case .fish: self.fishCompletion
        }
    }

    /// Every command with the words that lead to it, the root first.
    private var paths: [[Command]] {
        func below(_ chain: [Command]) -> [[Command]] {
            [chain] + chain[chain.count - 1].subcommands.flatMap { below(chain + [$0]) }
        }
        return below([self.root])
    }

    private func options(of chain: [Command]) -> [CommandOption] {
        var known: Set<String> = []
        return (chain.flatMap(\.options) + [.flag("help", "Show how it is used")])
            .filter { known.insert($0.name).inserted }
    }

    /// Commands that list the values of options that offer some, by the options' names.
    private var offers: [(option: String, words: String)] {
        var known: Set<String> = []
        return self.paths.flatMap { $0[$0.count - 1].options }.compactMap { option in
            guard let values = option.values, known.insert(option.name).inserted else { return nil }
            switch values {
            case .words(let words): return (option.name, "printf \"%s\\n\" \(words.joined(separator: " "))")
            case .list(let command):
                return (option.name, "\(self.root.name) \(command) 2>/dev/null | awk \"NR > 1 { print \\$1 }\"")
            }
        }
    }

    /// The same as cases of a shell.
    private func offers(_ write: (String) -> String) -> String {
        self.offers.map { "        --\($0.option)) \(write($0.words)) ;;\n" }.joined()
    }

    /// A function that walks the words so far along the commands; `__` stands between the words of a path.
    private var bashCompletion: String {
        let function = "_" + self.root.name.map { $0 == "-" ? "_" : String($0) }.joined()
        var cases = ""
        for chain in self.paths {
            let path = chain.dropFirst().map(\.name).joined(separator: "__")
            let commands = chain[chain.count - 1].subcommands.map(\.name)
            let options = self.options(of: chain)
            let valued = options.filter { $0.placeholder != nil }.map { "--\($0.name)" }
            cases += """
                        '\(path)')
                            commands='\(commands.joined(separator: " "))'
                            options='\(options.map { "--\($0.name)" }.joined(separator: " "))'
                            valued=' \(valued.joined(separator: " ")) ' ;;

                """
        }
        return """
            # bash completion for \(self.root.name); made by '\(self.root.name) completion bash'.
            \(function)_words() {
                case "$1" in
            \(cases)        *) commands= options= valued=' ' ;;
                esac
            }

            \(function)() {
                local path= word index commands options valued values=
                \(function)_words ''
                for ((index = 1; index < COMP_CWORD; index++)); do
                    word=${COMP_WORDS[index]}
                    if [[ $valued == *" $word "* ]]; then
                        ((index++))
                        continue
                    fi
                    if [[ " $commands " == *" $word "* && $word != '' ]]; then
                        path=${path:+${path}__}$word
                        \(function)_words "$path"
                    fi
                done
                word=${COMP_WORDS[COMP_CWORD]}
                COMPREPLY=()
                if ((COMP_CWORD > 1)) && [[ $valued == *" ${COMP_WORDS[COMP_CWORD - 1]} "* ]]; then
                    case ${COMP_WORDS[COMP_CWORD - 1]} in
            \(self.offers { "values=$(\($0))" })        esac
                    if [[ -n $values ]]; then
                        mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
                    else
                        mapfile -t COMPREPLY < <(compgen -f -- "$word")
                    fi
                elif [[ $word == -* ]]; then
                    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
                else
                    mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word")
                fi
            }
            complete -o default -F \(function) \(self.root.name)

            """
    }

    private var zshCompletion: String {
        let function = "_" + self.root.name
        var cases = ""
        for chain in self.paths {
            let path = chain.dropFirst().map(\.name).joined(separator: " ")
            let commands = chain[chain.count - 1].subcommands.map { Self.zshItem($0.name, $0.summary) }
            let options = self.options(of: chain).map { Self.zshItem("--\($0.name)", $0.summary) }
            cases += """
                        '\(path)')
                            commands=(\(commands.joined(separator: " ")))
                            options=(\(options.joined(separator: " "))) ;;

                """
        }
        return """
            #compdef \(self.root.name)
            # zsh completion for \(self.root.name); made by '\(self.root.name) completion zsh'.
            \(function)_words() {
                case "$1" in
            \(cases)        *) commands=() options=() ;;
                esac
            }

            \(function)() {
                local way='' word
                local -a commands options
                \(function)_words ''
                for word in "${(@)words[2,CURRENT-1]}"; do
                    if (( ${commands[(I)${word}:*]} )); then
                        way="${way:+$way }$word"
                        \(function)_words "$way"
                    fi
                done
                case ${words[CURRENT-1]} in
            \(self.offers { "compadd -- $(\($0)); return" })        esac
                if [[ ${words[CURRENT]} == -* ]]; then
                    _describe option options
                elif (( ${#commands} )); then
                    _describe command commands
                else
                    _files
                fi
            }
            compdef \(function) \(self.root.name)

            """
    }

    private static func zshItem(_ name: String, _ summary: String) -> String {
        "'\(name):\(summary.replacing("'", with: "'\\''").replacing(":", with: "\\:"))'"
    }

    private var fishCompletion: String {
        let program = self.root.name
        var lines = [
            "# fish completion for \(program); made by '\(program) completion fish'.",
            "complete -c \(program) -f",
        ]
        for chain in self.paths {
            let words = chain.dropFirst().map(\.name)
            let command = chain[chain.count - 1]
            let children = command.subcommands.map(\.name)
            var condition = words.map { "__fish_seen_subcommand_from \($0)" }
            if !children.isEmpty {
                condition.append("not __fish_seen_subcommand_from \(children.joined(separator: " "))")
            }
            let guarded = condition.isEmpty ? "" : " -n '\(condition.joined(separator: "; and "))'"
            for child in command.subcommands {
                lines.append("complete -c \(program)\(guarded) -a \(child.name) -d \(Self.fishText(child.summary))")
            }
            let own =
                words.isEmpty
                ? "" : " -n '\(words.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and "))'"
            for option in command.options {
                let offer = self.offers.first { $0.option == option.name && option.values != nil }
                let value =
                    offer.map { " -x -a \(Self.fishText("(\($0.words))"))" }
                    ?? (option.placeholder == nil ? "" : " -r")
                lines.append(
                    "complete -c \(program)\(own) -l \(option.name)\(value) -d \(Self.fishText(option.summary))")
            }
        }
        lines.append("complete -c \(program) -l help -d 'Show how it is used'")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func fishText(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
