import { Kind } from 'graphql'
import { namedTypeOf, type RemoteInput, type RemoteType, type RemoteTypeRef } from '../remote-types.ts'
import { fieldKey, type Preset, type Presets } from './preset.ts'

/** An input type that has only presets leaves the client nothing to pass: a value of that type is preset as a whole. */
export function withoutWholePresets(
  types: ReadonlyMap<string, RemoteType>,
  presets: Presets,
): { readonly types: ReadonlyMap<string, RemoteType>; readonly presets: Presets } {
  const isWhole = (ref: RemoteTypeRef): boolean => {
    const type = types.get(namedTypeOf(ref))
    return type?.kind === 'INPUT_OBJECT' && type.fields.size === 0 && presets.inputs.has(type.name)
  }
  const gone = [...types.values()].filter((type) => isWhole({ kind: 'named', name: type.name }))
  if (gone.length === 0) return { types, presets }
  const args = new Map(presets.args)
  const inputs = new Map(presets.inputs)
  const empty: Preset = { kind: 'literal', value: { kind: Kind.OBJECT, fields: [] } }
  const cut = (into: Map<string, ReadonlyMap<string, Preset>>, key: string, list: ReadonlyMap<string, RemoteInput>) => {
    const hidden = [...list.values()].filter(({ type }) => isWhole(type))
    if (hidden.length === 0) return list
    into.set(key, new Map([...(into.get(key) ?? []), ...hidden.map(({ name }) => [name, empty] as const)]))
    return new Map([...list].filter(([, { type }]) => !isWhole(type)))
  }
  const left = new Map<string, RemoteType>()
  for (const type of types.values()) {
    if (gone.includes(type)) continue
    if (type.kind === 'INPUT_OBJECT') left.set(type.name, { ...type, fields: cut(inputs, type.name, type.fields) })
    else if (type.kind === 'OBJECT' || type.kind === 'INTERFACE') {
      const fields = [...type.fields.values()].map(
        (field) => [field.name, { ...field, args: cut(args, fieldKey(type.name, field.name), field.args) }] as const,
      )
      left.set(type.name, { ...type, fields: new Map(fields) })
    } else left.set(type.name, type)
  }
  return { types: left, presets: { args, inputs } }
}
