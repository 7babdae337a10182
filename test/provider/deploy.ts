/**
 * The provider as a tool would call it, without a tool: plan, then apply, held to what every tool demands: a planned
 * value is what was given, what was before or a default; an applied one is the planned one.
 */
import assert from 'node:assert/strict'
import {
  createProvider,
  type Diagnostic,
  type PlanResult,
  type Provider,
  type StateResult,
  type Values,
} from '../../provider/src/core/index.ts'
import type { Engine } from '../engine.ts'

const tool = {
  name: 'test',
  version: '0',
  json: 'text',
  reference: (kind: string, attribute: string) => `${kind}.${attribute}`,
  typeName: (kind: string) => kind,
  renamed: 'It was renamed.',
} as const

/** A new run: nothing is shared with other runs. */
export function newRun(
  engine: Pick<Engine, 'url' | 'secret'>,
  config: Values = {},
  times: Parameters<typeof createProvider>[2] = { wait: 3000 },
  parallelism: () => number | null = () => null,
): Provider {
  const provider = createProvider({ ...tool, parallelism }, {}, times)
  const all = { endpoint: engine.url, admin_secret: engine.secret, ...config }
  assert.deepEqual(provider.validateConfig(all), [])
  assert.deepEqual(provider.configure(all), [])
  return provider
}

export async function plan(
  provider: Provider,
  kind: string,
  prior: Values | null,
  config: Values | null,
): Promise<PlanResult> {
  const nulls = Object.fromEntries(
    Object.keys(provider.declaration.kinds.find((declaration) => declaration.kind === kind)?.attributes ?? {}).map(
      (name) => [name, null],
    ),
  )
  const given = config && { ...nulls, ...config }
  return provider.plan({ kind, prior, proposed: given, config: given })
}

export async function apply(
  provider: Provider,
  kind: string,
  prior: Values | null,
  config: Values | null,
): Promise<StateResult> {
  const { planned } = await plan(provider, kind, prior, config)
  if (planned !== null && planned === prior) return { state: prior, diagnostics: [] }
  const { state, diagnostics } = await provider.apply({ kind, prior, planned, config })
  if (diagnostics.length === 0) assert.deepEqual(state, planned)
  return { state, diagnostics }
}

/** Plans without complaint and applies; the state it ends with. */
export async function deploy(provider: Provider, kind: string, prior: Values | null, config: Values): Promise<Values> {
  const applied = await apply(provider, kind, prior, config)
  assert.deepEqual(applied.diagnostics, [])
  assert.ok(applied.state)
  return applied.state
}

export async function destroy(provider: Provider, kind: string, state: Values): Promise<void> {
  const gone = await provider.apply({ kind, prior: state, planned: null, config: null })
  assert.deepEqual([gone.state, gone.diagnostics], [null, []])
}

export const shown = ({ severity, summary, path }: Diagnostic) => [severity, summary, path.join('.')]
