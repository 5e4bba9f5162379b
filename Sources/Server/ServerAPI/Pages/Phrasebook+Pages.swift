package import Phrases
package import WebPages

// The sentences of the pages: their files, and faults as those of templates.
extension Phrasebook {
    /// Reads a file of sentences, named by the tag of its language.
    /// - Throws: a fault when it is not a JSON object of sentences, or a sentence is malformed.
    package init(_ file: WebFile) throws(TemplateFault) {
        do throws(PhraseFault) {
            try self.init(language: String(file.name.prefix { $0 != "." }), file.bytes)
        } catch {
            throw TemplateFault(error)
        }
    }

    /// ``completed(by:)``
    func filled(by fallback: Phrasebook) throws(TemplateFault) -> Phrasebook {
        do throws(PhraseFault) {
            return try self.completed(by: fallback)
        } catch {
            throw TemplateFault(error)
        }
    }

    /// ``replacing(_:)``
    func saying(_ texts: [String: String]) throws(TemplateFault) -> Phrasebook {
        do throws(PhraseFault) {
            return try self.replacing(texts)
        } catch {
            throw TemplateFault(error)
        }
    }
}

extension TemplateFault {
    fileprivate init(_ fault: PhraseFault) {
        self.init(file: "\(fault.language).json", line: 0, message: fault.message)
    }
}
