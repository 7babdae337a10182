import { styleText } from 'node:util'
import type { Paint } from '../core/index.ts'
import { plain } from '../core/index.ts'

/** Where a command reads and writes. Data goes to `out`; progress, plans and problems may go to `problems`. */
export interface Terminal {
  readonly cwd: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly out: Output
  readonly problems: Output
  readonly signal: AbortSignal
}

export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean
}

export const say = (output: Output, text: string) => void output.write(`${text}\n`)

/** Whether to print colours: at a terminal, unless the user refused them. */
export function paintFor(output: Output, terminal: Terminal, wanted: boolean): Paint {
  if (!wanted || !output.isTTY || terminal.environment.NO_COLOR) return plain
  const style = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    styleText(format, text, { validateStream: false })
  return { good: style('green'), bad: style('red'), changed: style('yellow'), faint: style('gray') }
}

/** Shows that something is still going on: a line that is redrawn at a terminal, one every ten seconds elsewhere. */
export async function whileWaiting<T>(output: Output, what: string, work: Promise<T>): Promise<T> {
  const started = Date.now()
  const seconds = () => Math.round((Date.now() - started) / 1000)
  const interactive = output.isTTY === true
  const timer = setInterval(
    () => output.write(interactive ? `\r${what} ${seconds()} s` : `${what} ${seconds()} s\n`),
    interactive ? 1000 : 10_000,
  )
  try {
    return await work
  } finally {
    clearInterval(timer)
    if (interactive && seconds() >= 1) output.write(`\r${' '.repeat(what.length + 12)}\r`)
  }
}
