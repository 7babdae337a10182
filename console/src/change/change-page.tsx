import type { JsonObject } from '@svc/schema'
import { useEffect, useMemo } from 'preact/hooks'
import { kindNamed, type Values } from '../../../provider/src/resources/index.ts'
import { valuesOfTable } from '../data/change-of.ts'
import { rowIntrospection } from '../data/row-query.ts'
import { readUntracked } from '../data/untracked.ts'
import { useLoaded } from '../engine/use-loaded.ts'
import { addressOf } from '../navigate/location.ts'
import { useKept } from '../navigate/use-kept.ts'
import type { ViewProps } from '../navigate/views.ts'
import { VirtualList } from '../show/virtual-list.tsx'
import { documentOf } from './document-of.ts'
import { DraftForm } from './draft-form.tsx'
import { type Drafted, draftOf, planDrafts } from './drafted.ts'
import { commonKinds, kindTitle, otherKinds } from './kinds.ts'
import { Outcome } from './outcome.tsx'

interface Props extends ViewProps {
  readonly version: number
  /** Reads the metadata again. */
  readonly again: () => void
}

/** Objects as the user wants them, what the engine says of that, and the same as code of each tool. */
export function ChangePage({ client, metadata, version, location, again }: Props) {
  const [drafts, keep] = useKept<readonly Drafted[]>('drafts', [])
  const document = useMemo(() => documentOf(metadata as unknown as JsonObject), [metadata])
  const planned = useMemo(() => planDrafts(drafts, document), [drafts, document])
  const [introspected] = useLoaded(
    () => client.graphql({ query: rowIntrospection, variables: {}, operationName: null }, null),
    [client, version],
  )
  const chosen = drafts.find(({ id }) => String(id) === location.parts[1])
  const go = (id: number | null) =>
    globalThis.location.replace(addressOf(id === null ? ['change'] : ['change', String(id)]))
  const leave = (left: readonly Drafted[]) => {
    keep(left)
    go(null)
  }

  const add = (wanted: readonly { readonly kind: string; readonly values: Values }[]) => {
    const next = Math.max(0, ...drafts.map(({ id }) => id)) + 1
    const made = wanted.flatMap(({ kind, values }) => draftOf(document, kind, values) ?? [])
    const isNew = (draft: Omit<Drafted, 'id'>) => !drafts.some((one) => titleOf(one) === titleOf(draft))
    const added = made.filter(isNew).map((draft, index) => ({ ...draft, id: next + index }))
    const known = drafts.find((one) => made[0] && titleOf(one) === titleOf(made[0]))
    keep([...drafts, ...added])
    go(added[0]?.id ?? known?.id ?? null)
  }

  const { query } = location
  const wanted = query.get('add')
  const tracked = query.get('track')
  useEffect(() => {
    if (wanted !== null) add([{ kind: wanted, values: valuesOfText(query.get('values') ?? '{}') }])
    const source = metadata.sources?.find(({ name }) => name === tracked)
    if (source)
      readUntracked(client, source).then((tables) =>
        add(tables.map((table) => ({ kind: 'Table', values: valuesOfTable(source.name, table) }))),
      )
    else if (tracked !== null) go(null)
  }, [wanted, tracked])

  return (
    <div class="beside">
      <aside>
        <div class="bar">
          <label for="add">Add</label>
          <select
            id="add"
            value=""
            onChange={({ currentTarget: { value } }) => value !== '' && add([{ kind: value, values: {} }])}
          >
            <option value="">an object …</option>
            {[['Most often', commonKinds] as const, ['All others', otherKinds] as const].map(([label, kinds]) => (
              <optgroup key={label} label={label}>
                {kinds.map((kind) => (
                  <option key={kind.kind} value={kind.kind}>
                    {kindTitle(kind)}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </div>
        <p class="quiet" role="status">
          {drafts.length === 0 ? 'Nothing is changed yet.' : `${drafts.length} changed`}
        </p>
        <VirtualList
          label="Changed objects"
          items={drafts}
          height={30}
          keyOf={({ id }) => String(id)}
          row={(draft) => (
            <a href={addressOf(['change', String(draft.id)])} aria-current={draft === chosen ? 'page' : undefined}>
              {planned.problems.some(({ id }) => id === draft.id) && <span class="wrong">! </span>}
              {draft.removes && <span class="wrong">− </span>}
              {titleOf(draft)}
            </a>
          )}
        />
        {drafts.length > 0 && (
          <button type="button" onClick={() => leave([])}>
            Forget all
          </button>
        )}
      </aside>
      <main>
        <h1>Change</h1>
        {chosen && (
          <DraftForm
            key={chosen.id}
            draft={chosen}
            document={document}
            metadata={metadata}
            client={client}
            introspected={introspected.state === 'loaded' ? introspected.value : null}
            problems={planned.problems.filter(({ id }) => id === chosen.id)}
            change={(to) => keep(drafts.map((one) => (one.id === to.id ? to : one)))}
            forget={() => leave(drafts.filter(({ id }) => id !== chosen.id))}
          />
        )}
        {drafts.length === 0 ? (
          <p class="about-change">
            Choose an object to declare or to change. The engine says what it would do; the page shows it as files of
            the metadata directory, as Terraform, as Pulumi and as a request. Nothing is applied meanwhile.
          </p>
        ) : (
          <Outcome
            client={client}
            document={document}
            version={version}
            planned={planned}
            applied={() => {
              leave([])
              again()
            }}
          />
        )}
      </main>
    </div>
  )
}

/** The kind of an object and what identifies it. */
export function titleOf({ kind: name, values }: Omit<Drafted, 'id'>): string {
  const kind = kindNamed(name)
  if (!kind) return name
  const texts = kind.identityPaths.flatMap((path) => {
    const value = path.reduce<unknown>((at, key) => (at as Values | null)?.[key], values)
    return typeof value === 'string' && value !== 'default' && value !== 'public' ? [value] : []
  })
  return `${kindTitle(kind)} ${texts.join(' ')}`
}

function valuesOfText(text: string): Values {
  try {
    return JSON.parse(text) as Values
  } catch {
    return {}
  }
}
