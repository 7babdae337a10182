import { useState } from 'preact/hooks'
import type { Client, Json } from '../engine/client.ts'
import { useLoaded } from '../engine/use-loaded.ts'
import { Differing } from '../show/differing.tsx'
import { Once } from '../show/failure.tsx'
import { JsonText } from '../show/json.tsx'
import { VirtualList } from '../show/virtual-list.tsx'
import { differences } from './differences.ts'

interface Change {
  readonly resource_version: number
  readonly at: string
  readonly operation: string
  readonly change: 'create' | 'update' | 'delete'
  readonly object: { readonly type: string; readonly name: string }
  readonly old: Json
  readonly new: Json
  readonly by: { readonly actor?: string | null; readonly role?: string; readonly user_agent?: string | null } | null
}

interface Changes {
  readonly resource_version: number
  readonly complete: boolean
  readonly more: boolean
  readonly changes: readonly Change[]
}

/** Versions that are shown at first; a button loads earlier ones. */
const RECENT = 500
/** Before it nothing was declared. */
const FIRST = 1

/** Which object was changed when, by whom, and how; newest first. */
export function HistoryPage({ client, version }: { readonly client: Client; readonly version: number }) {
  const [since, look] = useState(Math.max(FIRST, version - RECENT))
  const [chosen, choose] = useState<Change | null>(null)
  const [loaded, again] = useLoaded(() => readChanges(client, since), [client, since, version])
  return (
    <main class="filled">
      <h1>History</h1>
      <Once loaded={loaded} again={again}>
        {({ changes, complete }) => (
          <div class="beside">
            <div>
              <p class="quiet" role="status">
                {changes.length} changes since version {since}
                {!complete && '; the log does not reach further back'}
              </p>
              {since > FIRST && complete && (
                <button type="button" onClick={() => look(FIRST)}>
                  All that is kept
                </button>
              )}
              <VirtualList
                label="Changes"
                items={changes}
                height={48}
                keyOf={({ resource_version, object }) => `${resource_version} ${object.name}`}
                row={(change) => (
                  <button type="button" class="entry" aria-pressed={chosen === change} onClick={() => choose(change)}>
                    <span>
                      {change.resource_version} {change.change} {change.object.name}
                    </span>
                    <span class="quiet">
                      {new Date(change.at).toLocaleString()} {by(change)}
                    </span>
                  </button>
                )}
              />
            </div>
            <div>
              {chosen ? <ChangeText change={chosen} /> : <p class="quiet">Choose a change to see what it did.</p>}
            </div>
          </div>
        )}
      </Once>
    </main>
  )
}

const by = ({ by }: Change) => by?.actor ?? by?.user_agent ?? by?.role ?? ''

function ChangeText({ change }: { readonly change: Change }) {
  return (
    <article>
      <h2>
        {change.change} {change.object.name}
      </h2>
      <p class="quiet">
        by {change.operation} of {by(change) || 'someone'}, version {change.resource_version}
      </p>
      {change.change === 'update' ? (
        <Differing titles={['Before', 'After']} differences={differences(change.old, change.new)} />
      ) : (
        <JsonText value={change.new ?? change.old} label={`What was ${change.change}d`} />
      )}
    </article>
  )
}

async function readChanges(client: Client, since: number): Promise<Changes> {
  const pages: Change[] = []
  for (let at = since; ; ) {
    const page = await client.read<Changes>('get_metadata_changes', { since_resource_version: at })
    pages.push(...page.changes)
    const last = page.changes.at(-1)?.resource_version
    if (!page.more || last === undefined || last === at) return { ...page, changes: pages.reverse() }
    at = last
  }
}
