import FoundationEssentials
package import WebPages

/// The sentences of one language.
package struct Phrasebook: Sendable {
    /// The language's tag (RFC 5646), such as `en` or `pt-BR`; the file's name without `.json`.
    package let language: String
    private var sentences: [String: Sentence]

    /// Reads a file of sentences.
    /// - Throws: a fault when it is not a JSON object of sentences, or a sentence is malformed.
    package init(_ file: WebFile) throws(TemplateFault) {
        self.language = String(file.name.prefix { $0 != "." })
        let entries: [String: Entry]
        do {
            entries = try JSONDecoder().decode([String: Entry].self, from: Data(file.bytes))
        } catch {
            throw TemplateFault(file: file.name, line: 0, message: "not a JSON object of sentences: \(error)")
        }
        self.sentences = [:]
        let rule = PluralRule(language: self.language)
        for (key, entry) in entries {
            do throws(Sentence.Malformed) {
                self.sentences[key] =
                    switch entry {
                    case .text(let text): try Sentence(text)
                    case .forms(let forms): try Sentence(forms, rule: rule)
                    }
            } catch {
                throw TemplateFault(file: file.name, line: 0, message: "\(key): \(error.message)")
            }
        }
    }

    subscript(_ key: String) -> Sentence? { self.sentences[key] }

    /// Every key, in order.
    package var keys: [String] { self.sentences.keys.sorted() }

    /// What the language calls itself, without anything to fill in.
    package var name: String { self.plain(PhraseKey.languageName.rawValue) ?? self.language }

    /// The sentence of `key` as it stands in the file, with `{name}` for each placeholder; of forms the one for many.
    package func plain(_ key: String) -> String? {
        self.sentences[key].map { sentence in
            sentence.pieces(for: nil).map { piece in
                switch piece {
                case .literal(let text): text
                case .placeholder(let name): "{\(name)}"
                }
            }.joined()
        }
    }

    /// The names of the placeholders of `key`, and whether it has forms for numbers.
    package func shape(of key: String) -> (placeholders: Set<String>, isCounted: Bool)? {
        self.sentences[key].map { ($0.placeholders, $0.isCounted) }
    }

    /// The writing direction, as the attribute `dir` names it.
    package var direction: String {
        let primary = self.language.prefix { $0 != "-" }.lowercased()
        return ["ar", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"].contains(primary) ? "rtl" : "ltr"
    }

    /// The same language with the sentences of `fallback` where its own are missing.
    /// - Throws: a fault for a key that `fallback` does not know, or a placeholder that its sentence does not have.
    func completed(by fallback: Phrasebook) throws(TemplateFault) -> Phrasebook {
        for (key, sentence) in self.sentences {
            guard let original = fallback[key] else {
                throw TemplateFault(file: "\(self.language).json", line: 0, message: "'\(key)' is said nowhere")
            }
            for name in sentence.placeholders.subtracting(original.placeholders) {
                throw TemplateFault(
                    file: "\(self.language).json", line: 0, message: "\(key): nothing is called '{\(name)}'")
            }
        }
        var copy = self
        copy.sentences.merge(fallback.sentences) { own, _ in own }
        return copy
    }

    /// The same language with other sentences of one form.
    func replacing(_ texts: [String: String]) throws(TemplateFault) -> Phrasebook {
        var copy = self
        for (key, text) in texts {
            func fault(_ message: String) -> TemplateFault {
                TemplateFault(file: "\(self.language).json", line: 0, message: message)
            }
            guard let original = self.sentences[key] else { throw fault("there is no sentence '\(key)'") }
            guard !original.isCounted else { throw fault("'\(key)' has forms for numbers and stays as it is") }
            do throws(Sentence.Malformed) {
                let sentence = try Sentence(text)
                if let name = sentence.placeholders.subtracting(original.placeholders).min() {
                    throw Sentence.Malformed(message: "nothing is called '{\(name)}' in '\(key)'")
                }
                copy.sentences[key] = sentence
            } catch {
                throw fault(error.message)
            }
        }
        return copy
    }

    /// A sentence as the file spells it: a string, or an object of forms.
    private enum Entry: Decodable {
        case text(String)
        case forms([PluralForm: String])

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                self = .text(text)
                return
            }
            var forms: [PluralForm: String] = [:]
            let container = try decoder.container(keyedBy: PluralForm.self)
            for form in container.allKeys { forms[form] = try container.decode(String.self, forKey: form) }
            self = .forms(forms)
        }
    }
}
