/**
 * What Terraform does with a configuration, in small, over the bytes of its protocol: refresh, plan, apply with a
 * process of its own, in the order of dependencies, deletes in the reverse one. Taint is planned as a creation whose
 * former object is deleted first, -replace as an update that is planned once more as a creation.
 */
import type { Attributes, Values } from '../../../provider/src/resources/index.ts'
import * as messages from '../../../provider/src/terraform/protocol/provider-messages.ts'
import { decodeValues, encodeValues } from '../../../provider/src/terraform/values/dynamic-value.ts'
import { attributesOf, type Declared, needsOf, type Program } from './declared.ts'
import { inOrder, type Line, type RunOptions, type Said, type Stack } from './stack.ts'
import { nulls, TerraformProcess, typeName } from './terraform-process.ts'

interface State {
  readonly type: string
  readonly values: Values
  readonly private: Buffer
  readonly after: readonly string[]
  readonly tainted: boolean
}

interface Planned {
  readonly name: string
  readonly type: string
  readonly prior: State | null
  readonly planned: Values | null
  readonly config: Values | null
  readonly private: Buffer
  /** Made anew: deleted with this plan's private bytes first. */
  readonly replaces: boolean
  readonly after: readonly string[]
}

const typeOf = ({ kind }: Declared): string => typeName(kind)

const nothing = Buffer.alloc(0)

export class SmallTerraform implements Stack {
  readonly name: string
  readonly #line: Line
  #states = new Map<string, State>()

  constructor(name: string, line: Line) {
    this.name = name
    this.#line = line
  }

