extension Migration {
    /// Everything that StoreSQLite has in its schema 8.
    ///
    /// Times are milliseconds since 1970. Texts are compared byte for byte. Absent `app_id`, `device_user` and `client` of
    /// AuthN records are the empty text, which the domain never uses, so that they can be part of a unique key.
    static let initial = Migration(
        number: 1, oldest: 1,
        statements: [codes, authentications, credentials, accounts, operations, feed, state].flatMap { $0 })

    // `open_until` is `expires` while the code is open and NULL from then on. The index of expiry holds it, too: it counts
    // what is open without a look at the table. No counter is kept, which every new code would have to wait for.
    private static let codes = [
        """
        CREATE TABLE latchkey.codes (
            sequence bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
            code text COLLATE "C" PRIMARY KEY,
            id text COLLATE "C" NOT NULL,
            requestor text COLLATE "C" NOT NULL,
            device_id text COLLATE "C" NOT NULL,
            device bytea NOT NULL,
            app_id text COLLATE "C",
            device_user text COLLATE "C",
            mvpd text COLLATE "C",
            registration_url text COLLATE "C",
            device_type text COLLATE "C",
            app_version text COLLATE "C",
            box_name text COLLATE "C",
            box_model text COLLATE "C",
            box_software text COLLATE "C",
            box_user_agent text COLLATE "C",
            box_information text COLLATE "C",
            box_address text COLLATE "C" NOT NULL,
            application_id text COLLATE "C",
            application_name text COLLATE "C",
            application_version text COLLATE "C",
            generated bigint NOT NULL,
            expires bigint NOT NULL,
            state bigint NOT NULL,
            state_detail text COLLATE "C",
            version bigint NOT NULL,
            open_until bigint
        )
        """,
        "CREATE INDEX codes_expires ON latchkey.codes (expires) INCLUDE (open_until)",
        "CREATE INDEX codes_open ON latchkey.codes (device, open_until) WHERE open_until IS NOT NULL",
        """
        CREATE TABLE latchkey.attempts (
            id bytea PRIMARY KEY,
            code text COLLATE "C" NOT NULL,
            requestor text COLLATE "C" NOT NULL,
            mvpd text COLLATE "C" NOT NULL,
            redirect_url text COLLATE "C",
            browser bytea NOT NULL,
            created bigint NOT NULL,
            expires bigint NOT NULL,
            progress bigint NOT NULL,
            sealed_login bytea,
            sealed_exchange bytea,
            sealed_answer bytea,
            version bigint NOT NULL
        )
        """,
        "CREATE INDEX attempts_expires ON latchkey.attempts (expires)",
    ]

    // `owner` is the requestor of a record that counts for it alone, else the empty text (rest-v1 6.3).
    private static let authentications = [
        """
        CREATE TABLE latchkey.authentications (
            sequence bigint GENERATED ALWAYS AS IDENTITY,
            id text COLLATE "C" PRIMARY KEY,
            device bytea NOT NULL,
            app_id text COLLATE "C" NOT NULL,
            device_user text COLLATE "C" NOT NULL,
            owner text COLLATE "C" NOT NULL,
            requestor text COLLATE "C" NOT NULL,
            mvpd text COLLATE "C" NOT NULL,
            client text COLLATE "C" NOT NULL,
            user_id text COLLATE "C" NOT NULL,
            code text COLLATE "C",
            origin text COLLATE "C" NOT NULL,
            created bigint NOT NULL,
            expires bigint NOT NULL,
            sealed_session bytea NOT NULL,
            provider_session bytea,
            version bigint NOT NULL,
            UNIQUE (device, app_id, device_user, owner, mvpd, client)
        )
        """,
        "CREATE INDEX authentications_expires ON latchkey.authentications (expires)",
        "CREATE INDEX authentications_created ON latchkey.authentications (created)",
        "CREATE INDEX authentications_requestor ON latchkey.authentications (requestor, created)",
        "CREATE INDEX authentications_viewer ON latchkey.authentications (user_id, mvpd, requestor, id)",
        "CREATE INDEX authentications_code ON latchkey.authentications (code) WHERE code IS NOT NULL",
        """
        CREATE INDEX authentications_provider_session ON latchkey.authentications (provider_session)
            WHERE provider_session IS NOT NULL
        """,
        """
        CREATE TABLE latchkey.authorizations (
            authentication text COLLATE "C" NOT NULL REFERENCES latchkey.authentications (id) ON DELETE CASCADE,
            device bytea NOT NULL,
            requestor text COLLATE "C" NOT NULL,
            resource text COLLATE "C" NOT NULL,
            mvpd text COLLATE "C" NOT NULL,
            origin text COLLATE "C" NOT NULL,
            created bigint NOT NULL,
            expires bigint NOT NULL,
            PRIMARY KEY (authentication, requestor, resource)
        )
        """,
        "CREATE INDEX authorizations_expires ON latchkey.authorizations (expires)",
        """
        CREATE TABLE latchkey.nonces (
            public_key text COLLATE "C" NOT NULL,
            nonce text COLLATE "C" NOT NULL,
            expires bigint NOT NULL,
            PRIMARY KEY (public_key, nonce)
        )
        """,
        "CREATE INDEX nonces_expires ON latchkey.nonces (expires)",
    ]

