/** A stack with an object of every kind, in which each names what it can of the others by outputs. */
import type { Values } from '../../provider/src/core/index.ts'
import { catalogue } from '../../provider/src/resources/index.ts'
import { samples } from '../../provider/src/resources/samples.fixture.ts'
import { namesIn, type WalkedResource } from './walk-names.ts'
import { field, named, type Outside, prerequisites, rowsOf, source } from './walk-prerequisites.ts'

/** What the stack needs in the database in addition to the tables of the samples. */
export const walkTables = `CREATE TABLE shop.song (LIKE shop.album INCLUDING ALL);
  CREATE FUNCTION shop.find_albums(word text, session json, other json) RETURNS SETOF album VOLATILE
    LANGUAGE sql AS 'SELECT * FROM album WHERE title = word'`

/** What the engine of the stack needs in its environment. */
export const walkEnvironment = ({ databaseUrl, remoteUrl }: Outside): Readonly<Record<string, string>> => ({
  SVC_TEST_OTHER_URL: databaseUrl,
  SVC_TEST_REMOTE_URL: remoteUrl,
  SVC_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: 'true',
})

/** All kinds but one that cannot be there with `CustomType`, and has one identity alone. */
export const walkedSamples = ({ databaseUrl, remoteUrl }: Outside) =>
  samples(databaseUrl, undefined, remoteUrl).filter(({ kind }) => kind !== 'CustomTypes')

/** What samples say otherwise in this stack: nothing is in the way of what lies in them, and they name each other. */
const inStack: Readonly<Record<string, Values>> = {
  Table: { table: named('album', 'shop'), column_config: null, custom_name: 'shop_album' },
  Source: { name: source, customization: null },
  RemoteTypeRelationship: { to_source: rowsOf(source, named('artist'), { id: 'id' }) },
  CustomType: {
    relationships: [
      {
        name: 'artist',
        type: 'object',
        source,
        remote_table: named('artist'),
        field_mapping: { artist_id: 'id' },
      },
    ],
  },
  Action: { output_type: '[Receipt!]!', arguments: [field('item', 'Item'), field('items', '[Item!]!')] },
}

/** Everything there is, in the order of making. */
export function wholeStack(outside: Outside): readonly WalkedResource[] {
  const own = walkedSamples(outside).map(({ kind, base }) => ({
    name: `own_${kind}`,
    kind,
    config: { ...base, ...(base.source === undefined ? {} : { source }), ...inStack[kind] },
  }))
  const rank = ({ kind }: WalkedResource) => catalogue.findIndex((one) => one.kind === kind)
  return inOrderOfMaking([...prerequisites(outside), ...own].sort((a, b) => rank(a) - rank(b)))
}

/** What a resource names comes before it. */
function inOrderOfMaking(stack: readonly WalkedResource[]): readonly WalkedResource[] {
  const ordered = new Set<WalkedResource>()
  const entered = new Set<WalkedResource>()
  const enter = (one: WalkedResource): void => {
    if (entered.has(one)) return
    entered.add(one)
    for (const { leadsTo } of namesIn(one)) for (const other of stack) if (leadsTo(other)) enter(other)
    ordered.add(one)
  }
  for (const one of stack) enter(one)
  return [...ordered]
}
