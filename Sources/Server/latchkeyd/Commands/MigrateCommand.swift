import CommandLineTool

enum MigrateCommand {
    static let command = ServerCommand(
        .configuration, "migrate", "Bring the store of an older version up to date",
        discussion: [
            "First copies a store file beside itself. The copy has the same name, .schema and the old number. To go "
                + "back to the older version, stop the server and put the copy in place of the store. The copy "
                + "lacks later changes.",
            "Stop servers of the older version first. 'latchkeyd serve' also migrates when it starts; no other "
                + "command does.",
            "Only this command migrates a store on PostgreSQL, over store.migrationConnection and without a copy. "
                + "Servers of the previous version can run meanwhile.",
        ],
        examples: ["latchkeyd migrate": "before the new version starts"],
        also: [.stateProblem]
    ) { arguments, call in
        let configuration = try call.configuration
        let store = configuration.shownStoreFile.map { "store \($0)" } ?? "store"
        let opened = try await StoreAccess.open(configuration, for: .migrating)
        await opened.close()
        guard let upgrade = opened.upgrade else {
            call.say("The \(store) is up to date.")
            return
        }
        call.say("The \(store) is brought up to date. \(upgrade)")
    }
}
