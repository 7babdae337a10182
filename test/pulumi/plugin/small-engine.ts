/**
 * What Pulumi's engine does with a program, in small: every resource is checked, compared, made, changed, replaced or
 * removed through the plugin, in the order of their dependencies and some at a time, in a preview or for good.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Failure, Plugin, Properties } from './plugin.ts'
import { unknownText } from './struct.ts'

export interface Resource {
  readonly name: string
  /** `Table` */
  readonly kind: string
  readonly inputs: Properties | ((outputs: Outputs) => Properties)
  /** Names of resources that it comes after. */
  readonly after?: readonly string[]
}

/** Of resources that come before, by name. */
type Outputs = (name: string) => Properties

interface State {
  readonly urn: string
  readonly id: string
  readonly inputs: Properties
  readonly outputs: Properties
  readonly after: readonly string[]
}

export type States = ReadonlyMap<string, State>

/** All in the order of the program, then of the states before, however the answers came. */
export interface Deployed {
  readonly states: States
  /** `artist: create` */
  readonly steps: readonly string[]
  readonly failed: ReadonlyMap<string, string>
}

export interface Options {
  readonly preview?: boolean
  readonly parallel?: number
  /** Compares with what is there first. */
  readonly refresh?: boolean
}

export const urnOf = (kind: string, name: string) => `urn:pulumi:dev::music::svc:index:${kind}::${name}`

class Deployment {
  readonly #plugin: Plugin
  readonly #preview: boolean
  readonly before: States
  readonly states = new Map<string, State>()
  readonly steps = new Map<string, string>()
  /** Goes once everything else is there, what was made last first. */
  readonly #replaced: State[] = []
  readonly failed = new Map<string, string>()

  constructor(plugin: Plugin, before: States, preview: boolean) {
    this.#plugin = plugin
    this.before = before
    this.#preview = preview
  }

  async register({ name, kind, inputs: given, after = [] }: Resource): Promise<void> {
    const urn = urnOf(kind, name)
    const before = this.before.get(name)
    const inputs = typeof given === 'function' ? given((other) => this.#outputsOf(other)) : given
    const checked = await this.#plugin.check(urn, before?.inputs ?? {}, inputs)
    if (checked.failures.length > 0) throw new Error(checked.failures.map(failureText).join('\n'))
    if (!before) {
      this.steps.set(name, 'create')
      return this.#create(name, urn, checked.inputs, after)
    }
    const { changes, replaces, deleteBeforeReplace } = await this.#plugin.diff(
      urn,
      before.id,
      before.outputs,
      checked.inputs,
    )
    if (changes === 'none') {
      this.states.set(name, { ...before, inputs: checked.inputs, after })
      return
    }
    if (replaces.length > 0) {
      this.steps.set(name, 'replace')
      if (deleteBeforeReplace && !this.#preview) await this.#remove(name, before)
      await this.#create(name, urn, checked.inputs, after)
      if (!deleteBeforeReplace) this.#replaced.unshift(before)
      return
    }
    this.steps.set(name, 'update')
    const { properties } = await this.#plugin.update(urn, before.id, before.outputs, checked.inputs, this.#preview)
    this.states.set(name, { urn, id: before.id, inputs: checked.inputs, outputs: properties, after })
  }

  /** What depends on it by an output that it is replaced for goes first. */
  async #remove(name: string, state: State): Promise<void> {
    for (const [other, dependent] of this.before) {
      if (!dependent.after.includes(name)) continue
      const unknowns = Object.fromEntries(
        Object.entries(dependent.inputs).map(([key, value]) => [
          key,
          isDeepStrictEqual(value, state.outputs[key]) ? unknownText : value,
        ]),
      )
      const { replaces } = await this.#plugin.diff(dependent.urn, dependent.id, dependent.outputs, unknowns)
      if (replaces.length === 0) continue
      await this.#remove(other, dependent)
    }
    const known = this.before as Map<string, State>
    if (!known.delete(name)) return
    await this.#plugin.remove(state.urn, state.id, state.outputs)
  }

  async #create(name: string, urn: string, inputs: Properties, after: readonly string[]): Promise<void> {
    const { id, properties } = await this.#plugin.create(urn, inputs, this.#preview)
    if (id === '' && !this.#preview) throw new Error(`${name} was made without an id`)
    this.states.set(name, { urn, id, inputs, outputs: properties ?? {}, after })
  }

