import { addressText, type JsonObject, type MetadataDocument, type ObjectAddress } from '@svc/schema'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { addressOfKey } from '../../../provider/src/client/index.ts'
import type { Client, Json } from '../engine/client.ts'
import { shownTable, type TableName } from '../engine/metadata.ts'
import { ownerOf } from '../engine/owners.ts'
import { useLoaded } from '../engine/use-loaded.ts'
import { useSent } from '../engine/use-sent.ts'
import type { ObjectKey } from '../navigate/object-address.ts'
import { useKept } from '../navigate/use-kept.ts'
import { Failure, Once } from '../show/failure.tsx'
import { LineDiff } from '../show/line-diff.tsx'
import type { Planned } from './drafted.ts'
import { ExportView } from './export-view.tsx'
import { type Export, exportsOf } from './exports.ts'
import { readDeclared } from './owner.ts'
import { documentAfter, isRefused, requestOf, type Tried, tryOperations } from './try-change.ts'

interface Props {
  readonly client: Client
  readonly document: MetadataDocument
  readonly version: number
  readonly planned: Planned
  readonly applied: () => void
}

/** Milliseconds without typing before the engine is sent the change. */
const PAUSE = 300

/** What the engine says a change would do, the change as code, and, where it is wanted, a button that applies it. */
export function Outcome({ client, document, version, planned, applied }: Props) {
  const operations = useSettled(planned.operations)
  const [tried, again] = useLoaded(
    () => (operations.length === 0 ? Promise.resolve(null) : tryOperations(client, operations)),
    [client, version, JSON.stringify(operations)],
  )
  if (planned.problems.length > 0 && planned.operations.length === 0)
    return <p class="quiet">What is required is not there yet.</p>
  return (
    <section aria-label="What it does">
      <h2>What it does</h2>
      <Once loaded={tried} again={again}>
        {(answer) =>
          answer === null || operations.length === 0 ? (
            <p class="quiet">It changes nothing.</p>
          ) : isRefused(answer) ? (
            <Refused tried={answer} />
          ) : (
            <>
              <Effects tried={answer} />
              <Exports document={document} planned={planned} operations={operations} tried={answer} />
              <Apply
                client={client}
                version={version}
                operations={operations}
                changed={answer.changes}
                applied={applied}
              />
            </>
          )
        }
      </Once>
    </section>
  )
}

/** A value that has not changed for a while. */
function useSettled<T>(value: T): T {
  const [settled, settle] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => settle(value), PAUSE)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

const Refused = ({ tried }: { readonly tried: Tried }) => (
  <div class="failure" role="alert">
    <p>The engine would refuse it:</p>
    {tried.results
      .filter(({ verdict }) => verdict !== 'ok')
      .map(({ error, at }) => (
        <p key={`${at} ${error?.error}`}>
          {error?.error ?? 'It says no more.'} <code>{at ?? error?.path}</code>
        </p>
      ))}
  </div>
)

const text = (json: JsonObject | null) => (json === null ? '' : `${JSON.stringify(json, null, 2)}\n`)

function Effects({ tried: { changes, preview, inconsistent_objects: broken } }: { readonly tried: Tried }) {
  return (
    <>
      {changes.length === 0 && <p class="quiet">The metadata is so already.</p>}
      {changes.slice(0, MOST_SHOWN).map(({ change, object, old, new: now }) => (
        <details key={`${change} ${object.name}`} open={changes.length < 6}>
          <summary>
            <span class={`sign ${change}`}>{change}</span> {object.name}
          </summary>
          <LineDiff label={`${change} ${object.name}`} before={text(old)} after={text(now)} />
        </details>
      ))}
      {changes.length > MOST_SHOWN && <p class="quiet">and {changes.length - MOST_SHOWN} more</p>}
      {broken.map(({ name, reason }) => (
        <p class="wrong" key={name}>
          {name} would be inconsistent: {typeof reason === 'string' ? reason : JSON.stringify(reason)}
        </p>
      ))}
      {(preview?.roles ?? []).map(({ role, schema, rows }) => (
        <details key={role} open={(preview?.roles.length ?? 0) < 4}>
          <summary>
            For {role}: {countsOf(schema)}
          </summary>
          <ul class="effects">
            {(rows ?? []).map(({ table, permission, part, change, needs }) => (
              <li key={`${permission} ${part} ${JSON.stringify(table)}`}>
                {permission} of {shownTable(table as TableName)}: {part} {change}
                {needs && needs.length > 0 && `, needs ${needs.join(', ')}`}
              </li>
            ))}
            {(schema?.changes ?? []).slice(0, MOST_SHOWN).map(({ severity, at, description }) => (
              <li key={description} class={severity}>
                <code>{at}</code> {description}
              </li>
            ))}
          </ul>
        </details>
      ))}
      {(preview?.operations ?? []).map(({ collection, query, role, reasons }) => (
        <p class="wrong" key={`${collection} ${query} ${role}`}>
          {query} of {collection} no longer runs for {role}: {reasons.join('; ')}
        </p>
      ))}
    </>
  )
}

