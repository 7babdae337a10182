import type { MetadataDocument } from '@svc/schema'
import { useMemo } from 'preact/hooks'
import { variantIn } from '../../../provider/src/core/index.ts'
import { isValues, kindNamed } from '../../../provider/src/resources/index.ts'
import { columnsOf } from '../data/row-query.ts'
import { readUntracked } from '../data/untracked.ts'
import type { Client, Json } from '../engine/client.ts'
import type { Metadata } from '../engine/metadata.ts'
import { useLoaded } from '../engine/use-loaded.ts'
import { Fields } from '../forms/attribute-field.tsx'
import { formContext } from '../forms/form-context.ts'
import { Prose } from '../show/prose.tsx'
import { titleOf } from './change-page.tsx'
import { type Drafted, draftOf, liveOf, type Problem } from './drafted.ts'
import { shownAttributes } from './kinds.ts'

interface Props {
  readonly draft: Drafted
  readonly document: MetadataDocument
  readonly metadata: Metadata
  readonly client: Client
  /** The admin's schema, by which columns are known. */
  readonly introspected: Json
  readonly problems: readonly Problem[]
  readonly change: (to: Drafted) => void
  readonly forget: () => void
}

/** The attributes of one object. */
export function DraftForm({ draft, document, metadata, client, introspected, problems, change, forget }: Props) {
  const { values, removes } = draft
  const whole = kindNamed(draft.kind)
  const source = metadata.sources?.find(({ name }) => name === (values.source ?? 'default'))
  const [untracked] = useLoaded(
    () => (draft.kind === 'Table' && source ? readUntracked(client, source) : Promise.resolve([])),
    [client, draft.kind, source],
  )
  const context = useMemo(
    () =>
      formContext(
        metadata,
        source,
        untracked.state === 'loaded' ? untracked.value : [],
        (of, table) => (introspected === null ? [] : (columnsOf(introspected, of, table)?.columns ?? [])),
        client.headerPrefix,
      ),
    [metadata, source, untracked, introspected, client],
  )
  if (!whole) return null
  const kind = variantIn(document, whole, values)
  const attributes = shownAttributes(kind)
  const live = liveOf(document, kind, values)
  const heads = new Set(kind.identityPaths.map(([head]) => head))
  const alternatives = new Set(kind.exactlyOne?.flat())
  const isFolded = (name: string) => {
    const attribute = attributes[name]
    const isFirst =
      attribute?.presence === 'required' || heads.has(name) || alternatives.has(name) || attribute?.type.kind === 'json'
    const value = values[name] ?? null
    return !isFirst && (value === null || value === attribute?.default)
  }
  return (
    <form class="declared" aria-label={titleOf(draft)} onSubmit={(event) => event.preventDefault()}>
      <h2>{titleOf(draft)}</h2>
      <p class="quiet">
        <Prose text={kind.description} /> {live ? 'It is there already and is changed.' : 'It is new.'}
      </p>
      <div class="bar">
        {live && (
          <>
            <button type="button" onClick={() => change({ ...draft, ...draftOf(document, draft.kind, values) })}>
              As it is now
            </button>
            <button type="button" aria-pressed={removes} onClick={() => change({ ...draft, removes: !removes })}>
              Remove it from the engine
            </button>
          </>
        )}
        <button type="button" onClick={forget}>
          Forget this change
        </button>
      </div>
      {removes ? (
        <p>It goes, and what lies in it goes with it.</p>
      ) : (
        <Fields
          attributes={attributes}
          values={values}
          change={(to) => change({ ...draft, values: { ...values, ...to } })}
          isFolded={isFolded}
          table={isValues(values.table) ? values.table : null}
          context={context}
          problems={problems}
        />
      )}
    </form>
  )
}
