// Phrases: the sentences of a language as a data file has them: placeholders, the forms for numbers that Unicode CLDR
// names, the writing direction; and which of several languages fits a wish.
//
// It leaves to its neighbours: the files themselves and where they are kept (WebPages, BoxWords), who wishes for which
// language (ServerAPI, latchkey), and how a sentence is put on a page or a screen.

import FoundationEssentials

/// The sentences of one language.
package struct Phrasebook: Sendable {
    /// The language's tag (RFC 5646), such as `en` or `pt-BR`.
    package let language: String
    /// The writing direction, as the attribute `dir` names it.
    package let direction: String
    private var sentences: [String: Sentence] = [:]

    package init(language: String) {
        self.language = language
        let primary = language.prefix { $0 != "-" }.lowercased()
        self.direction = ["ar", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"].contains(primary) ? "rtl" : "ltr"
    }

    /// Reads a file of sentences.
    /// - Parameter bytes: a JSON object; under each key a text, or an object of forms for numbers.
    /// - Throws: a fault when it is not a JSON object of sentences, or a sentence is malformed.
    package init(language: String, _ bytes: [UInt8]) throws(PhraseFault) {
        self.init(language: language)
        let entries: [String: Entry]
        do {
            entries = try JSONDecoder().decode([String: Entry].self, from: Data(bytes))
        } catch {
            throw PhraseFault(language: language, message: "not a JSON object of sentences: \(error)")
        }
        let rule = PluralRule(language: self.language)
        for (key, entry) in entries {
            do throws(Sentence.Malformed) {
                self.sentences[key] =
                    switch entry {
                    case .text(let text): try Sentence(text)
                    case .forms(let forms): try Sentence(forms, rule: rule)
                    }
            } catch {
                throw PhraseFault(language: language, message: "\(key): \(error.message)")
            }
        }
    }

    package subscript(_ key: String) -> Sentence? { self.sentences[key] }

    package var keys: [String] { self.sentences.keys.sorted() }
    /// The language's name for itself, without anything to fill in.
    package var name: String { self.plain("language.name") ?? self.language }

    /// The sentence of `key` as it stands in the file, with `{name}` for each placeholder; of forms the one for many.
    package func plain(_ key: String) -> String? { self.sentences[key].map { Self.plain($0.pieces(for: nil)) } }

    private static func plain(_ pieces: [Sentence.Piece]) -> String {
        pieces.map { piece in
            switch piece {
            case .literal(let text): text
            case .placeholder(let name): "{\(name)}"
            }
        }.joined()
    }

    /// The sentence of `key` with `values` in the places of their names. A placeholder without a value stays as it is.
    /// - Parameter count: chooses among forms for numbers, and stands where the sentence says `{count}`.
    /// - Returns: `nil` when there is no such sentence.
    package func text(_ key: String, _ values: [String: String], count: Int? = nil) -> String? {
        self.sentences[key].map { sentence in
            sentence.pieces(for: count).map { piece in
                switch piece {
                case .literal(let text): text
                case .placeholder("count"): count.map { String($0) } ?? values["count"] ?? "{count}"
                case .placeholder(let name): values[name] ?? "{\(name)}"
                }
            }.joined()
        }
    }

    /// The sentence of `key` in every form, as ``plain(_:)`` has it; none when there is no such sentence.
    package func forms(_ key: String) -> [String] { self.sentences[key]?.forms.map { Self.plain($0) } ?? [] }

    /// The names of the placeholders of `key`, and whether it has forms for numbers.
    package func shape(of key: String) -> (placeholders: Set<String>, isCounted: Bool)? {
        self.sentences[key].map { ($0.placeholders, $0.isCounted) }
    }

    /// The same language with the sentences of `fallback` where its own are missing.
    /// - Throws: a fault for a key that `fallback` does not know, or a placeholder that its sentence does not have.
    package func completed(by fallback: Phrasebook) throws(PhraseFault) -> Phrasebook {
        for (key, sentence) in self.sentences {
            guard let original = fallback[key] else {
                throw PhraseFault(language: self.language, message: "'\(key)' is said nowhere")
            }
            for name in sentence.placeholders.subtracting(original.placeholders) {
                throw PhraseFault(language: self.language, message: "\(key): nothing is called '{\(name)}'")
            }
        }
        var copy = self
        copy.sentences.merge(fallback.sentences) { own, _ in own }
        return copy
    }

    package func replacing(_ texts: [String: String]) throws(PhraseFault) -> Phrasebook {
        var copy = self
        for (key, text) in texts {
            func fault(_ message: String) -> PhraseFault { PhraseFault(language: self.language, message: message) }
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

package struct PhraseFault: Error, Hashable, Sendable {
    /// The tag of the language, which is the file's name without `.json`.
    package let language: String
    package let message: String
}
