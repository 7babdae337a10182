import { asItem, type Document, type Item, items, named, nameOf, present, remove } from '../plain-document.ts'
import { Refusal, type Rules } from '../rule.ts'
import { transformOf } from './triggers.ts'

const ignoredHeaders =
  'Content-Length Content-MD5 User-Agent Host Origin Referer Accept Accept-Encoding Accept-Language Accept-Datetime Cache-Control Connection DNT Content-Type'.split(
    ' ',
  )

const unlessEmpty = (value: unknown): unknown => (Array.isArray(value) && value.length === 0 ? undefined : value)

function actionOf({ name, definition, comment }: Item): Item {
  const given = asItem(definition)
  const type = given.type ?? 'mutation'
  return present({
    name,
    definition: present({
      ...given,
      type,
      kind: type === 'mutation' ? (given.kind ?? 'synchronous') : undefined,
      ignored_client_headers: given.ignored_client_headers ?? ignoredHeaders,
      forward_client_headers: given.forward_client_headers === true ? true : undefined,
      headers: unlessEmpty(given.headers),
      arguments: unlessEmpty(given.arguments),
      timeout: given.timeout === 30 ? undefined : given.timeout,
      request_transform: transformOf(given.request_transform),
      response_transform: transformOf(given.response_transform),
    }),
    comment,
  })
}

function need(document: Document, name: unknown, ...other: readonly string[]): Item {
  const found = named(items(document, 'actions'), 'name', name)
  if (!found) throw new Refusal('not-exists', ...other)
  return found
}

const typeLists = ['input_objects', 'objects', 'scalars', 'enums'] as const
const kinds = { input_objects: 'input_object', objects: 'object', scalars: 'scalar', enums: 'enum' } as const

function typeOf(list: (typeof typeLists)[number], type: Item): Item {
  if (list !== 'objects') return type
  const relationships = ((type.relationships ?? []) as Item[]).map((one) => ({
    source: 'default',
    ...one,
    remote_table: nameOf(one.remote_table),
  }))
  return present({ ...type, relationships: unlessEmpty(relationships) })
}

function putTypes(document: Document, types: Item): void {
  const left = present(Object.fromEntries(typeLists.map((list) => [list, unlessEmpty(types[list])])))
  if (Object.keys(left).length === 0) delete document.custom_types
  else document.custom_types = left
}

const used = (type: unknown): string => String(type).replace(/[[\]!]/g, '')

export const actionRules: Rules = {
  create_action(document, args, { may }) {
    const list = items(document, 'actions')
    if (named(list, 'name', args.name)) throw new Refusal('already-exists', 'validation-failed')
    may('validation-failed')
    list.push(actionOf(args))
  },
  update_action(document, args, { may }) {
    const known = need(document, args.name, 'validation-failed')
    may('validation-failed')
    remove(items(document, 'actions'), known)
    items(document, 'actions').push({ ...actionOf(args), ...present({ permissions: known.permissions }) })
  },
  drop_action(document, args) {
    remove(items(document, 'actions'), need(document, args.name))
  },
  create_action_permission(document, args) {
    const list = items(need(document, args.action), 'permissions')
    if (named(list, 'role', args.role)) throw new Refusal('already-exists')
    list.push(present({ role: args.role, comment: args.comment }))
  },
  drop_action_permission(document, args) {
    const action = named(items(document, 'actions'), 'name', args.action ?? args.name)
    const list = action ? items(action, 'permissions') : []
    if (!remove(list, named(list, 'role', args.role))) throw new Refusal('not-exists')
  },
  set_custom_types(document, args) {
    putTypes(
      document,
      Object.fromEntries(
        typeLists.map((list) => [list, ((args[list] ?? []) as Item[]).map((type) => typeOf(list, type))]),
      ),
    )
  },
  create_custom_type(document, args, { may }) {
    const list = typeLists.find((one) => args[kinds[one]] !== undefined) ?? 'objects'
    const type = typeOf(list, asItem(args[kinds[list]]))
    const types = asItem(document.custom_types)
    const knownIn = typeLists.find((one) => named((types[one] ?? []) as Item[], 'name', type.name))
    if (args.replace !== true && knownIn) throw new Refusal('already-exists')
    if (args.replace === true && !knownIn) throw new Refusal('not-exists')
    // types of fields that are not there
    may('not-exists')
    const without = Object.fromEntries(
      typeLists.map((one) => [
        one,
        ((types[one] ?? []) as Item[]).filter(({ name }) => one === list || name !== type.name),
      ]),
    )
    const before = (without[list] ?? []) as Item[]
    const isThere = before.some(({ name }) => name === type.name)
    const after = isThere ? before.map((one) => (one.name === type.name ? type : one)) : [...before, type]
    putTypes(document, { ...without, [list]: after })
  },
  drop_custom_type(document, args, { atomic }) {
    const types = asItem(document.custom_types)
    const all = typeLists.flatMap((list) => (types[list] ?? []) as Item[])
    if (!named(all, 'name', args.name)) throw new Refusal('not-exists')
    const inTypes = all.some(
      ({ name, fields }) =>
        name !== args.name && ((fields ?? []) as Item[]).some(({ type }) => used(type) === args.name),
    )
    const inActions = items(document, 'actions').some(({ definition }) => {
      const { output_type, arguments: declared } = asItem(definition)
      return (
        used(output_type) === args.name || ((declared ?? []) as Item[]).some(({ type }) => used(type) === args.name)
      )
    })
    if ((inTypes || inActions) && !atomic) throw new Refusal('dependency-error')
    putTypes(
      document,
      Object.fromEntries(
        typeLists.map((list) => [list, ((types[list] ?? []) as Item[]).filter(({ name }) => name !== args.name)]),
      ),
    )
  },
}
