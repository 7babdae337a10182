import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { sep } from 'node:path'
import { test } from 'node:test'

/**
 * Lines of code outside of backends/ that name PostgreSQL or something of its catalogue, by folder or file, and why they
 * may: what is over a backend works with any. A list that only shrinks: a line less lowers the number, a line more is a
 * question to the backend (backends/backend.ts).
 */
const allowed: readonly (readonly [place: string, lines: number, reason: string])[] = [
  ['engine/src/config', 2, 'the metadata database, and a feature that the contract names'],
  ['engine/src/embedded', 16, 'the embedded database is PostgreSQL'],
  ['engine/src/errors.ts', 2, 'the one table of codes has those of each backend'],
  ['engine/src/http/operator-routes.ts', 1, '/v1alpha1/pg_dump'],
  ['engine/src/metadata/store', 8, 'the metadata database is PostgreSQL'],
  ['engine/src/metrics/count-observations.ts', 1, '/v1alpha1/pg_dump'],
  ['engine/src/model/parts/remote-relationship', 1, "the contract's message, whatever the database"],
  ['engine/src/model/resolve/refuse-column-name.ts', 2, "the contract's messages, whatever the database"],
  ['engine/src/observe/log-listener.ts', 2, 'connections to the metadata database'],
  ['engine/src/pg-dump', 10, "runs PostgreSQL's own program"],
  ['engine/src/server/start-metadata.ts', 1, 'a feature that the contract names'],
  ['engine/src/webhooks/instance-statements.ts', 1, 'instances report in the metadata database'],
  ['provider/src/advice/source-facts.ts', 4, 'reads indexes and sizes by run_sql'],
  ['provider/src/client', 3, '/v1alpha1/pg_dump'],
  ['provider/src/migrations', 2, "locks on the source's database"],
  ['provider/src/pulumi', 1, 'words by which the package is found'],
  ['schema/src/backend-kind.ts', 2, 'the kinds of source, and the default one'],
  ['schema/src/index.ts', 1, 'the configuration of its sources'],
  ['schema/src/objects', 9, 'the configuration of its sources'],
  ['schema/src/operations/sources.ts', 1, 'the configuration of its sources'],
  ['schema/src/value-faults', 2, 'the configuration of its sources'],
]

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '')

test('code outside of backends/ names PostgreSQL in the places that are listed only', () => {
  const found = new Map<string, number>()
  for (const file of globSync('{schema,engine,provider}/src/**/*.ts')) {
    const path = file.split(sep).join('/')
    if (/\.(test|fixture)\.ts$/.test(path) || path.startsWith('engine/src/backends/')) continue
    const lines = withoutComments(readFileSync(path, 'utf8')).split('\n')
    const naming = lines.filter((line) => /postgres|pg_/.test(line)).length
    if (naming === 0) continue
    const place = allowed.find(([at]) => path === at || path.startsWith(`${at}/`))?.[0] ?? path
    found.set(place, (found.get(place) ?? 0) + naming)
  }
  const listed = allowed.map(([place, lines]): [string, number] => [place, lines])
  assert.deepEqual(Object.fromEntries([...found].sort()), Object.fromEntries(listed.sort()))
})
