import HTTPServer

/// An error for a person in front of a browser: the same words as the document, in a page without anything that loads
/// (rest-v1 13.1, 24.3).
enum ErrorPage {
    static let contentType = "text/html; charset=utf-8"
    /// Nothing may run or load, whatever got into the sentence.
    static let policy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

    static func bytes(of error: WireError) -> [UInt8] {
        let title = self.escaped("\(error.status.code) \(error.status.reason)")
        let message = self.escaped(error.message)
        let page = """
            <!DOCTYPE html><html lang="en"><head><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width, initial-scale=1">\
            <meta name="color-scheme" content="light dark"><title>\(title)</title></head>\
            <body><h1>\(title)</h1><p>\(message)</p></body></html>

            """
        return Array(page.utf8)
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
