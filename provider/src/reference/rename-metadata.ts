import { isRecord, type Json, type JsonObject, recordOf } from '@svc/schema'

/** Metadata of the reference in the words of this engine, and what a person should know of it. */
export interface Renamed {
  readonly metadata: JsonObject
  /** New name of each environment variable by its old one: to be set where the engine runs. */
  readonly variables: ReadonlyMap<string, string>
  /** How many texts named a session variable or a header of the reference. */
  readonly sessionVariables: number
  /** Places of what was left as it is, with the reason. */
  readonly notRenamed: readonly string[]
}

/** Renames session variables, environment variables and the reference's own words, wherever metadata may hold them. */
export function renameMetadata(metadata: JsonObject): Renamed {
  const walk = new Walk()
  const renamed = walk.value(metadata, [])
  return {
    metadata: recordOf(renamed),
    variables: walk.variables,
    sessionVariables: walk.sessionVariables,
    notRenamed: walk.notRenamed,
  }
}

type At = readonly (string | number)[]

/** Names of environment variables in metadata: `{"from_env": …}`, `url_from_env: …`. */
const namesVariable = /^(from_env|\w+_from_env)$/
const references = /\{\{\s*(HASURA_GRAPHQL_\w+)\s*\}\}/g

class Walk {
  readonly variables = new Map<string, string>()
  readonly notRenamed: string[] = []
  sessionVariables = 0

  value(json: Json, at: At): Json {
    if (typeof json === 'string') return this.#text(json, at)
    if (Array.isArray(json)) return json.map((item: Json, i) => this.value(item, [...at, i]))
    if (!isRecord(json)) return json
    return Object.fromEntries(
      Object.entries(json).map(([key, part]) => [renamedKey(key, json), this.value(part, [...at, key])]),
    )
  }

  #text(text: string, at: At): string {
    const key = at.at(-1)
    if (typeof key === 'string' && namesVariable.test(key)) return this.#variable(text)
    if (key === 'naming_convention' && text === 'hasura-default') return 'svc-default'
    if (isHeaderName(at)) {
      // the server that is called knows it by that name: it may be another engine of the reference's kind
      if (/^x-hasura-/i.test(text)) this.notRenamed.push(`${at.join('.')}: header ${text}, which is sent to others`)
      return text
    }
    if (isTableOfCatalogue(text, at)) return text.replace(/^hdb_/, 'svc_')
    const named = text.replace(references, (reference, name: string) => reference.replace(name, this.#variable(name)))
    return named.replace(/x-hasura-/gi, (prefix) => {
      this.sessionVariables += 1
      return prefix.startsWith('X') ? 'X-Svc-' : 'x-svc-'
    })
  }

  #variable(name: string): string {
    if (!name.startsWith('HASURA_GRAPHQL_')) return name
    const renamed = name.replace(/^HASURA_GRAPHQL_/, 'SVC_GRAPHQL_')
    this.variables.set(name, renamed)
    return renamed
  }
}

function renamedKey(key: string, within: JsonObject): string {
  return key === 'hasura_fields' && within.remote_schema !== undefined ? 'svc_fields' : key
}

/** `headers: [{name}]` of webhooks and remote schemas, and what transforms remove. */
const isHeaderName = (at: At): boolean =>
  (at.at(-1) === 'name' && at.at(-3) === 'headers') || at.at(-2) === 'remove_headers'

/** The catalogue's schema and its tables, where `{"schema": "hdb_catalog", "name": "hdb_…"}` is named. */
const isTableOfCatalogue = (text: string, at: At): boolean =>
  (at.at(-1) === 'schema' && text === 'hdb_catalog') ||
  (at.at(-1) === 'name' && /^hdb_(action|cron|scheduled)/.test(text))
