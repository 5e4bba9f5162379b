import Testing

/// What a test needs of the service beyond the protocol; where a profile does not have it, the test is skipped.
extension Trait where Self == ConditionTrait {
    static var needsBriefSignIns: Self {
        .enabled(if: Profile.offers { $0.brief }, "the profile has no requestor whose sign-ins are soon over")
    }

    static var needsExpiredAccessToken: Self {
        .enabled(if: Profile.offers { $0.expiredAccessToken }, "the profile has no expired access token")
    }

    static var needsRevocableApplication: Self {
        .enabled(if: Profile.offers { $0.revocable }, "the profile has no application that may be revoked")
    }

    static var needsThrottle: Self {
        .enabled(if: Profile.offers { $0.throttled }, "the profile has no service whose throttle is on")
    }

    /// The service is the suite's own, so that its clock, its store and its commands are at hand.
    static var needsOwnService: Self { .enabled(if: Profile.isOwn, "the service is somebody else's") }
}
