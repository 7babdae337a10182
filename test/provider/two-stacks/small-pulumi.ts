/**
 * What Pulumi's engine does with a program, in small, over the bytes of its protocol: refresh, check, compare, make,
 * change or replace in the order of the program, then, where nothing failed, delete what was replaced, in this run or an
 * earlier one, and what is no more declared.
 */
import { createProvider, type Provider } from '../../../provider/src/core/index.ts'
import type { Decoded, Encodable, Message } from '../../../provider/src/protobuf/index.ts'
import { pulumiName, resourceToken } from '../../../provider/src/pulumi/names.ts'
import * as messages from '../../../provider/src/pulumi/protocol/provider-messages.ts'
import { newRun } from '../../../provider/src/pulumi/requests/context.ts'
import { lateMethods } from '../../../provider/src/pulumi/requests/late-methods.ts'
import type { LateMethod } from '../../../provider/src/pulumi/requests/late-names.ts'
import { providerTypes } from '../../../provider/src/pulumi/types.ts'
import { isValues, type Value, type Values } from '../../../provider/src/resources/index.ts'
import { attributesOf, type Declared, needsOf, type Program } from './declared.ts'
import { inOrder, Killed, type Line, type RunOptions, type Said, type Stack } from './stack.ts'

// biome-ignore lint/suspicious/noExplicitAny: messages of every shape
type AnyMessage = Message<any, any>

interface State {
  readonly urn: string
  readonly id: string
  readonly inputs: Values
  readonly outputs: Values
  readonly after: readonly string[]
}

const urnOf = ({ kind }: Declared, name: string) => `urn:pulumi:dev::music::${resourceToken(kind)}::${name}`

/** One process of the plugin. */
class Process {
  readonly #line: Line
  readonly #methods: ReturnType<typeof lateMethods>

  constructor(line: Line) {
    this.#line = line
    const provider = makeProvider()
    const context = {
      provider,
      types: providerTypes(provider.declaration),
      environment: {},
      report: async () => {},
      run: newRun(),
    }
    this.#methods = lateMethods(context, (doing, error) => {
      throw new Error(`failed while it ${doing}: ${error instanceof Error ? error.stack : String(error)}`)
    })
  }

  async configure(adopt: boolean): Promise<void> {
    const args = { endpoint: this.#line.url, adminSecret: this.#line.secret, ...(adopt && { adoptExisting: true }) }
    await this.ask('Configure', messages.configure, { args: given(args) })
  }

  async ask<Request extends AnyMessage, Response extends AnyMessage>(
    name: LateMethod,
    types: { readonly request: Request; readonly response: Response },
    request: Encodable<Request>,
  ): Promise<Decoded<Response>> {
    if (this.#line.isKilled()) throw new Killed()
    const bytes = await this.#methods[name](types.request.encode(request))
    if (this.#line.isKilled()) throw new Killed()
    return types.response.decode(bytes) as Decoded<Response>
  }
}

const given = (values: Values) => ({ values, secrets: null })

const makeProvider = (): Provider =>
  createProvider(
    {
      name: 'pulumi',
      version: '0',
      json: 'value',
      reference: (kind, attribute) => `the output ${pulumiName(attribute)} of the ${kind}`,
      typeName: resourceToken,
      kindName: resourceToken,
      renamed: 'Use aliases.',
    },
    {},
    { wait: 300, retryFor: 300 },
  )

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

export class SmallPulumi implements Stack {
  readonly name: string
  readonly #line: Line
  #states = new Map<string, State>()
  /** Of replacements: to be deleted. */
  #former: readonly State[] = []

  constructor(name: string, line: Line) {
    this.name = name
    this.#line = line
  }

  names(): readonly string[] {
    return [...this.#states.keys()]
  }

  idOf(name: string): string | undefined {
    return this.#states.get(name)?.id
  }

  rename(old: string, now: string): void {
    this.#states = new Map(
      [...this.#states].map(([name, state]) => [
        name === old ? now : name,
        {
          ...state,
          urn: name === old ? state.urn.replace(/::[^:]*$/, `::${now}`) : state.urn,
          after: state.after.map((one) => (one === old ? now : one)),
        },
      ]),
    )
  }

  /** Pulumi knows no such mark. */
  taint(): void {}

  async plan(program: Program): Promise<Said> {
    const before = new Map(this.#states)
    const former = this.#former
    try {
      const process = new Process(this.#line)
      await process.configure(false)
      await this.#refresh(process)
      return await new Deployment(process, program, this.#states, true).run({ parallel: 10, replace: [], adopt: false })
    } finally {
      this.#states = before
      this.#former = former
    }
  }

  async up(program: Program, options: RunOptions): Promise<Said> {
    const process = new Process(this.#line)
    await process.configure(options.adopt)
    await this.#refresh(process)
    const deployment = new Deployment(process, program, this.#states, false)
    deployment.former = this.#former
    await deployment.run(options)
    this.#states = deployment.states
    this.#former = deployment.former
    return deployment.failed
  }

  async import(program: Program, name: string, id: string): Promise<void> {
    const declared = program.get(name)
    if (!declared) throw new Error(`the program has no ${name}`)
    const process = new Process(this.#line)
    await process.configure(false)
    const urn = urnOf(declared, name)
    const found = await process.ask('Read', messages.read, { id, urn })
    if (found.id === '') throw new Error(`there is no ${id}`)
    const [inputs, outputs] = [found.inputs?.values ?? {}, found.properties?.values ?? {}]
    this.#states.set(name, { urn, id, inputs, outputs, after: needsOf(declared) })
  }

  async #refresh(process: Process): Promise<void> {
    const now = new Map<string, State>()
    const read = async (name: string) => {
      const state = this.#states.get(name)
      if (!state) return true
      const { id, urn, inputs, outputs } = state
      const found = await process.ask('Read', messages.read, {
        id,
        urn,
        inputs: given(inputs),
        properties: given(outputs),
      })
      if (found.id === '') return true
      const read = { inputs: found.inputs?.values ?? {}, outputs: found.properties?.values ?? {} }
      now.set(name, { ...state, id: found.id, ...read })
      return true
    }
    await inOrder([...this.#states.keys()], () => [], 10, read)
    this.#states = new Map([...this.#states.keys()].flatMap((name) => entry(name, now.get(name))))
  }
}

const entry = (name: string, state: State | undefined): readonly (readonly [string, State])[] =>
  state ? [[name, state]] : []

class Deployment {
  readonly #process: Process
  readonly #program: Program
  readonly #preview: boolean
  readonly #before: ReadonlyMap<string, State>
  readonly states: Map<string, State>
  readonly failed = new Map<string, string>()
  readonly #said = new Map<string, string>()
  former: readonly State[] = []

  constructor(process: Process, program: Program, before: ReadonlyMap<string, State>, preview: boolean) {
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

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
