import { type Random, seededRandom } from '../admin/random.ts'
import { connectionOrder, cursorTree } from './oracle-connection.ts'
import { base64, nativeArguments, pathArgument, plain } from './print-arguments.ts'
import { type Argument, InputPrinter } from './print-input.ts'
import { columnsInput, givenArguments, rowsArguments } from './print-where.ts'
import type { AggregateValue, EdgeField, Field, Given, Page, PagePart, Part, Root } from './query.ts'
import type { Table, World } from './world.ts'
import { computedOf, fieldOf, relationshipOf, tableOf } from './world-lookup.ts'

export interface PrintedQuery {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly operationName?: string
}

/** A query as a GraphQL document; parts of its arguments become variables, parts of its selections fragments. */
export function printQuery(world: World, roots: readonly Root[], random: Random): PrintedQuery {
  return print(world, roots, new InputPrinter(random, false), random)
}

/** The same with all of its arguments in variables: for one `seed`, roots that differ in arguments alone have one text. */
export function printInVariables(world: World, roots: readonly Root[], random: Random, seed: number): PrintedQuery {
  return print(world, roots, new InputPrinter(random, true), seededRandom(seed))
}

function print(world: World, roots: readonly Root[], input: InputPrinter, random: Random): PrintedQuery {
  const printer = new Printer(world, input, random)
  const body = printer.items(
    'query_root',
    roots.map((root) => () => printer.root(root)),
  )
  const operation = `${input.declarations()} { ${body.join(' ')} }\n${printer.fragments.join('\n')}`
  const { variables } = input
  if (random.chance(0.9)) return { query: `query${operation}`, variables }
  // one of several operations; their variables may have the same names
  const other = 'query Other($v0: String, $v1: [Int!]) { __typename @include(if: false) }'
  const parts = [`query This${operation}`, other]
  return { query: (random.chance(0.5) ? parts : parts.toReversed()).join('\n'), variables, operationName: 'This' }
}

/** A field up to where directives may stand, and what it selects, if it does. */
type Printed = readonly [head: string, items?: readonly string[]]
type Print = () => Printed

class Printer {
  readonly #world: World
  readonly #input: InputPrinter
  readonly #random: Random
  readonly fragments: string[] = []

  constructor(world: World, input: InputPrinter, random: Random) {
    this.#world = world
    this.#input = input
    this.#random = random
  }

  /**
   * Fields in their order; some are in fragments, some under a directive that lets them be, some are there in vain, some
   * select a part here and the rest behind the others.
   */
  items(type: string, fields: readonly Print[]): readonly string[] {
    const random = this.#random
    const behind: string[] = []
    const items = fields.map((print) => {
      const [head, inner] = print()
      const directive = random.chance(0.05) ? this.#directive(true) : ''
      if (inner === undefined) return `${head}${directive}`
      if (inner.length < 2 || !random.chance(0.06)) return `${head}${directive} { ${inner.join(this.#space())} }`
      const first = 1 + random.below(inner.length - 1)
      behind.push(`${head} { ${inner.slice(first).join(' ')} }`)
      return `${head}${directive} { ${inner.slice(0, first).join(' ')} }`
    })
    items.push(...behind)
    if (random.chance(0.06))
      items.splice(random.below(items.length + 1), 0, `vain: __typename${this.#directive(false)}`)
    if (random.chance(0.85)) return items
    const [from, length] = [random.below(items.length), 1 + random.below(items.length)]
    const inner = items.splice(from, length).join(' ')
    const fragment = this.#fragment(type, inner)
    items.splice(from, 0, fragment)
    // what is there twice is there once
    if (random.chance(0.3)) items.push(random.chance(0.5) ? fragment : this.#fragment(type, inner))
    return items
  }

  /** What may stand between fields. */
  #space(): string {
    return this.#random.chance(0.05) ? this.#random.pick([', ', '\n', ' # { "\n', '\uFEFF', ',,\t']) : ' '
  }

