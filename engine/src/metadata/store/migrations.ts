/**
 * The catalogue's tables, version by version. A released migration is never edited: the next one changes what it made.
 * They run in one transaction, after the schema exists.
 */
export interface Migration {
  readonly version: number
  readonly statements: string
  /** Takes it back (`svc-engine downgrade`), with what only newer versions know; of version 1 there is no before. */
  readonly reverse: string
}

export const migrations: readonly Migration[] = [
  {
    version: 1,
    statements: `
      CREATE TABLE svc_catalog.svc_version (
        svc_uuid uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        version text NOT NULL,
        upgraded_on timestamptz NOT NULL DEFAULT now(),
        cli_state json NOT NULL DEFAULT '{}',
        console_state json NOT NULL DEFAULT '{}'
      );
      CREATE UNIQUE INDEX svc_version_one_row ON svc_catalog.svc_version ((true));

      -- one row; resource_version is what every writer compares and sets
      CREATE TABLE svc_catalog.metadata (
        id integer PRIMARY KEY CHECK (id = 1),
        resource_version bigint NOT NULL,
        -- the log holds every change after this version
        history_since bigint NOT NULL,
        -- counts calls of reload_metadata, for instances that missed the notification
        reloads bigint NOT NULL DEFAULT 0
      );

      -- one row per object that an operation can address, without the objects below it
      CREATE TABLE svc_catalog.metadata_object (
        address text COLLATE "C" PRIMARY KEY,
        type text NOT NULL,
        value json NOT NULL,
        -- the version that last changed it
        changed bigint NOT NULL
      );
      CREATE INDEX metadata_object_changed ON svc_catalog.metadata_object (changed);

      -- bounded; deletions in it are the tombstones that other instances catch up by
      CREATE TABLE svc_catalog.change_log (
        resource_version bigint NOT NULL,
        position integer NOT NULL,
        at timestamptz NOT NULL DEFAULT now(),
        operation text NOT NULL,
        change text NOT NULL CHECK (change IN ('create', 'update', 'delete')),
        address text COLLATE "C" NOT NULL,
        type text NOT NULL,
        object json NOT NULL,
        old json,
        new json,
        author json NOT NULL,
        PRIMARY KEY (resource_version, position)
      );`,
    reverse: '',
  },
  {
    version: 2,
    statements: `
      -- times at which cron triggers are due, and what became of them
      CREATE TABLE svc_catalog.svc_cron_events (
        id text PRIMARY KEY DEFAULT gen_random_uuid()::text,
        trigger_name text NOT NULL,
        scheduled_time timestamptz NOT NULL,
        status text NOT NULL DEFAULT 'scheduled'
          CHECK (status IN ('scheduled', 'locked', 'delivered', 'error', 'dead')),
        tries integer NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        next_retry_at timestamptz,
        -- the instance that delivers it
        locked_by text
      );
      CREATE UNIQUE INDEX svc_cron_events_scheduled ON svc_catalog.svc_cron_events (trigger_name, scheduled_time)
        WHERE status = 'scheduled';
      CREATE INDEX svc_cron_events_due ON svc_catalog.svc_cron_events (COALESCE(next_retry_at, scheduled_time))
        WHERE status = 'scheduled';
      CREATE INDEX svc_cron_events_locked ON svc_catalog.svc_cron_events (locked_by) WHERE status = 'locked';
      CREATE INDEX svc_cron_events_trigger ON svc_catalog.svc_cron_events (trigger_name, scheduled_time);
      CREATE TABLE svc_catalog.svc_cron_event_invocation_logs (
        id text PRIMARY KEY DEFAULT gen_random_uuid()::text,
        event_id text REFERENCES svc_catalog.svc_cron_events (id) ON UPDATE CASCADE ON DELETE CASCADE,
        status integer,
        request json,
        response json,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX svc_cron_event_invocation_logs_event ON svc_catalog.svc_cron_event_invocation_logs (event_id);

      CREATE TABLE svc_catalog.svc_scheduled_events (
        id text PRIMARY KEY DEFAULT gen_random_uuid()::text,
        webhook_conf json NOT NULL,
        scheduled_time timestamptz NOT NULL,
        retry_conf json,
        payload json,
        header_conf json,
        status text NOT NULL DEFAULT 'scheduled'
          CHECK (status IN ('scheduled', 'locked', 'delivered', 'error', 'dead')),
        tries integer NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        next_retry_at timestamptz,
        comment text,
        request_transform json,
        response_transform json,
        locked_by text
      );
      CREATE INDEX svc_scheduled_events_due ON svc_catalog.svc_scheduled_events (COALESCE(next_retry_at, scheduled_time))
        WHERE status = 'scheduled';
      CREATE INDEX svc_scheduled_events_locked ON svc_catalog.svc_scheduled_events (locked_by) WHERE status = 'locked';
      CREATE TABLE svc_catalog.svc_scheduled_event_invocation_logs (
        id text PRIMARY KEY DEFAULT gen_random_uuid()::text,
        event_id text REFERENCES svc_catalog.svc_scheduled_events (id) ON UPDATE CASCADE ON DELETE CASCADE,
        status integer,
        request json,
        response json,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX svc_scheduled_event_invocation_logs_event
        ON svc_catalog.svc_scheduled_event_invocation_logs (event_id);

      -- the instances that deliver scheduled events, and how often each was heard of
      CREATE TABLE svc_catalog.svc_schedule_instances (
        id text PRIMARY KEY,
        beats bigint NOT NULL DEFAULT 0,
        heard_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );`,
    reverse: `
      DROP TABLE svc_catalog.svc_schedule_instances, svc_catalog.svc_scheduled_event_invocation_logs,
        svc_catalog.svc_scheduled_events, svc_catalog.svc_cron_event_invocation_logs, svc_catalog.svc_cron_events;`,
  },
  {
    version: 3,
    statements: `
      -- calls of asynchronous actions and what became of them
      CREATE TABLE svc_catalog.svc_action_log (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        action_name text NOT NULL,
        input_payload jsonb NOT NULL,
        request_headers jsonb NOT NULL,
        session_variables jsonb NOT NULL,
        response_payload jsonb,
        errors jsonb,
        created_at timestamptz NOT NULL DEFAULT now(),
        response_received_at timestamptz,
        status text NOT NULL CHECK (status IN ('created', 'processing', 'completed', 'error')),
        -- of what is processed: whoever calls the handler has died when it is over
        deadline timestamptz
      );
      CREATE INDEX svc_action_log_open ON svc_catalog.svc_action_log (created_at)
        WHERE status IN ('created', 'processing');
      CREATE INDEX svc_action_log_action ON svc_catalog.svc_action_log (action_name);`,
    reverse: 'DROP TABLE svc_catalog.svc_action_log;',
  },
  {
    version: 4,
    statements: `
      -- versions of metadata that stand or fall with a transaction on a source, until it is known how that ended
      CREATE TABLE svc_catalog.pending_source_change (
        request_id text PRIMARY KEY,
        resource_version bigint NOT NULL,
        source text NOT NULL,
        transaction text NOT NULL,
        at timestamptz NOT NULL DEFAULT now()
      );`,
    reverse: 'DROP TABLE svc_catalog.pending_source_change;',
  },
  {
    version: 5,
    statements: `
      -- the engine that sends events (--eventing-identity); NULL: whichever reads this
      ALTER TABLE svc_catalog.svc_version ADD eventing_identity text;
      -- what was given up: few rows of large logs
      CREATE INDEX svc_cron_events_failed ON svc_catalog.svc_cron_events (scheduled_time)
        WHERE status IN ('error', 'dead');
      CREATE INDEX svc_scheduled_events_failed ON svc_catalog.svc_scheduled_events (scheduled_time)
        WHERE status IN ('error', 'dead');`,
    reverse: `
      DROP INDEX svc_catalog.svc_scheduled_events_failed, svc_catalog.svc_cron_events_failed;
      ALTER TABLE svc_catalog.svc_version DROP eventing_identity;`,
  },
  {
    version: 6,
    statements: `
      -- credentials beside the admin secret: their hashes, never their values
      CREATE TABLE svc_catalog.access_tokens (
        id text PRIMARY KEY,
        name text NOT NULL,
        hash bytea NOT NULL,
        scopes jsonb NOT NULL,
        created_by text,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz,
        last_used_at timestamptz,
        -- rotated: it holds until it expires
        superseded boolean NOT NULL DEFAULT false
      );
      CREATE UNIQUE INDEX access_tokens_name ON svc_catalog.access_tokens (name) WHERE NOT superseded;`,
    reverse: 'DROP TABLE svc_catalog.access_tokens;',
  },
  {
    version: 7,
    statements: `
      -- whose tokens of an OIDC provider allow what
      CREATE TABLE svc_catalog.oidc_trusts (
        name text PRIMARY KEY,
        issuer text NOT NULL,
        audiences jsonb NOT NULL,
        claims jsonb NOT NULL,
        scopes jsonb NOT NULL,
        single_use boolean NOT NULL,
        created_by text,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX oidc_trusts_issuer ON svc_catalog.oidc_trusts (issuer);
      -- tokens that count once and were used, until they expire: hashes of issuer and jti
      CREATE TABLE svc_catalog.oidc_used_tokens (
        hash bytea PRIMARY KEY,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX oidc_used_tokens_expiry ON svc_catalog.oidc_used_tokens (expires_at);`,
    reverse: 'DROP TABLE svc_catalog.oidc_used_tokens, svc_catalog.oidc_trusts;',
  },
  {
    version: 8,
    statements: `
      -- proposed metadata (docs/drafts.md): what would differ from a version
      CREATE TABLE svc_catalog.drafts (
        -- SHA-256 of the key that addresses it
        id text PRIMARY KEY,
        -- of catalogue, version and changes: what is approved and applied
        hash text NOT NULL,
        resource_version bigint NOT NULL,
        changes text NOT NULL,
        allows_inconsistent boolean NOT NULL,
        -- whether rows are answered through it
        open boolean NOT NULL,
        -- the access token that made it; NULL: the admin secret did
        token text,
        created_by text,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX drafts_hash ON svc_catalog.drafts (hash);`,
    reverse: 'DROP TABLE svc_catalog.drafts;',
  },
  {
    version: 9,
    statements: `
      -- requests of the metadata API that changed something or were refused; bounded
      CREATE TABLE svc_catalog.audit_log (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at timestamptz NOT NULL DEFAULT now(),
        -- whether it is known who asked: what strangers send must not displace the rest
        is_known boolean NOT NULL,
        entry json NOT NULL
      );
      CREATE INDEX audit_log_known ON svc_catalog.audit_log (is_known, id);`,
    reverse: 'DROP TABLE svc_catalog.audit_log;',
  },
  {
    version: 10,
    statements: `
      -- which operations roles asked, and how often (docs/usage.md): no values
      CREATE TABLE svc_catalog.usage_operations (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        -- SHA-256 of the document without values; '': all of the role beyond the bound
        hash text NOT NULL,
        name text NOT NULL,
        role text NOT NULL,
        type text NOT NULL,
        made_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (role, hash, name, type)
      );
      CREATE TABLE svc_catalog.usage_hours (
        operation bigint NOT NULL REFERENCES svc_catalog.usage_operations ON DELETE CASCADE,
        hour timestamptz NOT NULL,
        count bigint NOT NULL,
        PRIMARY KEY (operation, hour)
      );
      CREATE INDEX usage_hours_hour ON svc_catalog.usage_hours (hour);
      -- what they asked for: members of types, permissions of tables
      CREATE TABLE svc_catalog.usage_parts (
        operation bigint NOT NULL REFERENCES svc_catalog.usage_operations ON DELETE CASCADE,
        kind text NOT NULL,
        of text NOT NULL,
        name text NOT NULL,
        PRIMARY KEY (operation, kind, of, name)
      );
      CREATE INDEX usage_parts_of ON svc_catalog.usage_parts (of, kind, name);`,
    reverse: 'DROP TABLE svc_catalog.usage_parts, svc_catalog.usage_hours, svc_catalog.usage_operations;',
  },
  {
    version: 11,
    statements: `
      -- the stack or directory that declares an object (docs/ownership.md); NULL: none is known
      ALTER TABLE svc_catalog.metadata_object ADD owner text;
      ALTER TABLE svc_catalog.change_log ADD owner text;`,
    reverse: `
      ALTER TABLE svc_catalog.change_log DROP owner;
      ALTER TABLE svc_catalog.metadata_object DROP owner;`,
  },
]

export const catalogueVersion = migrations.at(-1)?.version ?? 0
