import Clientless
import CommandLineTool
import ServerAPI

/// The looks of all pages, and the logos that belong to them.
struct PageBrands: Sendable {
    let operatorsOwn: PageSettings
    let requestors: [RequestorID: PageSettings]

    /// The logo files, as they were configured.
    var fileNames: [String] {
        ([self.operatorsOwn.logoFile] + self.requestors.values.map(\.logoFile)).compactMap { $0 }.sorted()
    }

    /// The faults of the logos, as sentences that begin with the setting.
    func faults(path: (String) -> String) -> [String] {
        var faults: [String] = []
        _ = self.filled(path: path) { faults.append($0) }
        return faults
    }

    /// The brands with their logos.
    /// - Throws: for the first file that is missing or unusable.
    func complete(
        path: (String) -> String
    ) throws(OperatorError) -> (operatorsOwn: Branding, requestors: [RequestorID: Branding]) {
        var first: String?
        let filled = self.filled(path: path) { first = first ?? $0 }
        if let first {
            throw OperatorError(
                first, advice: "'latchkeyd check-config' lists everything that is wrong.", exitCode: .configuration)
        }
        return filled
    }

    private func filled(
        path: (String) -> String, report: (String) -> Void
    ) -> (operatorsOwn: Branding, requestors: [RequestorID: Branding]) {
        func complete(_ settings: PageSettings, _ setting: String) -> Branding {
            var branding = settings.branding
            guard let file = settings.logoFile else { return branding }
            do throws(LogoFault) {
                branding.logo = try LogoReader.picture(inFile: path(file), atMost: Branding.maximumLogoSize)
            } catch {
                report("\(setting): \(error.sentence(about: path(file)))")
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
