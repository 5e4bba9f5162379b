package import Phrases
package import WebPages

// The sentences of the pages: their files, and faults as those of templates.
extension Phrasebook {
    /// Reads a file of sentences, named by the tag of its language.
    /// - Throws: a fault when it is not a JSON object of sentences, or a sentence is malformed.
    package init(_ file: WebFile) throws(TemplateFault) {
        self = try located { () throws(PhraseFault) in
            try Phrasebook(language: String(file.name.prefix { $0 != "." }), file.bytes)
        }
    }

    /// ``completed(by:)``
    func filled(by fallback: Phrasebook) throws(TemplateFault) -> Phrasebook {
        try located { () throws(PhraseFault) in try self.completed(by: fallback) }
    }

    /// ``replacing(_:)``
    func saying(_ texts: [String: String]) throws(TemplateFault) -> Phrasebook {
        try located { () throws(PhraseFault) in try self.replacing(texts) }
    }
}

private func located(_ make: () throws(PhraseFault) -> Phrasebook) throws(TemplateFault) -> Phrasebook {
    do throws(PhraseFault) {
        return try make()
    } catch {
        throw TemplateFault(file: "\(error.language).json", line: 0, message: error.message)
    }
}
