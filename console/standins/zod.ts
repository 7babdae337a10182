/**
 * Stands in for zod in the page: what the metadata's schemas use of it, to describe values (forms are made of that) and to read
 * those of files. It takes 26 kB less, compressed: with zod the page would be larger than it may be. A test holds it to what
 * zod reads.
 */

interface Issue {
  readonly code: string
  readonly message: string
  path?: PropertyKey[]
  readonly [key: string]: unknown
}

interface Payload {
  value: unknown
  readonly issues: Issue[]
}

interface Context {
  readonly issues: Issue[]
  addIssue(issue: Issue): void
}

interface Def {
  readonly type: string
  readonly checks?: readonly unknown[]
  readonly [key: string]: unknown
}

type Read = (payload: Payload) => unknown
type Words = string | { readonly message: string; readonly [key: string]: unknown } | undefined

class Described {
  readonly _zod: { readonly def: Def; run: (payload: Payload) => Payload }

  constructor(def: Def, read: Read) {
    const run = (payload: Payload) => {
      payload.value = read(payload)
      return payload
    }
    this._zod = { def, run }
  }

  optional(): Described {
    return this.#unless('optional', undefined)
  }

  nullable(): Described {
    return this.#unless('nullable', null)
  }

  nullish(): Described {
    return this.nullable().optional()
  }

  transform(change: (value: unknown, context: Context) => unknown): Described {
    return this.pipe(transformed(change))
  }

  pipe(out: Described): Described {
    return new Described({ type: 'pipe', in: this, out }, (payload) => {
      const { value, issues } = this._zod.run(payload)
      return issues.length > 0 ? value : out._zod.run(payload).value
    })
  }

  min(least: number, words?: Words): Described {
    const isFine = (value: unknown) => (value as string | readonly unknown[]).length >= least
    return this.#checked({ check: 'min_length' }, failing(isFine, words))
  }

  int(): Described {
    return this.#checked({ check: 'number_format', format: 'safeint' }, (payload) => {
      if (!Number.isSafeInteger(payload.value)) expect(payload, 'int')
    })
  }

  refine(isFine: (value: never) => boolean, words?: Words): Described {
    return this.check(failing(isFine as (value: unknown) => boolean, words))
  }

  superRefine(check: (value: unknown, context: Context) => void): Described {
    return this.check((payload) => check(payload.value, contextOf(payload)))
  }

  check(check: (payload: Payload) => void): Described {
    return this.#checked({ check: 'custom' }, check)
  }

  safeParse(value: unknown) {
    const { value: data, issues } = this._zod.run({ value, issues: [] })
    return issues.length === 0 ? { success: true, data } : { success: false, error: { issues } }
  }

  #unless(type: string, absent: null | undefined): Described {
    return new Described({ type, innerType: this }, (payload) =>
      payload.value === absent ? absent : this._zod.run(payload).value,
    )
  }

  #checked(def: object, check: (payload: Payload) => void): Described {
    const { def: own } = this._zod
    return new Described({ ...own, checks: [...(own.checks ?? []), { _zod: { def } }] }, (payload) => {
      this._zod.run(payload)
      if (payload.issues.length === 0) check(payload)
      return payload.value
    })
  }
}

const contextOf = ({ issues }: Payload): Context => ({
  issues,
  addIssue: (issue) => issues.push({ ...issue, path: issue.path ?? [] }),
})

function failing(isFine: (value: unknown) => boolean, words: Words): (payload: Payload) => void {
  const said = typeof words === 'object' ? words : { message: words ?? 'invalid' }
  return ({ value, issues }) => {
    if (!isFine(value)) issues.push({ code: 'custom', input: value, ...said })
  }
}

function expect({ value, issues }: Payload, expected: string): void {
  issues.push({ code: 'invalid_type', expected, input: value, message: `expected ${expected}` })
}

function below(schema: Described, value: unknown, key: PropertyKey, { issues }: Payload): unknown {
  const read = schema._zod.run({ value, issues: [] })
  issues.push(...read.issues.map((issue) => ({ ...issue, path: [key, ...(issue.path ?? [])] })))
  return read.value
}

const ofType = (type: string) => (): Described =>
  new Described({ type }, (payload) => {
    if (typeof payload.value !== type) expect(payload, type)
    return payload.value
  })

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const object =
  (unknown: 'keep' | 'ignore' | 'refuse') =>
  (shape: Readonly<Record<string, Described>>): Described =>
    new Described({ type: 'object', shape }, (payload) => {
      const { value: given, issues } = payload
      if (!isMap(given)) return expect(payload, 'object')
      const read: Record<string, unknown> = {}
      for (const [key, schema] of Object.entries(shape)) {
        const value = below(schema, given[key], key, payload)
        if (value !== undefined || key in given) read[key] = value
      }
      const others = Object.keys(given).filter((key) => !Object.hasOwn(shape, key))
      if (unknown === 'refuse' && others.length > 0)
        issues.push({ code: 'unrecognized_keys', keys: others, input: given, message: `unexpected keys: ${others}` })
      if (unknown === 'keep') for (const key of others) if (key !== '__proto__') read[key] = given[key]
      return read
    })

const transformed = (change: (value: unknown, context: Context) => unknown): Described =>
  new Described({ type: 'transform' }, (payload) => change(payload.value, contextOf(payload)))

const anything = (type: string): Described => new Described({ type }, ({ value }) => value)

export const z = {
  ZodObject: class {},
  NEVER: undefined,
  unknown: () => anything('unknown'),
  custom: (isFine: (value: unknown) => boolean = () => true, words?: Words) => anything('custom').refine(isFine, words),
  string: ofType('string'),
  number: ofType('number'),
  boolean: ofType('boolean'),
  guid: ofType('string'),
  null: () => new Described({ type: 'null' }, (payload) => (payload.value === null ? null : expect(payload, 'null'))),
  lazy: (schema: () => Described) => new Described({ type: 'lazy' }, (payload) => schema()._zod.run(payload).value),
  object: object('ignore'),
  looseObject: object('keep'),
  strictObject: object('refuse'),
  array: (element: Described) =>
    new Described({ type: 'array', element }, (payload) => {
      const { value } = payload
      return Array.isArray(value)
        ? value.map((item: unknown, index) => below(element, item, index, payload))
        : expect(payload, 'array')
    }),
  record: (_: Described, valueType: Described) =>
    new Described({ type: 'record', valueType }, (payload) => {
      const { value } = payload
      if (!isMap(value)) return expect(payload, 'record')
      return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, below(valueType, part, key, payload)]))
    }),
  enum: (values: readonly string[]) =>
    new Described({ type: 'enum', entries: Object.fromEntries(values.map((one) => [one, one])) }, (payload) => {
      const { value, issues } = payload
      if (!values.includes(value as string))
        issues.push({ code: 'invalid_value', values, input: value, message: 'invalid' })
      return value
    }),
  preprocess: (change: (value: unknown, context: Context) => unknown, schema: Described) =>
    transformed(change).pipe(schema),
  toJSONSchema: (): never => {
    throw new Error('this page makes no JSON Schema')
  },
}
