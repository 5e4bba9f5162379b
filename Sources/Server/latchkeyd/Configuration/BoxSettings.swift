import CommandLineTool
package import ServerAPI

package struct BoxSettings: Sendable {
    package let network: APISettings.Boxes
    package let newBox: BoxNoticeSettings?

    init(_ section: SettingsSection) {
        self.network = (
            certificateAuthority: section.readOptional(
                "certificateAuthority", .absolutePath, example: "/etc/ssl/certs/example.pem",
                "The file on the boxes with the only authorities they trust, PEM; left out, their system's"),
            proxy: section.readOptional(
                "proxy", .proxy, example: "http://proxy.example:3128",
                "The proxy that the boxes reach this server through; left out, none")
        )
        self.newBox = section.section(
            "newBox", "The program that gets notices about boxes that are new to their viewer, and tells the viewer",
            BoxNoticeSettings.read)
    }
}
