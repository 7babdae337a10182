/** Arguments of a query: each part of them is written as a literal, or is a variable, which must mean the same. */
import type { Random } from '../admin/random.ts'

export type Input =
  /** `wide`: other JSON that is read as the same value. */
  | {
      readonly kind: 'scalar'
      readonly type: string
      readonly value: unknown
      readonly wide?: unknown
      /** It cannot be null, nor can a variable that stands for it. */
      readonly required?: boolean
    }
  | { readonly kind: 'enum'; readonly type: string; readonly value: string; readonly required?: boolean }
  /** One entry may stand for the list of it. `element`: its type. */
  | { readonly kind: 'list'; readonly element: string; readonly of: readonly Input[] }
  | {
      readonly kind: 'object'
      readonly type: string
      readonly required?: boolean
      readonly members: readonly (readonly [key: string, value: Input])[]
    }

/** `type`: of a variable that is not given, or null; null where there is no such argument for some roles. */
export type Argument = readonly [name: string, value: Input | null, type: string | null]

export class InputPrinter {
  readonly #random: Random
  readonly #whole: boolean
  readonly #declarations: string[] = []
  readonly #declared = new Map<string, string>()
  readonly variables: Record<string, unknown> = {}

  /** `whole`: each argument is a variable, also one that is not given, so that other values make no other text. */
  constructor(random: Random, whole: boolean) {
    this.#random = random
    this.#whole = whole
  }

  /** `($v0: Int, …)`, or nothing. */
  declarations(): string {
    return this.#declarations.length > 0 ? ` (${this.#declarations.join(', ')})` : ''
  }

  /** `(name: value, …)`, or nothing. A null value is an argument that is not given, however that is said. */
  arguments(given: readonly Argument[]): string {
    const printed = given.flatMap(([name, value, type]) => {
      if (this.#whole && (value !== null || type !== null)) return [`${name}: ${this.#asVariable(value, type ?? '')}`]
      if (value !== null) return [`${name}: ${this.print(value)}`]
      if (type === null || !this.#random.chance(0.04)) return []
      return [
        `${name}: ${this.#random.pick([() => 'null', () => this.#declare(type), () => this.#declare(type, null)])()}`,
      ]
    })
    return printed.length > 0 ? `(${printed.join(', ')})` : ''
  }

  #asVariable(value: Input | null, type: string): string {
    if (value === null) return this.#declare(type, this.#random.chance(0.5) ? null : undefined)
    const isRequired = 'required' in value && value.required
    return this.#declare(`${typeOf(value)}${isRequired ? '!' : ''}`, this.#json(value))
  }

  /** `required`: an entry of a list, which a variable for must not be null. */
  print(input: Input, required = false): string {
    return this.#random.chance(input.kind === 'scalar' ? 0.35 : 0.12)
      ? this.#variable(input, required)
      : this.#literal(input)
  }

  #literal(input: Input): string {
    switch (input.kind) {
      case 'scalar':
        return this.#scalar(input)
      case 'enum':
        return input.value
      case 'list': {
        const [only] = input.of
        if (input.of.length === 1 && only && this.#random.chance(0.3)) return this.#literal(only)
        return `[${input.of.map((one) => this.print(one, true)).join(', ')}]`
      }
      case 'object':
        return `{${input.members.map(([key, value]) => `${key}: ${this.print(value)}`).join(', ')}}`
    }
  }

  #scalar(input: Input & { kind: 'scalar' }): string {
    const value = this.#spelled(input)
    const random = this.#random
    if (typeof value === 'string' && random.chance(0.1)) return random.pick([escaped, block])(value)
    // members of JSON may be variables of any type
    if (input.type === 'jsonb' && isObject(value) && random.chance(0.3))
      return `{${Object.entries(value)
        .map(
          ([key, member]) =>
            `${key}: ${typeof member === 'number' && random.chance(0.5) ? this.#declare('Int', member) : literal(member)}`,
        )
        .join(', ')}}`
    return literal(value)
  }

  /** `$v0`, a flag of a directive. */
  flag(value: boolean): string {
    return !this.#whole && this.#random.chance(0.5) ? `${value}` : this.#declare('Boolean!', value)
  }

  #spelled({ value, wide }: Input & { kind: 'scalar' }): unknown {
    return wide !== undefined && this.#random.chance(0.15) ? wide : value
  }

  #variable(input: Input, required: boolean): string {
    const type = typeOf(input)
    const value = this.#json(input)
    // a default makes up for what is not given, and for nothing else
    if (this.#random.chance(0.15)) return this.#declareDefault(type, constant(input))
    const mustBe = required || ('required' in input && input.required === true)
    if (value !== null && !mustBe && this.#random.chance(0.05)) return this.#declareDefault(type, 'null', value)
    const isRequired = mustBe || this.#random.chance(0.15)
    return this.#declare(`${type}${isRequired && value !== null ? '!' : ''}`, value)
  }

  #json(input: Input): unknown {
    switch (input.kind) {
      case 'scalar':
        return this.#spelled(input)
      case 'enum':
        return input.value
      case 'list': {
        const [only] = input.of
        if (input.of.length === 1 && only && this.#random.chance(0.2)) return this.#json(only)
        return input.of.map((one) => this.#json(one))
      }
      case 'object':
        return Object.fromEntries(input.members.map(([key, value]) => [key, this.#json(value)]))
    }
  }

  /** One variable may stand in several places. */
  #declare(type: string, value?: unknown): string {
    const key = JSON.stringify([type, value ?? null])
    const known = this.#whole || value === undefined ? undefined : this.#declared.get(key)
    if (known !== undefined && this.#random.chance(0.5)) return known
    const variable = this.#declareNew(type, value)
    this.#declared.set(key, variable)
    return variable
  }

  #declareNew(type: string, value: unknown): string {
    const name = `v${this.#declarations.length}`
    this.#declarations.push(`$${name}: ${type}`)
    if (value !== undefined) this.variables[name] = value
    return `$${name}`
  }

  #declareDefault(type: string, fallback: string, value?: unknown): string {
    const name = `v${this.#declarations.length}`
    this.#declarations.push(`$${name}: ${type} = ${fallback}`)
    if (value !== undefined) this.variables[name] = value
    return `$${name}`
  }
}

const typeOf = (input: Input): string => (input.kind === 'list' ? `[${input.element}!]` : input.type)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An input without variables. */
function constant(input: Input): string {
  switch (input.kind) {
    case 'scalar':
      return literal(input.value)
    case 'enum':
      return input.value
    case 'list':
      return `[${input.of.map(constant).join(' ')}]`
    case 'object':
      return `{${input.members.map(([key, value]) => `${key}: ${constant(value)}`).join(' ')}}`
  }
}

/** Each character as `\\u0041`. */
const escaped = (text: string): string =>
  `"${[...text].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`

/** Between triple quotes a text stands as it is, but for spaces at its ends. */
const block = (text: string): string => (text === '' || /^\s|[\s"\\]$|"""/.test(text) ? literal(text) : `"""${text}"""`)

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, member]) => `${key}: ${literal(member)}`)
    .join(', ')}}`
}
