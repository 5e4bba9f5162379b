import Providers
import Testing

@Suite("The name of an account")
struct AccountNameTests {
    @Test(
        "has one form, lower case for ASCII",
        arguments: [
            ("anna", "anna"), ("ANNA", "anna"), ("Anna.Smith+tv@Example.NET", "anna.smith+tv@example.net"),
            ("Ünal", "Ünal"), ("ЖЕНЯ", "ЖЕНЯ"), ("[\\]^_{|}~", "[\\]^_{|}~"), ("@Z", "@z"),
            (String(repeating: "A", count: 64), String(repeating: "a", count: 64)),
        ])
    func canonical(text: String, form: String) {
        #expect(AccountName.canonical(text).map { Array($0.utf8) } == Array(form.utf8))
        #expect(AccountName.canonical(form).map { Array($0.utf8) } == Array(form.utf8))
    }

    @Test(
        "is refused when it is empty, long, or has white space or control characters",
        arguments: [
            "", " ", "anna ", " anna", "an na", "anna\n", "an\tna", "\u{0}", "anna\u{7F}", "an\u{A0}na", "an\u{2003}na",
            "an\u{85}na", String(repeating: "a", count: 65), String(repeating: "é", count: 33),
        ])
    func refused(text: String) {
        #expect(AccountName.canonical(text) == nil)
    }
}
