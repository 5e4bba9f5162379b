import CommandLineTool
import FoundationEssentials
import latchkeyd

/// The smallest configuration somebody can pair with.
let smallConfiguration = """
    {
        server: { publicURL: "https://tv.example" },
        providers: [{ id: "CableNova", name: "Cable Nova" }],
        requestors: [
            { id: "NORTHSPORT", name: "North Sport", integrations: [{ provider: "CableNova" }] },
        ],
    }
    """

/// The same with settings to add to the provider, the requestor and its integration, behind the provider, and at the top.
func configurationText(
    provider: String = "", requestor: String = "", integration: String = "", more: String = "", top: String = ""
) -> String {
    """
    {
        server: { publicURL: "https://tv.example" }, \(top)
        providers: [{ id: "CableNova", name: "Cable Nova", \(provider) }\(more)],
        requestors: [
            { id: "NORTHSPORT", name: "North Sport", \(requestor)
              integrations: [{ provider: "CableNova", \(integration) }] },
        ],
    }
    """
}

func configuration(_ text: String, folder: String = "/etc/latchkeyd") throws -> Configuration {
    try Configuration(text: Data(text.utf8), folder: folder)
}

func faults(of text: String) -> [String] {
    do {
        _ = try configuration(text)
        return []
    } catch let error as ConfigurationFaults {
        return error.faults.map(\.description)
    } catch {
        return ["another error: \(error)"]
    }
}