    private static let credentials = [
        """
        CREATE TABLE latchkey.key_pairs (
            public_key text COLLATE "C" PRIMARY KEY,
            sealed_private_key bytea NOT NULL,
            server_to_server bigint NOT NULL,
            created bigint NOT NULL,
            ends bigint
        )
        """,
        """
        CREATE TABLE latchkey.key_pair_requestors (
            public_key text COLLATE "C" NOT NULL REFERENCES latchkey.key_pairs (public_key) ON DELETE CASCADE,
            place bigint NOT NULL,
            requestor text COLLATE "C" NOT NULL,
            PRIMARY KEY (public_key, place)
        )
        """,
        """
        CREATE TABLE latchkey.applications (
            software_id text COLLATE "C" PRIMARY KEY,
            name text COLLATE "C" NOT NULL,
            version text COLLATE "C" NOT NULL,
            server_to_server bigint NOT NULL,
            created bigint NOT NULL,
            ends bigint
        )
        """,
        """
        CREATE TABLE latchkey.application_lists (
            software_id text COLLATE "C" NOT NULL REFERENCES latchkey.applications (software_id) ON DELETE CASCADE,
            list text COLLATE "C" NOT NULL,
            place bigint NOT NULL,
            value text COLLATE "C" NOT NULL,
            PRIMARY KEY (software_id, list, place)
        )
        """,
        """
        CREATE TABLE latchkey.clients (
            client_id text COLLATE "C" PRIMARY KEY,
            secret_hash bytea NOT NULL,
            software_id text COLLATE "C" NOT NULL,
            created bigint NOT NULL,
            last_used bigint NOT NULL
        )
        """,
        "CREATE INDEX clients_last_used ON latchkey.clients (last_used)",
        "CREATE INDEX clients_application ON latchkey.clients (software_id, created)",
        """
        CREATE TABLE latchkey.client_redirects (
            client_id text COLLATE "C" NOT NULL REFERENCES latchkey.clients (client_id) ON DELETE CASCADE,
            place bigint NOT NULL,
            uri text COLLATE "C" NOT NULL,
            PRIMARY KEY (client_id, place)
        )
        """,
        """
        CREATE TABLE latchkey.set_up_codes (
            hash bytea PRIMARY KEY,
            requestor text COLLATE "C" NOT NULL,
            software_id text COLLATE "C",
            created bigint NOT NULL,
            expires bigint NOT NULL
        )
        """,
        "CREATE INDEX set_up_codes_expires ON latchkey.set_up_codes (expires)",
    ]

    // A row of metadata for each text: `shape` says whether it is the whole value, an element of a list, or a member of a map.
    private static let accounts = [
        """
        CREATE TABLE latchkey.accounts (
            mvpd text COLLATE "C" NOT NULL,
            id text COLLATE "C" NOT NULL,
            name text COLLATE "C" NOT NULL,
            password_hash text COLLATE "C" NOT NULL,
            version bigint NOT NULL,
            PRIMARY KEY (mvpd, name),
            UNIQUE (mvpd, id)
        )
        """,
        """
        CREATE TABLE latchkey.account_line_ups (
            mvpd text COLLATE "C" NOT NULL,
            name text COLLATE "C" NOT NULL,
            place bigint NOT NULL,
            resource text COLLATE "C" NOT NULL,
            PRIMARY KEY (mvpd, name, place),
            FOREIGN KEY (mvpd, name) REFERENCES latchkey.accounts (mvpd, name) ON DELETE CASCADE
        )
        """,
        """
        CREATE TABLE latchkey.account_metadata (
            mvpd text COLLATE "C" NOT NULL,
            name text COLLATE "C" NOT NULL,
            key text COLLATE "C" NOT NULL,
            place bigint NOT NULL,
            shape bigint NOT NULL,
            member text COLLATE "C" NOT NULL,
            value text COLLATE "C" NOT NULL,
            PRIMARY KEY (mvpd, name, key, place),
            FOREIGN KEY (mvpd, name) REFERENCES latchkey.accounts (mvpd, name) ON DELETE CASCADE
        )
        """,
    ]

