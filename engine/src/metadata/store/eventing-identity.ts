import { type CatalogueConnection, once, repeatable, withConnection } from './connection.ts'

/** Which deployment sends the events of a catalogue (docs/operations.md#restored-copies). */
export interface EventingIdentityStore {
  /** The name that sends; `name` where there was none until now. */
  claim(name: string): Promise<string>
  /** Makes `name` the one that sends, whichever was; returns that. */
  adopt(name: string): Promise<string | null>
}

/** $1 the name. No row where another instance names itself at this moment. */
const claimStatement = repeatable('svc_eventing_claim')`
    WITH named AS (
      UPDATE svc_catalog.svc_version SET eventing_identity = $1::text WHERE eventing_identity IS NULL
      RETURNING eventing_identity
    )
    SELECT eventing_identity FROM named
    UNION ALL
    SELECT eventing_identity FROM svc_catalog.svc_version WHERE eventing_identity IS NOT NULL
    LIMIT 1`

/** $1 the name. */
const adoptStatement = once('svc_eventing_adopt')`
    WITH old AS (SELECT svc_uuid, eventing_identity FROM svc_catalog.svc_version FOR UPDATE)
    UPDATE svc_catalog.svc_version v SET eventing_identity = $1::text FROM old WHERE v.svc_uuid = old.svc_uuid
    RETURNING old.eventing_identity`

export const eventingIdentityStore = ({ run }: Pick<CatalogueConnection, 'run'>): EventingIdentityStore => ({
  async claim(name) {
    const read = async () => (await run(claimStatement, [name]))[0]?.[0] ?? null
    return (await read()) ?? (await read()) ?? name
  },
  adopt: async (name) => (await run(adoptStatement, [name]))[0]?.[0] ?? null,
})

/** `svc-engine adopt-catalogue`: makes `name` the one that sends; returns which was. */
export const adoptCatalogue = (url: string, name: string): Promise<string | null> =>
  withConnection(url, (connection) => eventingIdentityStore(connection).adopt(name))
