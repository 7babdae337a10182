/** What `npm start` says, with colours where they are wanted. */
import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** Colours only for a terminal; NO_COLOR and FORCE_COLOR are respected. */
const paint = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout })

export const bold = (text: string) => paint('bold', text)
export const dim = (text: string) => paint('dim', text)
export const green = (text: string) => paint('green', text)
export const yellow = (text: string) => paint('yellow', text)
export const red = (text: string) => paint('red', text)
export const cyan = (text: string) => paint('cyan', text)

export function say(text = ''): void {
  process.stdout.write(`${text}\n`)
}

export function heading(text: string): void {
  say(`\n${bold(text)}`)
}

/** One line for all of it in a terminal, one line each elsewhere. */
export function progress(done: number, of: number, text: string): void {
  const count = `${String(done).padStart(String(of).length)}/${of}`
  if (!process.stdout.isTTY) {
    say(`  ${count} ${text}`)
    return
  }
  // a line that wraps cannot be written over
  const width = Math.max(0, process.stdout.columns - BAR - count.length - 5)
  process.stdout.write(`\r\x1b[K  ${green(bar(done, of))} ${count} ${dim(text.slice(0, width))}`)
  if (done === of) say()
}

const BAR = 24

function bar(done: number, of: number): string {
  const filled = Math.round((done / of) * BAR)
  return '█'.repeat(filled) + '░'.repeat(BAR - filled)
}

/** Why `npm start` cannot go on: shown as one line. */
export class StartError extends Error {}
