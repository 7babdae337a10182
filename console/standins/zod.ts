/**
 * Stands in for zod in the page: schemas describe values, which is what forms are made of, and check none. That is left to the
 * engine's dry run. It takes 28 kB less, compressed: with zod the page would be larger than it may be.
 */

interface Check {
  readonly _zod: { readonly def: { readonly check: string; readonly format?: string } }
}

interface Def {
  readonly type: string
  readonly checks?: readonly Check[]
  readonly [key: string]: unknown
}

/** A schema as `placeOf` of @svc/schema reads it. */
class Described {
  readonly _zod: { readonly def: Def; run: () => never }

  constructor(def: Def) {
    this._zod = { def, run: unchecked }
  }

  optional(): Described {
    return new Described({ type: 'optional', innerType: this })
  }

  nullish(): Described {
    return new Described({ type: 'optional', innerType: new Described({ type: 'nullable', innerType: this }) })
  }

  transform(): Described {
    return this.pipe(new Described({ type: 'transform' }))
  }

  pipe(out: Described): Described {
    return new Described({ type: 'pipe', in: this, out })
  }

  min(): Described {
    return this.#checked({ check: 'min_length' })
  }

  int(): Described {
    return this.#checked({ check: 'number_format', format: 'safeint' })
  }

  refine(): Described {
    return this.#checked({ check: 'custom' })
  }

  superRefine(): Described {
    return this.refine()
  }

  check(): Described {
    return this.refine()
  }

  safeParse(): never {
    return unchecked()
  }

  #checked(def: Check['_zod']['def']): Described {
    const { def: own } = this._zod
    return new Described({ ...own, checks: [...(own.checks ?? []), { _zod: { def } }] })
  }
}

function unchecked(): never {
  throw new Error('this page describes schemas and checks no values')
}

const plain = (type: string) => (): Described => new Described({ type })
const object = (shape: Readonly<Record<string, Described>>): Described => new Described({ type: 'object', shape })

export const z = {
  ZodObject: class {},
  NEVER: undefined,
  unknown: plain('unknown'),
  custom: plain('custom'),
  string: plain('string'),
  number: plain('number'),
  boolean: plain('boolean'),
  null: plain('null'),
  lazy: plain('lazy'),
  guid: plain('string'),
  object,
  looseObject: object,
  strictObject: object,
  array: (element: Described): Described => new Described({ type: 'array', element }),
  record: (_: Described, valueType: Described): Described => new Described({ type: 'record', valueType }),
  enum: (values: readonly string[]): Described =>
    new Described({ type: 'enum', entries: Object.fromEntries(values.map((one) => [one, one])) }),
  preprocess: (_: unknown, schema: Described): Described => new Described({ type: 'transform' }).pipe(schema),
  toJSONSchema: unchecked,
}
