import { useEffect, useRef, useState } from 'preact/hooks'
import { Editor } from '../edit/editor.tsx'
import type { Client, Explained } from '../engine/client.ts'
import type { Metadata } from '../engine/metadata.ts'
import { useLoaded } from '../engine/use-loaded.ts'
import { useKept } from '../navigate/use-kept.ts'
import { Failure } from '../show/failure.tsx'
import { CallerChoice, useCaller } from './caller.tsx'
import { Documentation } from './documentation.tsx'
import { ExplainedText } from './explained.tsx'
import { readSchema } from './read-schema.ts'
import { type Draft, operationAt, type Running, runOperation } from './run-operation.ts'

interface Tab extends Draft {
  readonly id: number
}

const first: Tab = { id: 1, query: 'query {\n  \n}\n', variables: '', headers: '' }

const labels = { variables: 'Variables', headers: 'Headers' } as const

/** How many operations of past runs are stored, newest first. */
const MOST_KEPT = 50

type Shown =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'running'; readonly answers: number; readonly value: unknown }
  | { readonly kind: 'answer'; readonly value: unknown }
  | { readonly kind: 'explained'; readonly fields: readonly Explained[] }
  | { readonly kind: 'failed'; readonly error: Error }

/** Writes an operation, sends it as a role, and shows what the engine answers and how. */
export function ApiPage({ client, metadata }: { readonly client: Client; readonly metadata: Metadata }) {
  const [caller, choose] = useCaller()
  const [tabs, keepTabs] = useKept<readonly Tab[]>('tabs', [first])
  const [active, activate] = useKept('tab', 1)
  const [past, keepPast] = useKept<readonly Draft[]>('past', [])
  const [shown, show] = useState<Shown>({ kind: 'nothing' })
  const [documented, document] = useState(false)
  const [schema, again] = useLoaded(() => readSchema(client, caller), [client, caller, metadata])
  const running = useRef<Running | null>(null)
  const cursor = useRef(0)
  useEffect(() => () => running.current?.stop(), [])

  const tab = tabs.find(({ id }) => id === active) ?? tabs[0] ?? first
  const write = (change: Partial<Draft>) =>
    keepTabs(tabs.map((one) => (one.id === tab.id ? { ...one, ...change } : one)))
  const open = (draft: Draft) => {
    const id = Math.max(...tabs.map((one) => one.id)) + 1
    keepTabs([...tabs, { ...first, ...draft, id }])
    activate(id)
  }
  const close = () => {
    const left = tabs.filter(({ id }) => id !== tab.id)
    keepTabs(left.length > 0 ? left : [first])
    activate((left.at(-1) ?? first).id)
  }

  const stop = () => {
    running.current?.stop()
    running.current = null
  }
  const run = (at: number) => {
    stop()
    cursor.current = at
    try {
      const operation = operationAt(tab, at)
      const { query, variables, headers } = tab
      keepPast([{ query, variables, headers }, ...past.filter((one) => one.query !== query)].slice(0, MOST_KEPT))
      const isStream = operation.kind === 'subscription'
      let answers = 0
      show({ kind: 'running', answers, value: undefined })
      running.current = runOperation(client, caller, tab, operation, {
        answer: (value) => {
          answers += 1
          show(isStream ? { kind: 'running', answers, value } : { kind: 'answer', value })
        },
        failed: (error) => show({ kind: 'failed', error }),
        ended: () => {
          running.current = null
        },
      })
    } catch (error) {
      show({ kind: 'failed', error: error as Error })
    }
  }
  const explain = () => {
    stop()
    Promise.resolve()
      .then(() => {
        const { kind: _, ...operation } = operationAt(tab, cursor.current)
        return client.explain(operation, caller)
      })
      .then(
        (fields) => show({ kind: 'explained', fields }),
        (error: Error) => show({ kind: 'failed', error }),
      )
  }

  return (
    <main class="api">
      <h1 class="unseen">API</h1>
      <div class="bar">
        <CallerChoice metadata={metadata} headerPrefix={client.headerPrefix} caller={caller} choose={choose} />
        <button type="button" class="primary" onClick={() => run(cursor.current)}>
          Run
        </button>
        {shown.kind === 'running' && (
          <button
            type="button"
            onClick={() => {
              stop()
              show({ kind: 'answer', value: shown.value })
            }}
          >
            Stop
          </button>
        )}
        <button type="button" onClick={explain}>
          Explain
        </button>
        <button type="button" aria-pressed={documented} onClick={() => document(!documented)}>
          Documentation
        </button>
        <label>
          Earlier
          <select
            value=""
            onChange={({ currentTarget: { value } }) => past[Number(value)] && open(past[Number(value)] ?? first)}
          >
            <option value="">{past.length === 0 ? 'none yet' : `${past.length} kept`}</option>
            {past.map(({ query }, index) => (
              <option key={query} value={index}>
                {query.replace(/\s+/g, ' ').slice(0, 60)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <nav class="views" aria-label="Tabs">
        {tabs.map(({ id, query }) => (
          <button key={id} type="button" aria-current={id === tab.id ? 'page' : undefined} onClick={() => activate(id)}>
            {nameOf(query) ?? `Tab ${id}`}
          </button>
        ))}
        <button type="button" onClick={() => open(first)}>
          New tab
        </button>
        <button type="button" onClick={close}>
          Close tab
        </button>
      </nav>
      <div class={documented ? 'panes three' : 'panes'}>
        <div class="written">
          <Editor
            key={tab.id}
            label="Operation"
            language="graphql"
            value={tab.query}
            change={(query) => write({ query })}
            schema={schema.state === 'loaded' ? schema.value : null}
            run={run}
          />
          {(['variables', 'headers'] as const).map((part) => (
            <details key={part} open={tab[part] !== ''}>
              <summary>{labels[part]}</summary>
              <Editor
                key={tab.id}
                label={labels[part]}
                language="json"
                value={tab[part]}
                change={(text) => write({ [part]: text })}
              />
            </details>
          ))}
          {schema.state === 'failed' && <Failure error={schema.error} again={again} />}
        </div>
        <div class="answer">
          <Answer shown={shown} />
        </div>
        {documented && schema.state === 'loaded' && <Documentation schema={schema.value} />}
      </div>
    </main>
  )
}

function Answer({ shown }: { readonly shown: Shown }) {
  switch (shown.kind) {
    case 'nothing':
      return <p class="quiet">Ctrl-Enter runs the operation at the cursor.</p>
    case 'running':
      return (
        <>
          <p role="status" class="quiet">
            Running{shown.answers > 0 && `: ${shown.answers} answers`}
          </p>
          {shown.value !== undefined && <AnswerText value={shown.value} />}
        </>
      )
    case 'answer':
      return <AnswerText value={shown.value} />
    case 'explained':
      return <ExplainedText fields={shown.fields} />
    case 'failed':
      return <Failure error={shown.error} />
  }
}

const AnswerText = ({ value }: { readonly value: unknown }) => (
  <Editor label="Answer" language="json" value={JSON.stringify(value ?? null, null, 2)} change={null} />
)

const nameOf = (query: string) => /^\s*(?:query|mutation|subscription)\s+(\w+)/m.exec(query)?.[1]
