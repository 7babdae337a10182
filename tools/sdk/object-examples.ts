import { parse, stringify } from 'yaml'
import { functionToken, pulumiName } from '../../provider/src/pulumi/index.ts'
import { importId, objectData } from '../../provider/src/resources/index.ts'

/** What an example in YAML declares. */
interface Program {
  readonly resources?: Readonly<Record<string, Declared>>
}

interface Declared {
  readonly type: string
  readonly properties?: Readonly<Record<string, unknown>>
}

/**
 * Programs in YAML by the name of a function that reads one object: each reads what the example of its kind declares last,
 * by the properties that are its identity. `textOf` returns the example of a kind.
 */
export function objectExamples(textOf: (kind: string) => string): ReadonlyMap<string, string> {
  return new Map(
    objectData.map(({ name, kind, inputs, outputs }) => {
      const token = functionToken(name)
      const { resources = {} }: Program = parse(textOf(kind.kind))
      const found = Object.entries(resources).findLast(([, { type }]) => type === `svc:${kind.kind}`)
      if (!found) throw new Error(`the example of ${kind.kind} declares none`)
      const [label, { properties = {} }] = found
      const given = Object.keys(inputs).flatMap((input) => {
        const value = input === 'id' ? importId(kind.example) : literal(properties[pulumiName(input)], resources)
        return value === undefined ? [] : [[pulumiName(input), value]]
      })
      const invoke = { function: token.replace(':index:', ':'), arguments: Object.fromEntries(given) }
      const [output = 'id'] = Object.keys(outputs).map(pulumiName)
      const program = {
        variables: { [label]: { 'fn::invoke': invoke } },
        outputs: { [output]: `\${${label}.${output}}` },
      }
      return [token.replace(/^.*:/, ''), stringify(program, { lineWidth: 0 })]
    }),
  )
}

/** With the value that a reference such as `${album.table}` stands for. */
function literal(value: unknown, resources: Readonly<Record<string, Declared>>): unknown {
  const [, label = '', property = ''] = /^\$\{(\w+)\.(\w+)\}$/.exec(typeof value === 'string' ? value : '') ?? []
  return label === '' ? value : literal(resources[label]?.properties?.[property], resources)
}
