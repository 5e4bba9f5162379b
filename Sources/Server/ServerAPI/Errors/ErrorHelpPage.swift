/// The page `helpUrl` leads to: what each code means and what to do about it (rest-v1 8.3).
enum ErrorHelpPage {
    static let path = "/help/errors"

    static let bytes: [UInt8] = {
        var page = """
            <!DOCTYPE html><html lang="en"><head><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width"><title>Error codes</title></head><body>\
            <h1>Error codes</h1><p>A program reads <code>code</code> and <code>action</code>. Whoever runs the service \
            finds an answer in its log by its <code>trace</code>.</p><h2>Actions</h2><dl>
            """
        for action in ErrorAction.allCases {
            page += "<dt id=\"\(action.rawValue)\"><code>\(action.rawValue)</code></dt><dd>\(action.advice)</dd>"
        }
        page += "</dl><h2>Codes</h2><table><thead><tr><th>Code</th><th>Action</th><th>Meaning</th></tr></thead><tbody>"
        for code in ErrorCode.allCases {
            page += "<tr id=\"\(code.rawValue)\"><td><code>\(code.rawValue)</code></td>"
            page += "<td><code>\(code.action.rawValue)</code></td><td>\(code.explanation)</td></tr>"
        }
        page += "</tbody></table></body></html>\n"
        return Array(page.utf8)
    }()
}
