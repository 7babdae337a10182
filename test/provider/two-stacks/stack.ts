/** A stack as the soak drives it, whatever the tool. */
import type { Program } from './declared.ts'

export interface RunOptions {
  /** How many resources at a time. */
  readonly parallel: number
  /** Logical names of what is made anew, though nothing of it differs. */
  readonly replace: readonly string[]
  readonly adopt: boolean
}

/** What the next plan says of a resource: what would be done, or what is wrong with it. */
export type Said = ReadonlyMap<string, string>

export interface Stack {
  readonly name: string
  /** Logical names that the state has. */
  names(): readonly string[]
  /** The id that the state has of a resource. */
  idOf(name: string): string | undefined
  /** The address in the state changes, as with `moved` or an alias. */
  rename(old: string, now: string): void
  /** What the state calls tainted is made anew by the next run; where a tool knows that. */
  taint(name: string): void
  /** Looks at the engine, plans and applies. What failed, by resource. */
  up(program: Program, options: RunOptions): Promise<Said>
  /** Looks at the engine and plans; changes nothing. */
  plan(program: Program): Promise<Said>
  /** Takes an object that is there into the state. */
  import(program: Program, name: string, id: string): Promise<void>
}

/** Thrown in place of an answer that no process is there to receive any more. */
export class Killed extends Error {
  constructor() {
    super('killed')
  }
}

/** Where a stack's runs go: through a proxy that may be cut. */
export interface Line {
  readonly url: string
  readonly secret: string
  /** Whether the run was killed: what comes after it reaches no process. */
  isKilled(): boolean
}

/** Works through names, some at a time, each after those it comes after; what comes after a failed one is left out. */
export async function inOrder(
  names: readonly string[],
  after: (name: string) => readonly string[],
  parallel: number,
  work: (name: string) => Promise<boolean>,
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
        .then((succeeded) => {
          if (succeeded) done.add(name)
        })
        .finally(() => running.delete(run))
      running.add(run)
    }
    if (running.size === 0) return
    await Promise.race(running)
  }
}