  #fragment(type: string, inner: string): string {
    const random = this.#random
    const directive = random.chance(0.2) ? this.#directive(true) : ''
    if (random.chance(0.4)) return `...${random.chance(0.7) ? ` on ${type}` : ''}${directive} { ${inner} }`
    const name = `f${this.fragments.length}`
    this.fragments.push(`fragment ${name} on ${type} { ${inner} }`)
    return `...${name}${directive}`
  }

  /** One that keeps what it stands at, or one that does not. */
  #directive(isKept: boolean): string {
    return this.#random.chance(0.5)
      ? ` @include(if: ${this.#input.flag(isKept)})`
      : ` @skip(if: ${this.#input.flag(!isKept)})`
  }

  root(root: Root): Printed {
    const table = tableOf(this.#world, root.table)
    const { as } = root
    switch (root.kind) {
      case 'list':
        return [`${as}: ${table.name}${this.#rows(table, root)}`, this.#fields(table, root.fields)]
      case 'aggregate':
        return [`${as}: ${table.name}_aggregate${this.#rows(table, root)}`, this.#parts(table, root.parts)]
      case 'connection':
        return this.#page(`${as}: ${table.name}_connection`, table, root.page)
      case 'function-connection':
        return this.#page(`${as}: ${root.name}_connection`, table, root.page, this.#functionArguments(root))
      case 'by_pk': {
        const key = Object.entries(root.key).map(([name, value]): Argument => {
          const type = typeof value === 'number' ? 'Int' : 'String'
          return [fieldOf(table, name), { kind: 'scalar', type, value, required: true }, type]
        })
        return [`${as}: ${table.name}_by_pk${this.#input.arguments(key)}`, this.#fields(table, root.fields)]
      }
      case 'node': {
        const id = base64([1, 'public', table.name, ...Object.values(root.key)])
        const args = this.#input.arguments([['id', { kind: 'scalar', type: 'ID', value: id, required: true }, 'ID']])
        return [`${as}: node${args}`, [`... on ${table.name} { ${this.#fields(table, root.fields).join(' ')} }`]]
      }
      case 'function':
      case 'function-aggregate': {
        const args = [...this.#functionArguments(root), ...rowsArguments(this.#world, table, root.rows)]
        const printed = this.#input.arguments(args)
        return root.kind === 'function'
          ? [`${as}: ${root.name}${printed}`, this.#fields(table, root.fields)]
          : [`${as}: ${root.name}_aggregate${printed}`, this.#parts(table, root.parts)]
      }
      case 'native': {
        const args = [...nativeArguments(root.name, root.given), ...rowsArguments(this.#world, table, root.rows)]
        return [`${as}: ${root.name}${this.#input.arguments(args)}`, this.#fields(table, root.fields)]
      }
    }
  }

  #rows(table: Table, { rows }: { readonly rows: Parameters<typeof rowsArguments>[2] }): string {
    return this.#input.arguments(rowsArguments(this.#world, table, rows))
  }

  #fields(table: Table, fields: readonly Field[]): readonly string[] {
    return this.items(
      table.name,
      fields.map((field) => () => this.#field(table, field)),
    )
  }

  #field(table: Table, field: Field): Printed {
    const { as } = field
    const named = (name: string) => (as === name ? name : `${as}: ${name}`)
    switch (field.kind) {
      case 'column':
        return [`${named(fieldOf(table, field.column))}${this.#input.arguments(pathArgument(field.path))}`]
      case 'node-id':
        return [named('id')]
      case 'computed': {
        const args = [...this.#computedArguments(table, field.field, field.given), ...pathArgument(field.path)]
        return [`${named(field.field)}${this.#input.arguments(args)}`]
      }
      case 'rows': {
        const { body } = computedOf(this.#world, table.name, field.field)
        const target = tableOf(this.#world, body.kind === 'rows' ? body.target : '')
        const args = [
          ...this.#computedArguments(table, field.field, field.given),
          ...rowsArguments(this.#world, target, field.rows),
        ]
        return [`${named(field.field)}${this.#input.arguments(args)}`, this.#fields(target, field.fields)]
      }
      case 'object':
      case 'array':
      case 'aggregate':
      case 'connection':
        return this.#related(table, field)
    }
  }

  #related(table: Table, field: Field & { kind: 'object' | 'array' | 'aggregate' | 'connection' }): Printed {
    const { as, relationship } = field
    const { target: name, query } = relationshipOf(this.#world, table.name, relationship)
    const target = tableOf(this.#world, name)
    const given =
      query !== undefined && (field.kind === 'object' || field.kind === 'array')
        ? nativeArguments(query, field.given)
        : []
    switch (field.kind) {
      case 'object':
        return [`${as}: ${relationship}${this.#input.arguments(given)}`, this.#fields(target, field.fields)]
      case 'array': {
        const args = this.#input.arguments([...given, ...rowsArguments(this.#world, target, field.rows)])
        return [`${as}: ${relationship}${args}`, this.#fields(target, field.fields)]
      }
      case 'aggregate':
        return [`${as}: ${relationship}_aggregate${this.#rows(target, field)}`, this.#parts(target, field.parts)]
      case 'connection':
        return this.#page(`${as}: ${relationship}_connection`, target, field.page)
    }
  }

  #functionArguments({ name, given }: { readonly name: string; readonly given: Given }): readonly Argument[] {
    const routine = this.#world.routines.find((one) => one.table === null && one.name === name)
    const { arguments: declared = [], unnamed = false } = routine ?? {}
    return givenArguments(`${name}_args`, declared, given, unnamed)
  }

  #computedArguments(table: Table, name: string, given: Given): readonly Argument[] {
    const { arguments: declared, unnamed } = computedOf(this.#world, table.name, name)
    const type = `${name}_${table.name}_args`
    return givenArguments(type, declared, given, unnamed)
  }

  #parts(table: Table, parts: readonly Part[]): readonly string[] {
    return this.items(
      `${table.name}_aggregate`,
      parts.map((part) => (): Printed => {
        if (part.kind === 'nodes') return [`${part.as}: nodes`, this.#fields(table, part.fields)]
        const values = part.values.map((value) => () => this.#aggregate(table, value))
        return [`${part.as}: aggregate`, this.items(`${table.name}_aggregate_fields`, values)]
      }),
    )
  }

  #aggregate(table: Table, value: AggregateValue): Printed {
    if (value.kind === 'operator') {
      const fields = value.columns.map(({ as, column, given }) => (): Printed => {
        const isComputed = !table.columns.some(({ name }) => name === column)
        const args = isComputed ? this.#input.arguments(this.#computedArguments(table, column, given)) : ''
        return [`${as}: ${fieldOf(table, column)}${args}`]
      })
      return [`${value.as}: ${value.operator}`, this.items(`${table.name}_${value.operator}_fields`, fields)]
    }
    const { columns, distinct } = value
    // a null is refused here, so what is not given is not there
    const args: readonly Argument[] = [
      ...(columns.length > 0 ? [['columns', columnsInput(table, columns), null] as const] : []),
      ...(distinct ? [['distinct', { kind: 'scalar', type: 'Boolean', value: true }, null] as const] : []),
    ]
    return [`${value.as}: count${this.#input.arguments(args)}`]
  }

  #page(head: string, table: Table, { rows, count, cursor, parts }: Page, of: readonly Argument[] = []): Printed {
    const values = cursor && base64(plain(cursorTree(this.#world, table, connectionOrder(table, rows), cursor.values)))
    const args = [
      ...of,
      ...rowsArguments(this.#world, table, rows).filter(([name]) => name !== 'limit' && name !== 'offset'),
      ...(['first', 'last'] as const).map(
        (from): Argument => [
          from,
          count?.from === from ? { kind: 'scalar', type: 'Int', value: count.of } : null,
          'Int',
        ],
      ),
      ...(['after', 'before'] as const).map(
        (side): Argument => [
          side,
          cursor?.side === side ? { kind: 'scalar', type: 'String', value: values } : null,
          'String',
        ],
      ),
    ]
    const printed = parts.map((part) => () => this.#pagePart(table, part))
    return [`${head}${this.#input.arguments(args)}`, this.items(`${table.name}Connection`, printed)]
  }

  #pagePart(table: Table, part: PagePart): Printed {
    if (part.kind === 'page-info') {
      const fields = part.fields.map(
        ({ name }) =>
          (): Printed => [name],
      )
      return [`${part.as}: pageInfo`, this.items('PageInfo', fields)]
    }
    const edge = (field: EdgeField) => (): Printed =>
      field.kind === 'cursor' ? [`${field.as}: cursor`] : [`${field.as}: node`, this.#fields(table, field.fields)]
    return [`${part.as}: edges`, this.items(`${table.name}Edge`, part.fields.map(edge))]
  }
}
