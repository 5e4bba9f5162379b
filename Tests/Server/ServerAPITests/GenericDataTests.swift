import Testing

@testable import ServerAPI

@Suite("What a programmer says of a person")
struct GenericDataTests {
    @Test(arguments: [
        #"{"email":"f7ee"}"#, #"("email":"f7ee")"#, " \n{ \"email\" : \"f7ee\" }\t", #"( "email":"f7ee" )"#,
        #"{"email":"f7ee","age":5,"tags":["a"],"more":{"a":null}}"#,
    ])
    func `is a JSON object, in braces or parentheses`(text: String) {
        #expect(GenericData(text)?["email"] == "f7ee")
        #expect(GenericData(text)?["phone"] == nil)
    }

    @Test(arguments: [
        "", "()", "{}", "f7ee", #"{"email":5}"#, #"{"email":null}"#, #"{"email":["f7ee"]}"#, #"{"email":""}"#,
        #"{"email":"f7ee")"#, #"("email":"f7ee"}"#, #"["email"]"#, #"{"email":"f7ee"}}"#, #"{"email":"f7ee"#,
        #"{"Email":"f7ee"}"#, "{\"email\":\"" + String(repeating: "a", count: 513) + "\"}",
        "{\"email\":\"f7ee\",\"x\":\"" + String(repeating: "a", count: 4096) + "\"}",
        String(repeating: "{\"a\":", count: 600) + "1" + String(repeating: "}", count: 600),
    ])
    func `has no person in anything else`(text: String) { #expect(GenericData(text)?["email"] == nil) }
}
