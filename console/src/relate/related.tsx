import {
  address,
  type JsonObject,
  type ObjectAddress,
  objectKinds,
  objectTypes,
  ownKeyOf,
  sourceAddress,
} from '@svc/schema'
import { addressOfKey } from '../../../provider/src/client/index.ts'
import { documentOf } from '../change/document-of.ts'
import type { Client } from '../engine/client.ts'
import { type Metadata, prefixOf, type Source } from '../engine/metadata.ts'
import { useLoaded } from '../engine/use-loaded.ts'
import { addressOfObject, type ObjectKey } from '../navigate/object-address.ts'
import { Once } from '../show/failure.tsx'
import { OwnedBy } from '../show/owned-by.tsx'
import { type ForeignKey, kinOf, type Relation, relationsOf, type UseSettings, useOf, usesOf } from './relations.ts'

/** An object by its key, or as it stands in a list of the metadata. */
type Shown = ObjectKey | { readonly list: string; readonly source: string | null; readonly value: unknown }

const documents = new WeakMap<Metadata, ReturnType<typeof documentOf>>()

function documentFor(metadata: Metadata) {
  const document = documents.get(metadata) ?? documentOf(metadata as unknown as JsonObject)
  documents.set(metadata, document)
  return document
}

interface Props {
  readonly client: Client
  readonly metadata: Metadata
  readonly object: Shown
}

/** Whose an object is, who may use it, what it depends on and what depends on it: each with its view. */
export function Related({ client, metadata, object }: Props) {
  const [settings, again] = useLoaded(() => client.config(), [client])
  const document = documentFor(metadata)
  const at = 'list' in object ? addressOfListed(object) : addressOfKey(object.type, object.key)
  const source =
    at?.type === 'table' ? metadata.sources?.find((one) => 'key' in object && one.name === object.key.source) : null
  const [keys] = useLoaded(async () => (source ? readKeys(client, source) : []), [client, source])
  if (!at) return null
  const { dependsOn, usedBy } = relationsOf(document, at, keys.state === 'loaded' ? keys.value : [])
  return (
    <section aria-label="Relations" class="related">
      {'list' in object && <OwnedBy client={client} object={keyOf(at, object)} />}
      <h2>Who may use it</h2>
      <Once loaded={settings} again={again}>
        {(config) => {
          const { roles, words } = useOf(document, at, (config ?? {}) as UseSettings)
          return (
            <>
              {words && <p>{words}</p>}
              <ul>
                {roles.map(({ role, what, from }) => (
                  <li key={`${role} ${from}`}>
                    <RoleLink role={role} /> <span class="quiet">{what}</span>
                    {from !== null && (
                      <>
                        {' '}
                        inherited from <RoleLink role={from} />
                      </>
                    )}
                  </li>
                ))}
              </ul>
            </>
          )
        }}
      </Once>
      <h2>Depends on</h2>
      <Objects relations={dependsOn} none="Nothing else that is declared." />
      <h2>Used by</h2>
      <Objects relations={usedBy} none="Nothing else that is declared." />
    </section>
  )
}

const readKeys = async (client: Client, { name, kind }: Source): Promise<readonly ForeignKey[]> =>
  (
    await client.read<{ relationships: readonly ForeignKey[] }>(`${prefixOf(kind)}_suggest_relationships`, {
      source: name,
    })
  ).relationships

/** What a role may use, what it is made of and where it is inherited. */
export function RolePage({ metadata, role }: { readonly metadata: Metadata; readonly role: string }) {
  const document = documentFor(metadata)
  const { madeOf, within } = kinOf(document, role)
  return (
    <section aria-label="Relations" class="related">
      {[['Made of', madeOf] as const, ['Inherited by', within] as const].map(
        ([title, roles]) =>
          roles.length > 0 && (
            <p key={title}>
              {title}{' '}
              {roles.map((one, index) => (
                <span key={one}>
                  {index > 0 && ', '}
                  <RoleLink role={one} />
                </span>
              ))}
            </p>
          ),
      )}
      <h2>May use</h2>
      <Objects relations={usesOf(document, role)} none="Nothing." />
    </section>
  )
}

const RoleLink = ({ role }: { readonly role: string }) => (
  <a href={addressOfObject({ type: 'role', key: { name: role } })}>{role}</a>
)

/** Objects that are shown; the number of all is said. */
const MOST = 200

const Objects = ({ relations, none }: { readonly relations: readonly Relation[]; readonly none: string }) =>
  relations.length === 0 ? (
    <p class="quiet">{none}</p>
  ) : (
    <ul>
      {relations.slice(0, MOST).map(({ object, by }) => (
        <li key={object.name}>
          <a href={addressOfObject(object as ObjectKey)}>{object.name}</a> <span class="quiet">{by.join(', ')}</span>
        </li>
      ))}
      {relations.length > MOST && <li class="quiet">and {relations.length - MOST} more</li>}
    </ul>
  )

function addressOfListed({ list, source, value }: Exclude<Shown, ObjectKey>): ObjectAddress | null {
  const parent = source === null ? null : 'source'
  const type = objectTypes.find((one) => objectKinds[one].list === list && objectKinds[one].parent === parent)
  return type
    ? address(type, ownKeyOf(type, value as JsonObject), source === null ? null : sourceAddress(source))
    : null
}

const keyOf = ({ type }: ObjectAddress, { source, value }: Exclude<Shown, ObjectKey>): ObjectKey => ({
  type,
  key: { ...(source !== null && { source }), ...objectKinds[type].key(value as JsonObject) } as ObjectKey['key'],
})
