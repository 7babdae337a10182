import { defaultKind, type JsonObject, kindOfSource, recordOf, recordsIn } from '@svc/schema'

/** Metadata as it is served in a sandbox. */
export interface SandboxDocument {
  readonly json: JsonObject
  /** Sources that no sandbox has a database for, by name. */
  readonly leftOut: readonly string[]
}

/** Those of PostgreSQL, which the embedded database can stand in for. */
export const isServed = (source: JsonObject): boolean => kindOfSource(source) === defaultKind

/**
 * Metadata with the sandbox's databases in place of those that its sources name, and recorded introspections in place of the
 * addresses of its remote schemas. `urls`: of the sources' databases, by source. `recordings`: what the names of their files
 * begin with.
 */
export function sandboxDocument(
  declared: JsonObject,
  urls: ReadonlyMap<string, string>,
  recordings: string,
): SandboxDocument {
  const sources = recordsIn(declared.sources)
  return {
    json: {
      ...declared,
      sources: sources.flatMap((source) => {
        const url = urls.get(String(source.name))
        return url === undefined ? [] : [inSandbox(source, url)]
      }),
      ...(declared.remote_schemas !== undefined && {
        remote_schemas: recordsIn(declared.remote_schemas).map((remote) => fromRecording(remote, recordings)),
      }),
    },
    leftOut: sources.filter((source) => !urls.has(String(source.name))).map(({ name }) => String(name)),
  }
}

/** Where it is, how often it is checked and what its replicas are belongs to the deployment, and is left out. */
function inSandbox({ health_check: _, ...source }: JsonObject, url: string): JsonObject {
  const configuration = recordOf(source.configuration)
  const { extensions_schema: extensions } = configuration
  const connection = { database_url: url, pool_settings: { max_connections: mostConnections } }
  return {
    ...source,
    configuration: {
      connection_info: connection,
      ...(typeof extensions === 'string' && { extensions_schema: extensions }),
    },
  }
}

const mostConnections = 20

function fromRecording(remote: JsonObject, recordings: string): JsonObject {
  const { url_from_env: _, ...definition } = recordOf(remote.definition)
  return {
    ...remote,
    definition: { ...definition, url: `http://recorded.invalid/${recordings}${recordingName(String(remote.name))}` },
  }
}

/** A file name without its suffix, and the end of an address: no character of it means anything to either. */
export const recordingName = (remote: string): string =>
  [...new TextEncoder().encode(remote)]
    .map((byte) => {
      const letter = String.fromCharCode(byte)
      return /[\w-]/.test(letter) ? letter : `%${byte.toString(16).padStart(2, '0')}`
    })
    .join('')
