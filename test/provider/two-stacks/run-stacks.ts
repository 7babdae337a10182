/**
 * Two stacks and a hand on one engine: a Terraform state, a Pulumi state and a user of the metadata API change the same
 * metadata in random steps, some of which fail or are killed. After each step nothing is gone that was not deleted, and
 * each stack's next plan says of every resource that is not as its program has it, and of no other one.
 */
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { type Random, seededRandom } from '../../admin/random.ts'
import { type Engine, startEngine } from '../../engine.ts'
import { createTestDatabase } from '../../postgres.ts'
import { type Agent, agentsOf, type WithAfter } from './agent.ts'
import type { Fate } from './cuttable-line.ts'
import { needsOf, type Objects, objectOf, type Program } from './declared.ts'
import { type Edited, editProgram, mended, readdressed, without } from './edit-program.ts'
import { followed, wantedKeys } from './followed-program.ts'
import { handAct, handTables, tablesOf } from './hand-act.ts'
import { liveObjects } from './live-objects.ts'
import { checkNothingLost } from './nothing-lost.ts'
import { dropOf, hasObject, idOf, isTable, ownerOf } from './object-keys.ts'

export interface Counts {
  readonly steps: number
  readonly failed: number
  readonly killed: number
  readonly byHand: number
  readonly settled: number
}

/** Throws with the seed and the last steps where something is lost or a plan is silent. */
export async function runStacks(
  t: WithAfter,
  { seed, steps, settleEvery = 20 }: { readonly seed: number; readonly steps: number; readonly settleEvery?: number },
  report: (line: string) => void = () => {},
): Promise<Counts> {
  const database = await createTestDatabase()
  const names = [...tablesOf('a', 5), ...tablesOf('b', 5), ...handTables]
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client
    .query(names.map((name) => `CREATE TABLE ${name} (id integer PRIMARY KEY, owner text)`).join(';'))
    .finally(() => client.end())
  const engine = await startEngine({ databaseUrl: database.url }, t)
  t.after(database.drop)
  const soak = new Soak(engine, seededRandom(seed), await agentsOf(engine, t), report)
  try {
    for (let step = 1; step <= steps; step++) {
      await soak.step()
      if (step % settleEvery === 0) await soak.settle()
    }
    return soak.counts
  } catch (error) {
    const said = error instanceof Error ? (error.stack ?? error.message) : String(error)
    throw new Error(`seed ${seed}, after\n${soak.log.slice(-12).join('\n')}\n${said}`)
  }
}

class Soak {
  readonly #engine: Engine
  readonly #random: Random
  readonly #agents: readonly Agent[]
  readonly #report: (line: string) => void
  readonly log: string[] = []
  #number = 0
  counts: Counts = { steps: 0, failed: 0, killed: 0, byHand: 0, settled: 0 }

  constructor(engine: Engine, random: Random, agents: readonly Agent[], report: (line: string) => void) {
    this.#engine = engine
    this.#random = random
    this.#agents = agents
    this.#report = report
  }

