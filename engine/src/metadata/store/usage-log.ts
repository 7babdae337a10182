import { type CatalogueConnection, once, repeatable, shownTime } from './connection.ts'

/** One operation of a role, as the catalogue counts it; all beyond the bound are one of their role, with an empty hash. */
export interface UsageKey {
  /** SHA-256 of the document without values. */
  readonly hash: string
  /** Empty: it has none. */
  readonly name: string
  readonly role: string
  readonly type: string
}

/** A part of a role's schema that an operation requests. */
export interface UsagePart {
  /** `member` of a type, or the permission of a table. */
  readonly kind: 'member' | 'select' | 'insert' | 'update' | 'delete'
  /** The type, or the table's id. */
  readonly of: string
  /** Of a permission: empty. */
  readonly name: string
}

export interface UsedOperation extends UsageKey {
  readonly id: string
  readonly count: number
  /** The hour that it was last counted in. */
  readonly last: string
}

/** How often which operations were requested, in hourly sums, of all instances together (docs/usage.md). */
export interface UsageLog {
  /** Their ids, new ones within the bound: those beyond it get the id of their role's rest. */
  register(keys: readonly UsageKey[]): Promise<readonly (string | null)[]>
  addParts(parts: readonly (UsagePart & { readonly operation: string })[]): Promise<void>
  /** Adds to the sums of this hour; the ids of those that there are. */
  add(counts: readonly { readonly operation: string; readonly count: number }[]): Promise<ReadonlySet<string>>
  prune(): Promise<void>
  /** The first hour of the last days that anything was counted in; null: there is none. */
  since(days: number): Promise<string | null>
  /** The most used first. */
  operations(days: number, most: number): Promise<readonly UsedOperation[]>
  /** What roles requested in the last days. Of `members` only those of the named types; null: only permissions. */
  roleParts(days: number, types: readonly string[] | null): Promise<readonly (UsagePart & { readonly role: string })[]>
  /** The operations of the last days that requested a part: by its place in the list. A name of null stands for all of a type. */
  users(
    days: number,
    parts: readonly {
      readonly role: string
      readonly kind: string
      readonly of: string
      readonly name: string | null
    }[],
  ): Promise<ReadonlyMap<number, readonly (UsedOperation & { readonly part: string })[]>>
}

export interface UsageBounds {
  readonly days: number
  readonly operations: number
}

/** Existing operations are unchanged. */
const registerStatement = repeatable('svc_register_usage')`
    WITH given AS (
      SELECT * FROM json_to_recordset($1::text::json) AS g(place integer, hash text, name text, role text, type text)
    ), existing AS (
      SELECT g.place, o.id FROM given g JOIN svc_catalog.usage_operations o USING (role, hash, name, type)
    ), fresh AS (
      SELECT g.*, row_number() OVER (ORDER BY g.place) AS number FROM given g
      WHERE hash <> '' AND NOT EXISTS (SELECT FROM existing e WHERE e.place = g.place)
    ), named AS (
      SELECT place, hash, name, role, type FROM fresh
      WHERE number <= $2::bigint - (SELECT count(*) FROM svc_catalog.usage_operations WHERE hash <> '')
    ), rest AS (
      SELECT g.place, g.role FROM given g
      WHERE NOT EXISTS (SELECT FROM existing e WHERE e.place = g.place)
        AND NOT EXISTS (SELECT FROM named n WHERE n.place = g.place)
    ), added AS (
      -- in one order, so that instances do not wait for each other in a circle; one that another has made meanwhile is found too
      INSERT INTO svc_catalog.usage_operations (hash, name, role, type)
      SELECT hash, name, role, type FROM (
        SELECT hash, name, role, type FROM named UNION SELECT '', '', role, '' FROM rest
      ) AS made
      ORDER BY role, hash, name, type
      ON CONFLICT (role, hash, name, type) DO UPDATE SET hash = excluded.hash
      RETURNING id, hash, name, role, type
    )
    SELECT place::text, id::text FROM existing
    UNION ALL SELECT n.place::text, a.id::text FROM named n JOIN added a USING (role, hash, name, type)
    UNION ALL SELECT r.place::text, a.id::text FROM rest r JOIN added a ON a.role = r.role AND a.hash = ''`

const partsStatement = repeatable('svc_add_usage_parts')`
    INSERT INTO svc_catalog.usage_parts (operation, kind, of, name)
    SELECT DISTINCT o.id, g.kind, g.of, g.name
    FROM json_to_recordset($1::text::json) AS g(operation bigint, kind text, of text, name text)
    JOIN svc_catalog.usage_operations o ON o.id = g.operation
    ORDER BY o.id, g.kind, g.of, g.name
    ON CONFLICT DO NOTHING`

const hour = (time: string) => `to_timestamp(floor(extract(epoch FROM ${time}) / 3600) * 3600)`
/** What was added once must not be added again. */
const addStatement = once('svc_add_usage')`
    INSERT INTO svc_catalog.usage_hours AS h (operation, hour, count)
    SELECT o.id, ${hour('now()')}, sum(g.count)
    FROM json_to_recordset($1::text::json) AS g(operation bigint, count bigint)
    JOIN svc_catalog.usage_operations o ON o.id = g.operation
    GROUP BY o.id ORDER BY o.id
    ON CONFLICT (operation, hour) DO UPDATE SET count = h.count + excluded.count
    RETURNING operation::text`

