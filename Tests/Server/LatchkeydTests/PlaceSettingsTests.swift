import CommandLineTool
import FoundationEssentials
import TestSupport
import Testing

@Suite("The setting of the file of places", .demo)
struct PlaceSettingsTests {
    @Test func `check-config warns of a file that cannot be used, and finds no fault in it`() async throws {
        try setUp.replace(#"// places: "places.mmdb","#, with: #"places: "places.mmdb","#, maxReplacements: 1)
        let path = setUp.file("places.mmdb")
        let good = try Data(contentsOf: URL(filePath: Vectors.path("places.mmdb")))
        for (content, isUsable) in [(good, true), (Data("network,country\n".utf8), false)] {
            try content.write(to: URL(filePath: path))
            let run = try await CommandRun.run("check-config", setUp.configurationFile)
            #expect(run.code == .success && run.output == "")
            #expect(run.talk.contains("a file of places that no page can use") == !isUsable, "\(run.talk)")
            #expect(run.talk.contains("file \(path)") == !isUsable, "\(run.talk)")
        }
    }
}
