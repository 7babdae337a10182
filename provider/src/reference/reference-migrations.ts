import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord, type Json } from '@svc/schema'
import { parseYaml, shown } from '../directory/index.ts'

/** A migration of the reference's project, in the form of this one's. */
export interface ReferenceMigration {
  readonly source: string
  /** `<version>_<name>` */
  readonly name: string
  readonly up: string
  readonly down: string | null
}

export interface ReferenceMigrations {
  readonly migrations: readonly ReferenceMigration[]
  /** Files that are part of them. */
  readonly files: readonly string[]
  readonly leftOut: readonly string[]
}

/**
 * Those of all three layouts: `<source>/<version>_<name>/up.sql`, of one database `<version>_<name>/up.sql`, and the
 * older `<version>_<name>.up.sql`. Of `.yaml` the requests run_sql become SQL; other requests change metadata, which is
 * imported as it is at the end of them.
 */
export function readReferenceMigrations(folder: string): ReferenceMigrations {
  const found = new Map<string, Record<string, string>>()
  const add = (source: string, name: string, part: string, file: string) => {
    const key = JSON.stringify([source, name])
    found.set(key, { ...found.get(key), [part]: file })
  }
  const collect = (at: string, source: string) => {
    for (const entry of entriesOf(at)) {
      const path = join(at, entry.name)
      const flat = /^(\d+_.*)\.((?:up|down)\.(?:sql|yaml))$/.exec(entry.name)
      if (entry.isFile() && flat) add(source, flat[1] ?? '', flat[2] ?? '', path)
      else if (!entry.isDirectory() || entry.name.startsWith('.')) continue
      else if (/^\d+(_|$)/.test(entry.name)) {
        for (const part of ['up.sql', 'down.sql', 'up.yaml', 'down.yaml'])
          if (existsSync(join(path, part))) add(source, entry.name, part, join(path, part))
      } else if (at === folder) collect(path, entry.name)
    }
  }
  collect(folder, 'default')
  const leftOut: string[] = []
  const migrations = [...found].flatMap(([key, parts]) => {
    const [source, name] = JSON.parse(key) as [string, string]
    const sql = (direction: 'up' | 'down') => {
      const texts = [parts[`${direction}.sql`], parts[`${direction}.yaml`]].flatMap((file) =>
        file === undefined ? [] : [file.endsWith('.sql') ? readFileSync(file, 'utf8') : sqlOf(file, leftOut)],
      )
      const text = texts.filter((one) => one.trim() !== '').join('\n')
      return text === '' ? null : text
    }
    const [up, down] = [sql('up'), sql('down')]
    if (up === null) leftOut.push(`migration ${name} of ${source} has no SQL to run upwards, and is left out`)
    return up === null ? [] : [{ source, name, up, down }]
  })
  return { migrations, leftOut, files: [...found.values()].flatMap((parts) => Object.values(parts)) }
}

const entriesOf = (folder: string) =>
  existsSync(folder) ? readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1)) : []

/** The SQL of a list of requests. */
function sqlOf(file: string, leftOut: string[]): string {
  const requests = (json: Json): readonly Json[] =>
    Array.isArray(json)
      ? json.flatMap(requests)
      : isRecord(json) && json.type === 'bulk' && Array.isArray(json.args)
        ? json.args.flatMap(requests)
        : [json]
  return requests(parseYaml(readFileSync(file, 'utf8'), shown(file)))
    .flatMap((request) => {
      if (!isRecord(request)) return []
      const { type, args } = request
      if (type === 'run_sql' && isRecord(args) && typeof args.sql === 'string')
        return [args.sql.replace(/;?\s*$/, ';\n')]
      leftOut.push(`${shown(file)}: ${String(type)} is left out: it changed metadata, which is taken over as it is now`)
      return []
    })
    .join('')
}