  names(): readonly string[] {
    return [...this.#states.keys()]
  }

  idOf(name: string): string | undefined {
    const id = this.#states.get(name)?.values.id
    return typeof id === 'string' ? id : undefined
  }

  rename(old: string, now: string): void {
    this.#states = new Map(
      [...this.#states].map(([name, state]) => [
        name === old ? now : name,
        { ...state, after: state.after.map((one) => (one === old ? now : one)) },
      ]),
    )
  }

  taint(name: string): void {
    const state = this.#states.get(name)
    if (state) this.#states.set(name, { ...state, tainted: true })
  }

  async plan(program: Program): Promise<Said> {
    const before = new Map(this.#states)
    try {
      const { said } = await this.#plan(program, { parallel: 10, replace: [], adopt: false })
      return said
    } finally {
      this.#states = before
    }
  }

  async up(program: Program, options: RunOptions): Promise<Said> {
    const { planned, failed } = await this.#plan(program, options)
    // a plan with an error is not applied
    if (failed.size > 0) return failed
    const process = new TerraformProcess(this.#line, options.adopt)
    await process.configure()
    const errors = new Map<string, string>()
    const note = async (name: string, work: Promise<void>): Promise<boolean> => {
      try {
        await work
      } catch (error) {
        errors.set(name, error instanceof Error ? error.message : String(error))
      }
      return !errors.has(name)
    }
    const changes = new Map(planned.map((one) => [one.name, one]))
    const gone = planned.filter(({ planned: now, replaces }) => now === null || replaces)
    const made = planned.filter(({ planned: now }) => now !== null)
    // what goes is gone before what it comes after; what is made comes after both
    const steps = [...gone.map(({ name }) => `- ${name}`), ...made.map(({ name }) => `+ ${name}`)]
    const afterOf = (step: string): readonly string[] => {
      const name = step.slice(2)
      if (step.startsWith('+ ')) return [...(changes.get(name)?.after ?? []).map((other) => `+ ${other}`), `- ${name}`]
      return [...this.#states].filter(([, { after }]) => after.includes(name)).map(([other]) => `- ${other}`)
    }
    await inOrder(steps, afterOf, options.parallel, (step) => {
      const change = changes.get(step.slice(2))
      if (!change) return Promise.resolve(true)
      return note(change.name, step.startsWith('- ') ? this.#remove(process, change) : this.#make(process, change))
    })
    return errors
  }

  async import(program: Program, name: string, id: string): Promise<void> {
    const declared = program.get(name)
    if (!declared) throw new Error(`the program has no ${name}`)
    const process = new TerraformProcess(this.#line, false)
    await process.configure()
    const type = typeOf(declared)
    const { importedResources } = await process.ask('ImportResourceState', messages.importResourceState, {
      typeName: type,
      id,
    })
    const [found] = importedResources
    if (!found?.state) throw new Error(`${id} is no id`)
    const after = needsOf(declared)
    const stub = { type, values: decodeValues(process.attributes(type), found.state.msgpack) ?? {}, after }
    const state = await this.#read(process, { ...stub, private: nothing, tainted: false })
    if (!state) throw new Error(`there is no ${id}`)
    this.#states.set(name, state)
  }

  async #read(process: TerraformProcess, state: State): Promise<State | null> {
    const attributes = process.attributes(state.type)
    const { newState, private: kept } = await process.ask('ReadResource', messages.readResource, {
      typeName: state.type,
      currentState: { msgpack: encodeValues(attributes, state.values) },
      private: state.private,
    })
    const values = newState ? decodeValues(attributes, newState.msgpack) : null
    return values && { ...state, values, private: kept }
  }

  async #refresh(process: TerraformProcess, parallel: number): Promise<void> {
    const now = new Map<string, State>()
    for (const { type, values } of this.#states.values())
      await process.ask('UpgradeResourceState', messages.upgradeResourceState, {
        typeName: type,
        version: 0,
        rawState: { json: Buffer.from(JSON.stringify(values)) },
      })
    const read = async (name: string) => {
      const state = this.#states.get(name)
      const found = state && (await this.#read(process, state))
      if (found) now.set(name, found)
      return true
    }
    await inOrder([...this.#states.keys()], () => [], parallel, read)
    this.#states = new Map([...this.#states.keys()].flatMap((name) => entry(name, now.get(name))))
  }

  async #plan(program: Program, { parallel, replace, adopt }: RunOptions) {
    const process = new TerraformProcess(this.#line, adopt)
    await process.configure()
    await this.#refresh(process, parallel)
    const planned = new Map<string, Planned>()
    const failed = new Map<string, string>()
    const outputs = new Map<string, Values>()
    const planOne = async (name: string): Promise<boolean> => {
      const { plan, errors } = await this.#planOne(process, program, name, outputs, replace.includes(name))
      if (plan) planned.set(name, plan)
      if (errors.length > 0) failed.set(name, errors.join('\n'))
      return errors.length === 0
    }
    const all = [...new Set([...program.keys(), ...this.#states.keys()])]
    await inOrder(all, (name) => needsOf2(program, name), parallel, planOne)
    const kinds = [...planned.values()].map((one) => [one.name, actionOf(one)] as const)
    return { planned: [...planned.values()], failed, said: new Map([...kinds, ...failed]) }
  }

  async #planOne(
    process: TerraformProcess,
    program: Program,
    name: string,
    outputs: Map<string, Values>,
    isReplaced: boolean,
  ): Promise<{ readonly plan: Planned | null; readonly errors: readonly string[] }> {
    const declared = program.get(name)
    const state = this.#states.get(name) ?? null
    const type = declared ? typeOf(declared) : (state?.type ?? '')
    const attributes = process.attributes(type)
    const config = declared && {
      ...nulls(attributes),
      ...attributesOf(declared, (of, attribute) => outputs.get(of)?.[attribute] ?? null, JSON.stringify),
    }
    const ask = async (prior: State | null, kept: Buffer) => {
      const { plannedState, plannedPrivate, diagnostics } = await process.ask(
        'PlanResourceChange',
        messages.planResourceChange,
        {
          typeName: type,
          priorState: { msgpack: encodeValues(attributes, prior?.values ?? null) },
          proposedNewState: {
            msgpack: encodeValues(attributes, config ? proposed(attributes, config, prior?.values ?? null) : null),
          },
          config: { msgpack: encodeValues(attributes, config ?? null) },
          priorPrivate: kept,
        },
      )
      const planned = plannedState ? decodeValues(attributes, plannedState.msgpack) : null
      return { planned, plannedPrivate, errors: errorsOf(diagnostics) }
    }
    if (config) {
      const { diagnostics } = await process.ask('ValidateResourceConfig', messages.validateResourceConfig, {
        typeName: type,
        config: { msgpack: encodeValues(attributes, config) },
      })
      const errors = errorsOf(diagnostics)
      if (errors.length > 0) return { plan: null, errors }
    }
    const isTainted = config !== undefined && state?.tainted === true
    const first = await ask(isTainted ? null : state, isTainted ? nothing : (state?.private ?? nothing))
    const isAnew = isTainted || (isReplaced && config !== undefined && state !== null)
    const { planned, plannedPrivate, errors } =
      isAnew && !isTainted && first.errors.length === 0 ? await ask(null, first.plannedPrivate) : first
    if (planned) outputs.set(name, planned)
    if (errors.length > 0) return { plan: null, errors }
    const isSame =
      !isAnew && state && planned && encodeValues(attributes, planned).equals(encodeValues(attributes, state.values))
    if (isSame) return { plan: null, errors }
    const after = declared ? needsOf(declared) : (state?.after ?? [])
    const own = { name, type, prior: state, planned, config: config ?? null, private: plannedPrivate, after }
    return { plan: { ...own, replaces: isAnew && state !== null }, errors }
  }

  async #remove(process: TerraformProcess, change: Planned): Promise<void> {
    const { name, prior } = change
    if (!prior) return
    await this.#apply(process, { ...change, planned: null, config: null })
    this.#states.delete(name)
  }

  async #make(process: TerraformProcess, change: Planned): Promise<void> {
    const prior = change.replaces ? null : change.prior
    await this.#apply(process, { ...change, prior })
  }

  async #apply(
    process: TerraformProcess,
    { name, type, prior, planned, config, private: kept, after }: Planned,
  ): Promise<void> {
    const attributes = process.attributes(type)
    const sent = (values: Values | null) => ({ msgpack: encodeValues(attributes, values) })
    const answer = await process.ask('ApplyResourceChange', messages.applyResourceChange, {
      typeName: type,
      priorState: sent(prior?.values ?? null),
      plannedState: sent(planned),
      config: sent(config),
      plannedPrivate: kept,
    })
    const values = answer.newState ? decodeValues(attributes, answer.newState.msgpack) : null
    if (values) this.#states.set(name, { type, values, private: answer.private, after, tainted: false })
    else this.#states.delete(name)
    const errors = errorsOf(answer.diagnostics)
    if (errors.length > 0) throw new Error(errors.join('\n'))
  }
}

const needsOf2 = (program: Program, name: string): readonly string[] => {
  const declared = program.get(name)
  return declared ? needsOf(declared) : []
}

const entry = (name: string, state: State | undefined): readonly (readonly [string, State])[] =>
  state ? [[name, state]] : []

function actionOf({ prior, planned, replaces }: Planned): string {
  if (planned === null) return 'delete'
  if (replaces) return 'replace'
  return prior ? 'update' : 'create'
}

const errorsOf = (
  diagnostics: readonly { readonly severity: string; readonly summary: string; readonly detail: string }[],
) => diagnostics.filter(({ severity }) => severity === 'error').map(({ summary, detail }) => `${summary}\n${detail}`)

/** What is written; what is computed, or has a default and is not written, as it was before. */
const proposed = (attributes: Attributes, config: Values, prior: Values | null): Values =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, { presence, default: initial }]) => {
      const isComputed = presence === 'computed' || initial !== undefined
      return [name, config[name] ?? (isComputed ? (prior?.[name] ?? null) : null)]
    }),
  )