const MOST_SHOWN = 100

const countsOf = (
  schema: { readonly breaking: number; readonly dangerous: number; readonly safe: number } | undefined,
) =>
  schema ? `${schema.breaking} breaking, ${schema.dangerous} dangerous, ${schema.safe} safe changes of its schema` : ''

interface ExportsProps {
  readonly document: MetadataDocument
  readonly planned: Planned
  readonly operations: Planned['operations']
  readonly tried: Tried
}

function Exports({ document, planned, operations, tried }: ExportsProps) {
  const [tab, choose] = useKept<Export['id']>('export', 'files')
  const exports = useMemo(() => {
    const asked = (type: string, key: JsonObject) => {
      const at = addressOfKey(type, key)
      return at ? planned.wanted.get(addressText(at))?.value : undefined
    }
    const wanted = tried.changes.flatMap(({ change, object }): readonly ObjectAddress[] => {
      const at = change === 'delete' ? null : addressOfKey(object.type, object.key)
      if (!at || planned.wanted.has(addressText(at))) return at ? [at] : []
      // of an object that is declared by its parts: these
      const parts = [...planned.wanted.values()].filter(
        ({ at: one }) => one.parent === at.parent && one.type === at.type,
      )
      return at.own === '' && parts.length > 0 ? parts.map(({ at: one }) => one) : [at]
    })
    return exportsOf({ before: document, after: documentAfter(document, tried, asked), wanted, operations })
  }, [document, planned, operations, tried])
  const shown = exports.find(({ id }) => id === tab) ?? exports[0]
  return (
    <section aria-label="As code">
      <h2>As code</h2>
      <nav class="views" aria-label="Tools">
        {exports.map(({ id, title }) => (
          <button
            key={id}
            type="button"
            aria-current={id === shown?.id ? 'page' : undefined}
            onClick={() => choose(id)}
          >
            {title}
          </button>
        ))}
      </nav>
      {shown && <ExportView key={shown.id} shown={shown} removed={planned.removed} />}
    </section>
  )
}

interface ApplyProps {
  readonly client: Client
  readonly version: number
  readonly operations: Planned['operations']
  readonly changed: Tried['changes']
  readonly applied: () => void
}

/** A button behind a setting: off where a tool declares what the engine has. */
function Apply({ client, version, operations, changed, applied }: ApplyProps) {
  const [declared, again] = useLoaded(() => readDeclared(client, version), [client, version])
  const [wanted, want] = useKept<boolean | null>('apply', null)
  const request = requestOf(operations) as unknown as Readonly<Record<string, Json>>
  const { isSending, failure, start } = useSent(() => client.apply(request, version), applied)
  return (
    <section aria-label="Apply">
      <h2>Apply</h2>
      <Once loaded={declared} again={again}>
        {({ by, owners }) => {
          const isOn = wanted ?? by === null
          return (
            <>
              <label>
                <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => want(currentTarget.checked)} />
                Let this page apply changes
              </label>
              {by && (
                <p class={isOn ? 'wrong' : 'quiet'}>
                  {by}: what is applied here is drift to it, which its next run may take back. Take the code above
                  instead.
                </p>
              )}
              {changed.slice(0, MOST_SHOWN).map(({ object }) => {
                const owner = ownerOf(owners, object as ObjectKey)
                return (
                  owner && (
                    <p class="wrong" key={object.name}>
                      {object.name} is owned by "{owner}".
                    </p>
                  )
                )
              })}
              {isOn && (
                <button type="button" class="primary" disabled={isSending} onClick={start}>
                  Apply now
                </button>
              )}
              {failure && <Failure error={failure} />}
            </>
          )
        }}
      </Once>
    </section>
  )
}