  #log(line: string): void {
    this.log.push(line)
    this.#report(line)
  }

  #count(name: keyof Counts): void {
    this.counts = { ...this.counts, [name]: this.counts[name] + 1 }
  }

  #programs(): readonly Program[] {
    return this.#agents.map(({ program }) => program)
  }

  async step(): Promise<void> {
    this.#count('steps')
    const before = await liveObjects(this.#engine)
    if (this.#random.chance(0.2)) {
      this.#count('byHand')
      await this.#byHand(before)
    } else await this.#edit(this.#random.pick(this.#agents), before)
    await this.#checkPlans()
  }

  async #edit(agent: Agent, before: Objects): Promise<void> {
    const random = this.#random
    if (random.chance(0.7)) agent.program = followed(mended(agent.program), before, this.#programs())
    const around = {
      random,
      prefix: agent.prefix,
      pool: agent.pool,
      others: [...before.keys()].filter((key) => isTable(key) && !agent.pool.includes(key)),
      fresh: () => ++this.#number,
    }
    let edited = editProgram(agent.program, around)
    for (let more = random.below(4); more > 0; more--) edited = both(edited, editProgram(edited.program, around))
    const fate = this.#fate()
    await this.#run(agent, edited, fate, random.chance(0.5), before)
  }

  #fate(): Fate {
    const random = this.#random
    if (random.chance(0.6)) return { kind: 'whole' }
    const at = 1 + random.below(2)
    return { kind: random.pick(['kill', 'lose'] as const), at, arrives: random.chance(0.5) }
  }

  async #run(agent: Agent, edited: Edited, fate: Fate, adopt: boolean, before: Objects): Promise<void> {
    const { stack, line } = agent
    for (const [old, now] of edited.renamed ?? []) {
      stack.rename(old, now)
      agent.before = readdressed(agent.before, old, now)
    }
    for (const name of edited.taint ?? []) {
      stack.taint(name)
      if (stack.name === 'terraform' && stack.names().includes(name)) agent.tainted.add(name)
    }
    agent.program = edited.program
    line.suffer(fate)
    const parallel = this.#random.pick([1, 3, 10])
    const failed = await stack.up(agent.program, { parallel, replace: edited.replace ?? [], adopt })
    const isKilled = line.isKilled()
    line.suffer({ kind: 'whole' })
    if (failed.size === 0 && !isKilled) agent.tainted.clear()
    if (failed.size > 0) this.#count('failed')
    if (isKilled) this.#count('killed')
    const fateText = fate.kind === 'whole' ? '' : `, ${fate.kind} at write ${fate.at}${fate.arrives ? ', done' : ''}`
    const failedText = [...failed].map(([name, text]) => `\n    ${name}: ${text.split('\n')[0]}`).join('')
    this.#log(
      `${stack.name} ${edited.text}${adopt ? ', adopting' : ''}${fateText}${isKilled ? ', killed' : ''}${failedText}`,
    )
    checkNothingLost(agent, before, await liveObjects(this.#engine))
    agent.before = agent.program
  }

  async #byHand(before: Objects): Promise<void> {
    const [text, type, args] = handAct(this.#random, before, () => ++this.#number)
    const { status } = await this.#engine.metadata(type, args)
    this.#log(`by hand: ${text} ${JSON.stringify(args)}: ${status}`)
  }

  /** Of every resource that is not as its program has it, the next plan says so, and of no other one. */
  async #checkPlans(): Promise<void> {
    for (const agent of this.#agents) {
      const { stack, program } = agent
      const live = await liveObjects(this.#engine)
      const said = await stack.plan(program)
      const isCovered = (name: string): boolean => {
        const declared = program.get(name)
        return said.has(name) || (declared !== undefined && needsOf(declared).some(isCovered))
      }
      for (const [name, declared] of program) {
        const [key, value] = objectOf(program, declared)
        const isAsWanted = isDeepStrictEqual(live.get(key), value)
        if (!isAsWanted && !isCovered(name))
          throw new Error(
            `${stack.name} says nothing of ${name}: ${key} is ${JSON.stringify(live.get(key))}, not ${JSON.stringify(value)}`,
          )
        const isKnown = stack.idOf(name) === idOf(declared, key)
        const isForce = declared.kind === 'Table'
        if (isAsWanted && isKnown && said.has(name) && !agent.tainted.has(name) && !isForce)
          throw new Error(`${stack.name} says of ${name}, which is as wanted: ${said.get(name)}`)
      }
      for (const name of stack.names())
        if (!program.has(name) && hasObject(live, stack.idOf(name)) && !said.has(name))
          throw new Error(`${stack.name} does not say that ${name} goes`)
    }
  }

  /** Each mends what is its own: then both programs are what is there, and both plans are empty. */
  async settle(): Promise<void> {
    this.#count('settled')
    await this.#handsOff()
    for (let round = 1; ; round++) {
      const left: string[] = []
      for (const agent of this.#agents) {
        const live = await liveObjects(this.#engine)
        agent.program = followed(mended(agent.program), live, this.#programs())
        await this.#importWhatDiffers(agent)
        const failed = await agent.stack.up(agent.program, settling)
        if (failed.size === 0) agent.tainted.clear()
        checkNothingLost(agent, live, await liveObjects(this.#engine))
        agent.before = agent.program
        // what a plan cannot make while something that goes has its name comes when that is gone
        if (failed.size > 0) await agent.stack.up(withoutAll(agent.program, [...failed.keys()]), settling)
        left.push(...[...failed].map(([name, text]) => `${agent.stack.name} ${name}: ${text}`))
      }
      for (const agent of this.#agents) {
        const said = await agent.stack.plan(agent.program)
        left.push(...[...said].map(([name, text]) => `${agent.stack.name} plans ${name}: ${text}`))
      }
      if (left.length === 0) break
      await this.#handsOff()
      if (round === 5) throw new Error(`it does not settle:\n${left.join('\n')}\n${await this.#everything()}`)
    }
    await this.#checkPlans()
    this.#log('settled')
  }

  async #everything(): Promise<string> {
    const programs = this.#agents.map(({ stack, program }) => [
      stack.name,
      [...program].map(([name, declared]) => [name, stack.idOf(name), declared]),
      stack.names().filter((name) => !program.has(name)),
    ])
    return JSON.stringify([...programs, [...(await liveObjects(this.#engine))]], null, 1).replace(/\n {3,}/g, ' ')
  }

  /** What lies in a stack's table that this stack would delete, and what no program has. */
  async #handsOff(): Promise<void> {
    const wanted = new Set(this.#agents.flatMap(({ program }) => wantedKeys(program)))
    const kept = new Set([...wanted].filter((key) => !key.includes('/')))
    const isKept = (key: string) => {
      const [table = ''] = key.split('/')
      return wanted.has(key) || (ownerOf(key) === 'h' && (kept.has(table) || handTables.includes(table)))
    }
    const owned = new Set(this.#agents.flatMap(({ stack }) => stack.names().map((name) => stack.idOf(name))))
    for (const key of (await liveObjects(this.#engine)).keys()) {
      // what a killed run has moved where no state knows it
      const isStray =
        isTable(key) && !handTables.includes(key) && !wanted.has(key) && !owned.has(`default/public/${key}`)
      if (isStray) await this.#engine.metadata('pg_untrack_table', { table: key, cascade: true })
      if (!key.includes('/') || isKept(key)) continue
      const drop = dropOf(key)
      if (drop) await this.#engine.metadata(drop[1], drop[2])
    }
  }

  /** What is there and differs, and no state has, is taken over by its id. */
  async #importWhatDiffers({ stack, program }: Agent): Promise<void> {
    const live = await liveObjects(this.#engine)
    for (const [name, declared] of program) {
      const [key] = objectOf(program, declared)
      const id = idOf(declared, key)
      if (live.has(key) && stack.idOf(name) !== id) await stack.import(program, name, id)
    }
  }
}

const settling = { parallel: 10, replace: [], adopt: true }

const withoutAll = (program: Program, names: readonly string[]): Program =>
  names.reduce((left, name) => (left.has(name) ? without(left, name) : left), program)

/** One edit after the other, for one run. */
const both = (one: Edited, other: Edited): Edited => ({
  program: other.program,
  text: `${one.text}; ${other.text}`,
  renamed: [...(one.renamed ?? []), ...(other.renamed ?? [])],
  replace: [...(one.replace ?? []), ...(other.replace ?? [])],
  taint: [...(one.taint ?? []), ...(other.taint ?? [])],
})
