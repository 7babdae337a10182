import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Environment } from '../client/index.ts'

/** How a tool says how many resources it works on at once. */
export interface ParallelismOption {
  /** Names of its program. */
  readonly programs: readonly string[]
  /** Spellings of the option, without leading dashes: `parallelism`. */
  readonly options: readonly string[]
  /** Variables of the environment with further arguments, or with only the number. */
  readonly variables: readonly string[]
  /** How many it works on at once at least when no one says anything. */
  readonly usual: number
}

/** How many resources a tool with this command line works on at once at least. */
export function parallelismIn(
  { options, variables, usual }: ParallelismOption,
  args: readonly string[],
  environment: Environment,
): number {
  const given = variables.flatMap((name) => {
    const text = environment[name] ?? ''
    return /^\d+$/.test(text) ? [`--${options[0]}=${text}`] : text.split(/\s+/)
  })
  // an argument of the command line comes after those of the environment, and the last one counts
  const all = [...given, ...args]
  const numbers = all.flatMap((argument, i) => {
    const [, name = '', value] = /^--?([\w-]+?)(?:=(\d+)|)$/.exec(argument) ?? []
    return options.includes(name) ? [Number(value ?? all[i + 1])] : []
  })
  const last = numbers.at(-1)
  return last !== undefined && last > 0 ? last : usual
}

/** Between a tool and its provider stand at most a launcher and a debugger. */
const generations = 4

/**
 * How many resources the tool that started this process works on at once at least; null where the system does not say how
 * it was started. No tool passes it to its providers, and none announces the end of a plan.
 */
export function toolParallelism(option: ParallelismOption, environment: Environment): number | null {
  let id = process.ppid
  for (let generation = 0; generation < generations && id > 1; generation++) {
    const parent = readProcess(id)
    if (!parent) return null
    const [program = '', ...args] = parent.commandLine
    if (option.programs.includes(basename(program))) return parallelismIn(option, args, environment)
    id = parent.parent
  }
  return null
}

/** Null where the system has no /proc, or not for this process. */
function readProcess(id: number): { readonly commandLine: readonly string[]; readonly parent: number } | null {
  try {
    const commandLine = readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0').slice(0, -1)
    const [, parent = '0'] = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${id}/status`, 'utf8')) ?? []
    return { commandLine, parent: Number(parent) }
  } catch {
    return null
  }
}