  #outputsOf(name: string): Properties {
    const state = this.states.get(name)
    if (!state) throw new Error(`there are no outputs of ${name}`)
    return state.outputs
  }

  /** What failed, and what was left out since something before it failed, is as it was. */
  keepOthers(names: Iterable<string>): void {
    for (const name of names) {
      const state = this.before.get(name)
      if (state && !this.states.has(name)) this.states.set(name, state)
    }
  }

  /** What is in the state and no more in the program. */
  async removeOthers(kept: ReadonlySet<string>, parallel: number): Promise<void> {
    const left = new Map([...this.before].filter(([name]) => !kept.has(name)))
    for (const name of left.keys()) this.steps.set(name, 'delete')
    if (this.#preview) return
    for (const { urn, id, outputs } of this.#replaced) await this.#plugin.remove(urn, id, outputs)
    await inOrder(
      [...left.keys()],
      (name) => [...left].filter(([, { after }]) => after.includes(name)).map(([other]) => other),
      parallel,
      async (name) => {
        const state = left.get(name)
        if (state) await this.#plugin.remove(state.urn, state.id, state.outputs)
      },
      (name, error) => {
        this.failed.set(name, error.message)
        const state = left.get(name)
        if (state) this.states.set(name, state)
      },
    )
  }
}

const failureText = ({ property, reason }: Failure) => (property === '' ? reason : `${property}: ${reason}`)

/** Brings the engine to what the resources say, or in a preview finds out what it would do. */
export async function deploy(
  plugin: Plugin,
  resources: readonly Resource[],
  before: States = new Map(),
  { preview = false, parallel = 10, refresh = false }: Options = {},
): Promise<Deployed> {
  const now = refresh ? await refreshed(plugin, before, parallel) : before
  const deployment = new Deployment(plugin, new Map(now), preview)
  const byName = new Map(resources.map((resource) => [resource.name, resource]))
  await inOrder(
    [...byName.keys()],
    (name) => byName.get(name)?.after ?? [],
    parallel,
    async (name) => {
      const resource = byName.get(name)
      if (resource) await deployment.register(resource)
    },
    (name, error) => {
      deployment.failed.set(name, error.message)
    },
  )
  deployment.keepOthers(byName.keys())
  await deployment.removeOthers(new Set(byName.keys()), parallel)
  const order = [...new Set([...byName.keys(), ...before.keys()])]
  return {
    states: inOrderOf(order, deployment.states),
    steps: [...inOrderOf(order, deployment.steps)].map(([name, step]) => `${name}: ${step}`),
    failed: inOrderOf(order, deployment.failed),
  }
}

const inOrderOf = <T>(names: readonly string[], values: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
  new Map([...values].sort(([a], [b]) => names.indexOf(a) - names.indexOf(b)))

/** The states as the plugin reads them now, in the same order; what is gone is left out. */
export async function refreshed(plugin: Plugin, states: States, parallel = 10): Promise<States> {
  const now = new Map<string, State>()
  await inOrder(
    [...states.keys()],
    () => [],
    parallel,
    async (name) => {
      const state = states.get(name)
      if (!state) return
      const { id, properties, inputs } = await plugin.read(state.urn, state.id, state.outputs, state.inputs)
      if (id !== '') now.set(name, { ...state, id, outputs: properties ?? {}, inputs: inputs ?? {} })
    },
    (name, error) => {
      throw new Error(`${name}: ${error.message}`)
    },
  )
  return inOrderOf([...states.keys()], now)
}

/** Works through names, some at a time, each after those it comes after; what comes after a failed one is left out. */
async function inOrder(
  names: readonly string[],
  after: (name: string) => readonly string[],
  parallel: number,
  work: (name: string) => Promise<void>,
  failed: (name: string, error: Error) => void,
): Promise<void> {
  const left = new Set(names)
  const known = new Set(names)
  const done = new Set<string>()
  const running = new Set<Promise<void>>()
  const isFree = (name: string) => after(name).every((other) => done.has(other) || !known.has(other))
  for (;;) {
    for (const name of left) {
      if (running.size >= parallel) break
      if (!isFree(name)) continue
      left.delete(name)
      const run: Promise<void> = work(name)
        .then(
          () => void done.add(name),
          (error: Error) => failed(name, error),
        )
        .finally(() => running.delete(run))
      running.add(run)
    }
    if (running.size === 0) return
    await Promise.race(running)
  }
}
