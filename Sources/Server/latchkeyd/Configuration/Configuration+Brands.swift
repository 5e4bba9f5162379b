import Clientless
import ServerAPI

extension Configuration {
    /// The looks of all pages with their logos.
    /// - Parameter faults: of the files, as sentences that begin with the setting.
    func filledBrands(_ faults: inout [String]) -> (operatorsOwn: Branding, requestors: [RequestorID: Branding]) {
        func complete(_ settings: PageSettings, _ setting: String) -> Branding {
            var branding = settings.branding
            guard let file = settings.logoFile.map(self.path) else { return branding }
            do throws(LogoFault) {
                branding.logo = try LogoReader.picture(inFile: file, atMost: Branding.maximumLogoSize)
            } catch {
                let sentence = error.isOfPicture ? "No page can show the file \(file): \(error)." : error.description
                faults.append("\(setting): \(sentence)")
            }
            return branding
        }
        let own = complete(self.pages, "pages.logo")
        var requestors: [RequestorID: Branding] = [:]
        for (id, settings) in self.requestors.sorted(by: { $0.key.text < $1.key.text }) {
            requestors[id] = settings.pages.map { complete($0, "requestors \(id), pages.logo") }
        }
        return (own, requestors)
    }
}
