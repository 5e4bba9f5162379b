import Clientless

/// A code within a sentence: grouped as on the TV, and never broken over two lines.
enum CodeWord {
    static func html(_ code: RegistrationCodeText) -> HTML {
        HTML(unescaped: "<span class=\"code-word\">\(HTML(escaping: code.grouped).markup)</span>")
    }
}
