/// One setting as a commented file shows it.
struct DescribedSetting {
    enum Content {
        /// Given in the configuration.
        case set(JSON5Value)
        /// Left out; the value is the default, or an example where there is none.
        case unset(JSON5Value)
        case group([DescribedSetting])
        /// The groups there are, and what a further one would be asked for.
        case list([[DescribedSetting]], entry: [DescribedSetting])
    }

    let key: String
    /// One line for people, without a full stop.
    let explanation: String
    let content: Content
}
