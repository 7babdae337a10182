import type { JsonObject } from '@svc/schema'
import { useMemo, useRef, useState } from 'preact/hooks'
import { documentOf } from '../change/document-of.ts'
import type { Metadata } from '../engine/metadata.ts'
import { addressOfObject, type ObjectKey } from '../navigate/object-address.ts'
import { Differing } from '../show/differing.tsx'
import { Failure } from '../show/failure.tsx'
import { filesOf, readFiles } from './dropped-files.ts'
import { type Drift, findDrift } from './find-drift.ts'

const words = {
  create: ['+', 'is in the engine alone'],
  delete: ['−', 'is not in the engine'],
  update: ['~', 'differs'],
} as const

/** Objects that are shown; the number of all is said. */
const MOST = 500

/** Shows what differs between a user's files and the engine. Nothing of them leaves the page, or is stored in it. */
export function DriftPage({ metadata }: { readonly metadata: Metadata }) {
  const live = useMemo(() => documentOf(metadata as unknown as JsonObject), [metadata])
  const [files, take] = useState<ReadonlyMap<string, string> | null>(null)
  const [found, find] = useState<Drift | Error | null>(null)
  const [compared, compare] = useState(live)
  const [over, hover] = useState(false)
  const latest = useRef(0)
  const read = async (load: () => Promise<ReadonlyMap<string, string>>) => {
    const round = ++latest.current
    hover(false)
    const result = await load()
      .then(async (files) => {
        take(files)
        return findDrift(files, live)
      })
      .catch((error: Error) => error)
    if (round !== latest.current) return
    compare(live)
    find(result)
  }
  if (files && compared !== live && found) read(async () => files)
  const choose = ({ currentTarget: { files } }: { readonly currentTarget: HTMLInputElement }) => {
    const chosen = [...(files ?? [])]
    if (chosen.length > 0) read(() => readFiles(chosen))
  }
  return (
    <main>
      <h1>Drift</h1>
      <section
        class={over ? 'drop over' : 'drop'}
        aria-label="Files to compare"
        onDragOver={(event) => {
          event.preventDefault()
          hover(true)
        }}
        onDragLeave={() => hover(false)}
        onDrop={(event) => {
          event.preventDefault()
          const { dataTransfer } = event
          if (dataTransfer) read(async () => readFiles(await filesOf(dataTransfer)))
        }}
      >
        <p>
          Drop a metadata directory here (or a zip of it), a Terraform state, or what <code>pulumi stack export</code>{' '}
          writes: the page shows what differs from the engine. It reads the files itself and sends nothing of them.
        </p>
        <div class="bar">
          <label>
            Directory
            <input type="file" ref={(input) => input?.setAttribute('webkitdirectory', '')} onChange={choose} />
          </label>
          <label>
            Zip, state or export
            <input type="file" accept=".zip,.json,.tfstate,.yaml,.yml" onChange={choose} />
          </label>
        </div>
      </section>
      {found instanceof Error ? <Failure error={found} /> : found && <Found drift={found} />}
    </main>
  )
}

function Found({ drift: { declaredIn, objects, notes } }: { readonly drift: Drift }) {
  return (
    <>
      <p role="status">
        {objects.length === 0
          ? `Nothing differs from ${declaredIn}.`
          : `${objects.length} ${objects.length === 1 ? 'object differs' : 'objects differ'} from ${declaredIn}.`}
      </p>
      {notes.map((note) => (
        <p class="quiet" key={note}>
          {note}
        </p>
      ))}
      {objects.slice(0, MOST).map(({ change, name, resource, differences }) => (
        <article key={`${name.name} ${resource}`} class="drifted">
          <h2>
            <span class={`sign ${change}`}>{words[change][0]}</span>{' '}
            <a href={addressOfObject(name as ObjectKey)}>{name.name}</a>{' '}
            <span class="quiet">
              {words[change][1]}
              {resource !== undefined && `, declared as ${resource}`}
            </span>
          </h2>
          {change === 'update' && (
            <Differing
              titles={['Declared', 'In the engine']}
              differences={differences.map(({ path, old, new: to }) => ({ path: path.join('.'), old, to }))}
            />
          )}
        </article>
      ))}
      {objects.length > MOST && <p class="quiet">and {objects.length - MOST} more</p>}
    </>
  )
}
