import FoundationEssentials
import TestSupport
import Testing
import latchkeyd

@Suite("The pages an operator configures")
struct PageSettingsTests {
    private static func text(_ pages: String, requestor: String = "{}") -> String {
        """
        {
            server: { publicURL: "https://tv.example" },
            pages: \(pages),
            requestors: [{ id: "NORTHSPORT", name: "North Sport", pages: \(requestor) }],
        }
        """
    }

    @Test func `are taken, the operator's and a channel brand's`() throws {
        let pages = """
            {
                name: "Nova", accent: "#7a1fa2", accentOnDark: "#d9a6f0", help: "https://nova.example/help",
                imprint: "https://nova.example/imprint", privacy: "https://nova.example/privacy",
                texts: [{ language: "de", sentence: "landing.title", text: "Willkommen" }],
            }
            """
        #expect(faults(of: Self.text(pages, requestor: ##"{ name: "North Sport", accent: "#b00020" }"##)).isEmpty)
    }

    @Test(arguments: [
        (#"{ accent: "yellow" }"#, ##"pages.accent must be a colour such as "#0b6a5c", not "yellow"."##),
        (
            ##"{ accent: "#ffff00" }"##,
            ##"pages.accent cannot be read on the light pages (4.5:1, WCAG 1.4.3); "#666600" could be."##
        ),
        (
            ##"{ accent: "#0b6a5c", accentOnDark: "#0b6a5c" }"##,
            ##"pages.accentOnDark cannot be read on the dark pages (4.5:1, WCAG 1.4.3); "##
        ),
        (##"{ accentOnDark: "#63d3be" }"##, "pages.accentOnDark is set, but accent is not."),
        (#"{ help: "javascript:alert(1)" }"#, "pages.help must be an http or https address"),
        (
            #"{ texts: [{ language: "de", sentence: "no.such", text: "x" }] }"#,
            "pages.texts[0].text cannot be used: there is no sentence 'no.such'."
        ),
        (#"{ nam: "Nova" }"#, "pages.nam is not a setting; perhaps name is meant."),
    ])
    func `are refused where a viewer could not read them, or they would say nonsense`(_ pages: String, fault: String) {
        for (place, found) in [
            ("line 3: ", faults(of: Self.text(pages))),
            ("line 4: requestors[0].", faults(of: Self.text("{}", requestor: pages))),
        ] {
            #expect(found.count == 1)
            #expect(found.first?.hasPrefix(place + fault) == true, "\(found)")
        }
    }

    @Test func `have a logo that is there and is a picture`() throws {
        try withFolder { folder in
            let drawing = #"<svg xmlns="http://www.w3.org/2000/svg"></svg>"#
            try drawing.write(toFile: folder + "/good.svg", atomically: false, encoding: .utf8)
            try "<html></html>".write(toFile: folder + "/bad.svg", atomically: false, encoding: .utf8)
            let logo = #"{ logo: "good.svg" }"#
            let good = try configuration(Self.text(logo, requestor: logo), folder: folder)
            #expect(throws: Never.self) { _ = try good.completeBrands() }
            for name in ["bad.svg", "gone.svg"] {
                let bad = try configuration(Self.text("{}", requestor: #"{ logo: "\#(name)" }"#), folder: folder)
                let error = #expect(throws: OperatorError.self) { _ = try bad.completeBrands() }
                #expect(error?.sentence.contains("/\(name)") == true)
            }
        }
    }

    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = try TemporaryFolder()
        try body(folder.path)
    }
}
