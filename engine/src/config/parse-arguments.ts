import { FatalError } from './fatal-error.ts'
import { type SettingKey, settingKeys, settings } from './settings.ts'
import { isTruthWord } from './value-kinds.ts'

const commands = ['serve', 'export', 'clean', 'adopt-catalogue', 'version'] as const
type Command = (typeof commands)[number]

export interface Arguments {
  readonly command: Command
  readonly help: boolean
  /** The text of each flag on the command line; the last one wins. */
  readonly flags: ReadonlyMap<SettingKey, string>
}

/** Flags may stand before or after the subcommand, as `--flag value` or `--flag=value`; a switch needs no value. */
export function parseArguments(words: readonly string[]): Arguments {
  const flags = new Map<SettingKey, string>()
  let command: Command | null = null
  let help = false
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? ''
    if (word === '--help' || word === '-h') {
      help = true
      continue
    }
    if (word === '--version') {
      command = 'version'
      continue
    }
    if (!word.startsWith('-')) {
      if (command !== null) throw new FatalError(`Fatal Error: unexpected argument: ${word}`)
      command = commandOf(word)
      continue
    }
    const [name = '', inline] = splitOnce(word)
    const key = keyOf(name)
    const setting = settings[key]
    if (inline !== undefined) flags.set(key, inline)
    else if (setting.kind === 'value') {
      const next = words[++i]
      if (next === undefined) throw new FatalError(`Fatal Error: the flag ${name} needs a value`)
      flags.set(key, next)
    } else {
      const next = words[i + 1]
      const isValue = next !== undefined && isTruthWord(next)
      if (isValue) i++
      flags.set(key, isValue ? next : 'true')
    }
  }
  return { command: command ?? 'serve', help, flags }
}

function commandOf(word: string): Command {
  const command = commands.find((candidate) => candidate === word)
  if (!command) throw new FatalError(`Fatal Error: unknown command: ${word} (there are ${commands.join(', ')})`)
  return command
}

function splitOnce(word: string): readonly [string, string?] {
  const at = word.indexOf('=')
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)]
}

function keyOf(name: string): SettingKey {
  const key = settingKeys.find((candidate) => {
    const { flag, short } = settings[candidate]
    return name === `--${flag}` || (short !== null && name === `-${short}`)
  })
  if (!key) throw new FatalError(`Fatal Error: unknown flag: ${name} (see svc-engine --help)`)
  return key
}