    // An identity is in one trial of a requestor and provider: its row is the only place that says so.
    private static let operations = [
        """
        CREATE TABLE latchkey.trials (
            id text COLLATE "C" PRIMARY KEY,
            requestor text COLLATE "C" NOT NULL,
            mvpd text COLLATE "C" NOT NULL,
            first_use bigint,
            kept_until bigint,
            version bigint NOT NULL
        )
        """,
        "CREATE INDEX trials_pair ON latchkey.trials (requestor, mvpd)",
        "CREATE INDEX trials_kept_until ON latchkey.trials (kept_until) WHERE kept_until IS NOT NULL",
        """
        CREATE TABLE latchkey.trial_resources (
            trial text COLLATE "C" NOT NULL REFERENCES latchkey.trials (id) ON DELETE CASCADE,
            place bigint NOT NULL,
            resource text COLLATE "C" NOT NULL,
            PRIMARY KEY (trial, place)
        )
        """,
        """
        CREATE TABLE latchkey.trial_identities (
            requestor text COLLATE "C" NOT NULL,
            mvpd text COLLATE "C" NOT NULL,
            kind bigint NOT NULL,
            hash bytea NOT NULL,
            trial text COLLATE "C" NOT NULL REFERENCES latchkey.trials (id) ON DELETE CASCADE,
            place bigint NOT NULL,
            PRIMARY KEY (requestor, mvpd, kind, hash)
        )
        """,
        "CREATE INDEX trial_identities_trial ON latchkey.trial_identities (trial, place)",
        """
        CREATE TABLE latchkey.degradation_rules (
            id text COLLATE "C" PRIMARY KEY,
            kind text COLLATE "C" NOT NULL,
            requestor text COLLATE "C" NOT NULL,
            mvpd text COLLATE "C",
            message text COLLATE "C" NOT NULL,
            activation bigint NOT NULL,
            ends bigint NOT NULL,
            version bigint NOT NULL
        )
        """,
        "CREATE INDEX degradation_rules_ends ON latchkey.degradation_rules (ends)",
        """
        CREATE TABLE latchkey.degradation_resources (
            rule text COLLATE "C" NOT NULL REFERENCES latchkey.degradation_rules (id) ON DELETE CASCADE,
            place bigint NOT NULL,
            resource text COLLATE "C" NOT NULL,
            PRIMARY KEY (rule, place)
        )
        """,
        """
        CREATE TABLE latchkey.audit_log (
            sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            moment bigint NOT NULL,
            actor text COLLATE "C" NOT NULL,
            action text COLLATE "C" NOT NULL,
            subject text COLLATE "C" NOT NULL
        )
        """,
    ]

    // A place in the feed is the transaction, as the server counts them, and the part of it that one job made: no sequence that
    // all nodes draw from, and no row that all of them write.
    private static let feed = [
        """
        CREATE TABLE latchkey.changes (
            transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
            part bigint NOT NULL,
            place bigint NOT NULL,
            kind bigint NOT NULL,
            code text COLLATE "C",
            device bytea,
            client text COLLATE "C",
            PRIMARY KEY (transaction, part, place)
        )
        """,
        """
        CREATE TABLE latchkey.change_marks (
            transaction bigint NOT NULL,
            part bigint NOT NULL,
            moment bigint NOT NULL,
            PRIMARY KEY (transaction, part)
        )
        """,
    ]

    // One row each: which life the data have and how far a purge came; what a test of writing writes, apart from it, so that a
    // purge under way keeps no node from being ready.
    private static let state = [
        """
        CREATE TABLE latchkey.store_state (
            id bigint PRIMARY KEY CHECK (id = 1),
            life bytea NOT NULL,
            purged_transaction bigint NOT NULL,
            purged_part bigint NOT NULL,
            purged_at bigint,
            cleared_until bigint NOT NULL
        )
        """,
        """
        INSERT INTO latchkey.store_state (id, life, purged_transaction, purged_part, cleared_until)
            VALUES (1, decode(replace(gen_random_uuid()::text, '-', ''), 'hex'), 0, 0, 0)
        """,
        "CREATE TABLE latchkey.probe (value bigint NOT NULL)",
        "INSERT INTO latchkey.probe (value) VALUES (0)",
        """
        CREATE TABLE latchkey.leases (
            task text COLLATE "C" PRIMARY KEY,
            holder text COLLATE "C" NOT NULL,
            ends bigint NOT NULL
        )
        """,
    ]
}
