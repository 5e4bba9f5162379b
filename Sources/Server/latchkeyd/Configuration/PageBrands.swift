import Clientless
import ServerAPI

/// The looks of all pages, and the logos that belong to them.
struct PageBrands: Sendable {
    let operatorsOwn: PageSettings
    let requestors: [RequestorID: PageSettings]

    /// The logo files, as they were configured.
    var fileNames: [String] {
        ([self.operatorsOwn.logoFile] + self.requestors.values.map(\.logoFile)).compactMap { $0 }.sorted()
    }

    /// The brands with their logos.
    /// - Parameter faults: of the files, as sentences that begin with the setting.
    func filled(
        path: (String) -> String, _ faults: inout [String]
    ) -> (operatorsOwn: Branding, requestors: [RequestorID: Branding]) {
        func complete(_ settings: PageSettings, _ setting: String) -> Branding {
            var branding = settings.branding
            guard let file = settings.logoFile else { return branding }
            do throws(LogoFault) {
                branding.logo = try LogoReader.picture(inFile: path(file), atMost: Branding.maximumLogoSize)
            } catch {
                faults.append("\(setting): \(error.sentence(about: path(file)))")
            }
            return branding
        }
        let own = complete(self.operatorsOwn, "pages.logo")
        var requestors: [RequestorID: Branding] = [:]
        for (id, settings) in self.requestors.sorted(by: { $0.key.text < $1.key.text }) {
            requestors[id] = complete(settings, "requestors \(id), pages.logo")
        }
        return (own, requestors)
    }
}
