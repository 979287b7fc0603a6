// The tables of the handoffs in PostgreSQL, and every statement on them.

/** The table of open records. */
export const TABLE = "boulder_handoffs"

/**
 * Asked first, so that somebody who may not create tables can still use existing ones. Within a transaction `to_regclass` would remember
 * that there was none, although another one has created it meanwhile.
 */
export const IS_MADE =
  "select exists (select from pg_class where relname = 'boulder_schema' and pg_table_is_visible(oid)) as made"

const VERSION = "(select coalesce(max(version), 0) from boulder_schema)"

export const READ_VERSION = `select ${VERSION} as version`

/** All processes that create or change the tables queue here. */
export const SCHEMA_LOCK = "select pg_advisory_xact_lock(hashtext('opencode-boulder schema'))"

/** Before tables change: whatever older processes write waits here, and then finds another version than they read. */
export const LOCK_TABLES =
  "lock table boulder_handoffs, boulder_settled, boulder_kept_saves in access exclusive mode"

/**
 * The steps from each version to the next. The first entry creates the tables, and no entry is ever changed. Their number is the version.
 */
export const MIGRATIONS: readonly string[] = [
  `create table if not exists boulder_schema (
     version integer primary key,
     made_at timestamptz not null default now()
   );
   create table boulder_handoffs (
     scope text not null,
     id text not null,
     revision bigint not null default 1,
     status text not null,
     owner text,
     lease_end timestamptz,
     updated_at timestamptz not null,
     machine text not null,
     record jsonb not null,
     primary key (scope, id)
   );
   create index boulder_handoffs_updated on boulder_handoffs (scope, updated_at desc);
   create table boulder_settled (
     scope text not null,
     id text not null,
     sessions text[] not null,
     updated_at timestamptz not null,
     machine text not null,
     record jsonb not null,
     primary key (scope, id)
   );
   create index boulder_settled_sessions on boulder_settled using gin (sessions);
   create table boulder_kept_saves (
     scope text not null,
     key text not null,
     brought_at timestamptz not null default now(),
     primary key (scope, key)
   );`,
]

export const NOTE_VERSION = "insert into boulder_schema (version) values ($1)"

/**
 * What every reading returns: milliseconds since 1970 by the database's clock, the only one that measures leases, and the version of the
 * tables. Writes based on it apply only to tables of that version.
 */
const NOW = `(extract(epoch from clock_timestamp()) * 1000)::float8 as now, ${VERSION} as version`

export const CLOCK = `select ${NOW}`

/** At least one row, so that an empty list returns the time, too. */
export const OPEN = `select h.id, h.record, h.machine, ${NOW}
  from (select 1) one left join boulder_handoffs h on h.scope = $1`

export const READ = `select record, revision::text, ${NOW} from boulder_handoffs where scope = $1 and id = $2`

/** Asked if no open record has that id: one plain query is planned faster than a union. */
export const READ_SETTLED = `select record, null as revision, ${NOW} from boulder_settled where scope = $1 and id = $2`

/** The settled records of a session, newest first. */
export const SETTLED_OF = `select record from boulder_settled
  where scope = $1 and sessions @> array[$2::text] order by updated_at desc limit 20`

/** Whoever creates or settles a record waits here for others that do: an id is never both open and settled. */
export const RECORD_LOCK = "select pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))"

// Every write gets scope, id, machine, record and the tables' version that was read, as $1 to $5.

/** The columns of an open and of a settled record that people and indexes look at, besides scope and id. */
const OPEN_ROW = `$4::jsonb->>'status', $4::jsonb#>>'{claim,session_id}',
  ($4::jsonb#>>'{claim,lease_until}')::timestamptz, ($4::jsonb->>'updated_at')::timestamptz, $3::text, $4::jsonb`

const SETTLED_ROW = `array(select distinct jsonb_path_query($4::jsonb, '$.**.session_id') #>> '{}'),
  ($4::jsonb->>'updated_at')::timestamptz, $3::text, $4::jsonb`

export const CREATE = `insert into boulder_handoffs (scope, id, status, owner, lease_end, updated_at, machine, record)
  select $1::text, $2::text, ${OPEN_ROW}
  where not exists (select from boulder_settled where scope = $1 and id = $2) and ${VERSION} = $5
  on conflict do nothing`

/** The record as it was read, and nothing newer: compare and swap. */
const AS_READ = `scope = $1 and id = $2 and ${VERSION} = $5 and revision = $6`

export const UPDATE = `update boulder_handoffs
  set revision = revision + 1, (status, owner, lease_end, updated_at, machine, record) = row(${OPEN_ROW})
  where ${AS_READ}`

export const SETTLE = `with gone as (
    delete from boulder_handoffs where ${AS_READ} returning 1
  )
  insert into boulder_settled (scope, id, sessions, updated_at, machine, record)
  select $1::text, $2::text, ${SETTLED_ROW} from gone`

/** The same for a record that is settled from the beginning. */
export const CREATE_SETTLED = `insert into boulder_settled (scope, id, sessions, updated_at, machine, record)
  select $1::text, $2::text, ${SETTLED_ROW}
  where not exists (select from boulder_handoffs where scope = $1 and id = $2) and ${VERSION} = $5
  on conflict do nothing`

/** No row if a save with this key was sent before. */
export const KEEP_KEY =
  "insert into boulder_kept_saves (scope, key) values ($1, $2) on conflict do nothing"

/** A save kept for longer would be sent twice if its first sending was never answered. Keys are small, so they are kept long. */
export const FORGET_KEYS =
  "delete from boulder_kept_saves where age(brought_at) > interval '1 year'"
