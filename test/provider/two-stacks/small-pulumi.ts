/**
 * What Pulumi's engine does with a program, in small, over the bytes of its protocol: refresh, check, compare, make,
 * change or replace in the order of the program, then, where nothing failed, delete what was replaced, in this run or an
 * earlier one, and what is no more declared.
 */
import * as messages from '../../../provider/src/pulumi/protocol/provider-messages.ts'
import { needsOf, type Program } from './declared.ts'
import { Deployment, type State, urnOf } from './pulumi-deployment.ts'
import { given, PulumiProcess } from './pulumi-process.ts'
import { inOrder, type Line, type RunOptions, type Said, type Stack } from './stack.ts'

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
      const process = new PulumiProcess(this.#line)
      await process.configure(false)
      await this.#refresh(process)
      return await new Deployment(process, program, this.#states, true).run({ parallel: 10, replace: [], adopt: false })
    } finally {
      this.#states = before
      this.#former = former
    }
  }

  async up(program: Program, options: RunOptions): Promise<Said> {
    const process = new PulumiProcess(this.#line)
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
    const process = new PulumiProcess(this.#line)
    await process.configure(false)
    const urn = urnOf(declared, name)
    const found = await process.ask('Read', messages.read, { id, urn })
    if (found.id === '') throw new Error(`there is no ${id}`)
    const [inputs, outputs] = [found.inputs?.values ?? {}, found.properties?.values ?? {}]
    this.#states.set(name, { urn, id, inputs, outputs, after: needsOf(declared) })
  }

  async #refresh(process: PulumiProcess): Promise<void> {
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
