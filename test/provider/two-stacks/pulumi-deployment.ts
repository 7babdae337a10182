import { pulumiName, resourceToken } from '../../../provider/src/pulumi/names.ts'
import * as messages from '../../../provider/src/pulumi/protocol/provider-messages.ts'
import { isValues, type Value, type Values } from '../../../provider/src/resources/index.ts'
import { attributesOf, type Declared, needsOf, type Program } from './declared.ts'
import { given, type PulumiProcess } from './pulumi-process.ts'
import { inOrder, type RunOptions, type Said } from './stack.ts'

/** Of one resource. */
export interface State {
  readonly urn: string
  readonly id: string
  readonly inputs: Values
  readonly outputs: Values
  readonly after: readonly string[]
}

export const urnOf = ({ kind }: Declared, name: string) => `urn:pulumi:dev::music::${resourceToken(kind)}::${name}`

/** A preview or an update: what is registered in the order of the program, then what goes. */
export class Deployment {
  readonly #process: PulumiProcess
  readonly #program: Program
  readonly #preview: boolean
  readonly #before: ReadonlyMap<string, State>
  readonly states: Map<string, State>
  readonly failed = new Map<string, string>()
  readonly #said = new Map<string, string>()
  former: readonly State[] = []

  constructor(process: PulumiProcess, program: Program, before: ReadonlyMap<string, State>, preview: boolean) {
    this.#process = process
    this.#program = program
    this.#before = before
    this.#preview = preview
    this.states = new Map(before)
  }

  async run({ parallel, replace }: RunOptions): Promise<Said> {
    const after = (name: string) => {
      const declared = this.#program.get(name)
      return declared ? needsOf(declared) : []
    }
    const register = (name: string) => this.#note(name, this.#register(name, replace.includes(name)))
    await inOrder([...this.#program.keys()], after, parallel, register)
    // after a failure Pulumi deletes nothing any more
    if (!this.#preview && this.failed.size === 0) {
      const errors = new Map<string, string>()
      this.former = await this.#removeFormer([...this.former].reverse(), errors)
      for (const [name, error] of errors) this.failed.set(name, error)
    }
    await this.#removeOthers(parallel)
    return new Map([...this.#said, ...this.failed])
  }

  /** Those that are still there afterwards. */
  async #removeFormer(former: readonly State[], errors: Map<string, string>): Promise<readonly State[]> {
    const left: State[] = []
    for (const state of former)
      try {
        await this.#delete(state)
      } catch (error) {
        errors.set(`${state.urn} (former)`, messageOf(error))
        left.push(state)
      }
    return left
  }

  async #note(name: string, work: Promise<void>): Promise<boolean> {
    try {
      await work
      return true
    } catch (error) {
      this.failed.set(name, messageOf(error))
      return false
    }
  }

  async #register(name: string, isReplaced: boolean): Promise<void> {
    const declared = this.#program.get(name)
    if (!declared) return
    const urn = urnOf(declared, name)
    const before = this.#before.get(name)
    const output = (of: string, attribute: string): Value => this.states.get(of)?.outputs[attribute] ?? null
    const news = camelCase(attributesOf(declared, output, (value) => value as Value))
    const checked = await this.#process.ask('Check', messages.check, {
      urn,
      olds: given(before?.inputs ?? {}),
      news: given(news),
    })
    if (checked.failures.length > 0) throw new Error(checked.failures.map(({ reason }) => reason).join('\n'))
    const inputs = checked.inputs?.values ?? {}
    const after = needsOf(declared)
    if (!before) {
      this.#said.set(name, 'create')
      return this.#create(name, urn, inputs, after)
    }
    const { changes, replaces } = await this.#process.ask('Diff', messages.diff, {
      urn,
      id: before.id,
      olds: given(before.outputs),
      news: given(inputs),
    })
    if (replaces.length > 0 || isReplaced) {
      this.#said.set(name, 'replace')
      await this.#create(name, urn, inputs, after)
      this.former = [...this.former, before]
      return
    }
    if (changes === 'none') {
      this.states.set(name, { ...before, inputs, after })
      return
    }
    this.#said.set(name, 'update')
    const { properties } = await this.#process.ask('Update', messages.update, {
      urn,
      id: before.id,
      olds: given(before.outputs),
      news: given(inputs),
      preview: this.#preview,
    })
    this.states.set(name, { ...before, inputs, outputs: properties?.values ?? {}, after })
  }

  async #create(name: string, urn: string, inputs: Values, after: readonly string[]): Promise<void> {
    const { id, properties } = await this.#process.ask('Create', messages.create, {
      urn,
      properties: given(inputs),
      preview: this.#preview,
    })
    this.states.set(name, { urn, id, inputs, outputs: properties?.values ?? {}, after })
  }

  async #delete({ urn, id, outputs }: State): Promise<void> {
    await this.#process.ask('Delete', messages.remove, { urn, id, properties: given(outputs) })
  }

  /** What is in the state and no more in the program. */
  async #removeOthers(parallel: number): Promise<void> {
    const left = [...this.#before].filter(([name]) => !this.#program.has(name))
    for (const [name] of left) this.#said.set(name, 'delete')
    if (this.#preview || this.failed.size > 0) return
    const after = (name: string) => left.filter(([, state]) => state.after.includes(name)).map(([other]) => other)
    const remove = async (name: string) => {
      const state = this.#before.get(name)
      if (state) await this.#delete(state)
      this.states.delete(name)
    }
    await inOrder(
      left.map(([name]) => name),
      after,
      parallel,
      (name) => this.#note(name, remove(name)),
    )
  }
}

const camelCase = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      pulumiName(name),
      name === 'filter' ? value : camelBelow(name, value),
    ]),
  )

/** Keys of maps are the user's own. */
const camelBelow = (name: string, value: Value): Value => {
  if (name === 'column_mapping' || !isValues(value)) return value
  return camelCase(value)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