const pruneStatement = repeatable('svc_prune_usage')`
    WITH old AS (
      DELETE FROM svc_catalog.usage_hours WHERE hour < now() - $1::double precision * interval '1 day'
    )
    DELETE FROM svc_catalog.usage_operations o
    WHERE o.made_at < now() - interval '1 day' AND NOT EXISTS (
      SELECT FROM svc_catalog.usage_hours h
      WHERE h.operation = o.id AND h.hour >= now() - $1::double precision * interval '1 day'
    )`

const within = `h.hour > now() - $1::double precision * interval '1 day'`

const sinceStatement = repeatable('svc_usage_since')`
   SELECT ${shownTime('min(h.hour)')} FROM svc_catalog.usage_hours h WHERE ${within}`

const operationsStatement = repeatable('svc_used_operations')`
    SELECT o.id::text, o.hash, o.name, o.role, o.type, sum(h.count)::text, ${shownTime('max(h.hour)')}
    FROM svc_catalog.usage_operations o JOIN svc_catalog.usage_hours h ON h.operation = o.id AND ${within}
    GROUP BY o.id ORDER BY sum(h.count) DESC, o.id LIMIT $2::bigint`

const rolePartsStatement = repeatable('svc_usage_of_roles')`
    SELECT DISTINCT o.role, p.kind, p.of, p.name
    FROM svc_catalog.usage_operations o JOIN svc_catalog.usage_parts p ON p.operation = o.id
    WHERE EXISTS (SELECT FROM svc_catalog.usage_hours h WHERE h.operation = o.id AND ${within})
      AND CASE WHEN $2::text IS NULL THEN p.kind <> 'member'
          ELSE p.kind = 'member' AND p.of IN (SELECT json_array_elements_text($2::text::json)) END`

const usersStatement = repeatable('svc_usage_of_parts')`
    SELECT g.place::text, o.id::text, o.hash, o.name, o.role, o.type, sum(h.count)::text, ${shownTime('max(h.hour)')}, p.name
    FROM json_to_recordset($2::text::json) AS g(place integer, role text, kind text, of text, name text)
    JOIN svc_catalog.usage_parts p ON p.kind = g.kind AND p.of = g.of
      AND (g.name IS NULL OR p.name = g.name OR p.name = '*')
    JOIN svc_catalog.usage_operations o ON o.id = p.operation AND o.role = g.role
    JOIN svc_catalog.usage_hours h ON h.operation = o.id AND ${within}
    GROUP BY g.place, o.id, p.name ORDER BY g.place, sum(h.count) DESC, o.id`

/** Parts that one statement adds. */
const partsAtOnce = 20_000

/** The log of a catalogue that may be older than its tables (maintenance mode): nothing is counted or known. */
export const nothingUsed: UsageLog = {
  register: async (keys) => keys.map(() => null),
  addParts: async () => {},
  add: async () => new Set(),
  prune: async () => {},
  since: async () => null,
  operations: async () => [],
  roleParts: async () => [],
  users: async () => new Map(),
}

export function usageLog({ run }: Pick<CatalogueConnection, 'run'>, bounds: UsageBounds): UsageLog {
  return {
    async register(keys) {
      const given = keys.map((key, place) => ({ place, ...key }))
      const rows = await run(registerStatement, [JSON.stringify(given), bounds.operations])
      const ids = new Map(rows.map(([place, id]) => [Number(place), id ?? null]))
      return keys.map((_, place) => ids.get(place) ?? null)
    },
    async addParts(parts) {
      for (let i = 0; i < parts.length; i += partsAtOnce)
        await run(partsStatement, [JSON.stringify(parts.slice(i, i + partsAtOnce))])
    },
    add: async (counts) => new Set((await run(addStatement, [JSON.stringify(counts)])).map(([id]) => id ?? '')),
    prune: async () => void (await run(pruneStatement, [bounds.days])),
    since: async (days) => (await run(sinceStatement, [days]))[0]?.[0] ?? null,
    operations: async (days, most) => (await run(operationsStatement, [days, most])).map(usedOperation),
    roleParts: async (days, types) =>
      (await run(rolePartsStatement, [days, types && JSON.stringify(types)])).map(([role, kind, of, name]) => ({
        role: role ?? '',
        kind: kind as UsagePart['kind'],
        of: of ?? '',
        name: name ?? '',
      })),
    async users(days, parts) {
      const found = new Map<number, (UsedOperation & { readonly part: string })[]>()
      if (parts.length === 0) return found
      const given = parts.map((part, place) => ({ place, ...part }))
      for (const [place, ...row] of await run(usersStatement, [days, JSON.stringify(given)])) {
        const users = found.get(Number(place)) ?? []
        users.push({ ...usedOperation(row), part: row[7] ?? '' })
        found.set(Number(place), users)
      }
      return found
    },
  }
}

const usedOperation = ([id, hash, name, role, type, count, last]: readonly (string | null)[]): UsedOperation => ({
  id: id ?? '',
  hash: hash ?? '',
  name: name ?? '',
  role: role ?? '',
  type: type ?? '',
  count: Number(count),
  last: last ?? '',
})
