/// The page `helpUrl` leads to: what each code means and what to do about it (rest-v1 8.3).
enum ErrorHelpPage {
    static let path = "/help/errors"

    static let bytes: [UInt8] = {
        var page = """
            <!DOCTYPE html><html lang="en"><head><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width, initial-scale=1">\
            <meta name="color-scheme" content="light dark"><title>Error codes</title></head><body><main>\
            <h1>Error codes</h1><p>A program reads <code>code</code> and <code>action</code>. The operator of the service \
            finds an answer in its log by its <code>trace</code>.</p><h2>Actions</h2><dl>
            """
        for action in ErrorAction.allCases {
            page += "<dt id=\"\(action.rawValue)\"><code>\(action.rawValue)</code></dt><dd>\(action.advice)</dd>"
        }
        page += "</dl><h2>Codes</h2><dl>"
        // A list and not a table: it has room on the smallest phone.
        for code in ErrorCode.allCases {
            page += "<dt id=\"\(code.rawValue)\"><code>\(code.rawValue)</code></dt>"
            page += "<dd>\(code.explanation) <code>\(code.action.rawValue)</code></dd>"
        }
        page += "</dl></main></body></html>\n"
        return Array(page.utf8)
    }()
}
