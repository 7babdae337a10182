/** One row of the table of settings: its flag, its environment variable, how its text is read. */
import type { z } from 'zod'

export interface Setting<T> {
  readonly kind: 'value' | 'switch'
  /** Text -> value; its message follows `Environment variable …: ` in a fatal error. */
  readonly schema: z.ZodType<T, string>
  readonly fallback: T
  /** Before the subcommand in --help; both places are accepted. */
  readonly place: 'database' | 'serve'
  readonly flag: string
  readonly short: string | null
  /** Without the prefix SVC_GRAPHQL_; null where only a flag exists. */
  readonly env: string | null
  /** The flag says the opposite of the variable. */
  readonly inverse: boolean
  /** Never shown. */
  readonly secret: boolean
  /** False: any value but the default is refused; the help says why. */
  readonly served: boolean
  readonly placeholder: string
  /** How the default is shown; empty where there is none. */
  readonly shownDefault: string
  readonly help: string
}

export interface SettingOptions {
  readonly help: string
  readonly place?: 'database' | 'serve'
  readonly flag?: string
  readonly short?: string
  readonly env?: string | null
  readonly inverse?: boolean
  readonly secret?: boolean
  readonly served?: boolean
  readonly placeholder?: string
  readonly shownDefault?: string
}

/** Flag and variable follow from the key where the options do not name them: serverPort, --server-port, SERVER_PORT. */
export type NamedLater<T> = (key: string) => Setting<T>

export function setting<T>(
  kind: 'value' | 'switch',
  schema: z.ZodType<T, string>,
  fallback: T,
  placeholder: string,
  options: SettingOptions,
): NamedLater<T> {
  return (key) => {
    const words = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    return {
      kind,
      schema,
      fallback,
      place: options.place ?? 'serve',
      flag: options.flag ?? words,
      short: options.short ?? null,
      env: options.env === undefined ? words.replaceAll('-', '_').toUpperCase() : options.env,
      inverse: options.inverse ?? false,
      secret: options.secret ?? false,
      served: options.served ?? true,
      placeholder: options.placeholder ?? placeholder,
      shownDefault: options.shownDefault ?? shown(fallback),
      help: options.help,
    }
  }
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Set || Array.isArray(value)) return [...value].join(',')
  return String(value)
}

export const envPrefix = 'SVC_GRAPHQL_'
