/** Permissions of tables and functions. */
import {
  asItem,
  type Document,
  findFunction,
  findTable,
  type Item,
  isItem,
  items,
  named,
  nameOf,
  present,
  remove,
} from '../plain-document.ts'
import { Refusal, type Rule, type Rules } from '../rule.ts'
import { needSource, needTable, sourceName } from './tables.ts'

const kinds = ['insert', 'select', 'update', 'delete'] as const

const isEmpty = (value: unknown) =>
  (Array.isArray(value) && value.length === 0) || (isItem(value) && Object.keys(value).length === 0)

/** `$and` and the like as exports have them; names of tables in full. */
function conditionOf(expression: unknown): unknown {
  if (Array.isArray(expression)) return expression.map(conditionOf)
  if (!isItem(expression)) return expression
  return Object.fromEntries(
    Object.entries(expression).map(([key, value]) => {
      const own = key.replace(/^\$(and|or|not|exists)$/, '_$1')
      return [own, own === '_table' ? nameOf(value) : conditionOf(value)]
    }),
  )
}

function bodyOf(kind: (typeof kinds)[number], given: Item): Item {
  const { columns, filter, check, set, backend_only, computed_fields, limit, allow_aggregations } = given
  const own: Item = {
    filter: kind === 'insert' ? undefined : conditionOf(filter),
    check: kind === 'insert' ? conditionOf(check) : kind === 'update' ? conditionOf(check ?? null) : undefined,
    columns: kind === 'delete' || (kind === 'insert' && columns === '*') ? undefined : columns,
    backend_only: kind !== 'select' && backend_only === true ? true : undefined,
  }
  if (kind === 'insert' || kind === 'update') own.set = isEmpty(set ?? {}) ? undefined : set
  if (kind === 'select') {
    own.computed_fields = isEmpty(computed_fields ?? []) ? undefined : computed_fields
    own.limit = limit
    own.allow_aggregations = allow_aggregations === true ? true : undefined
    own.query_root_fields = given.query_root_fields
    own.subscription_root_fields = given.subscription_root_fields
  }
  return present(own)
}

const create =
  (kind: (typeof kinds)[number]): Rule =>
  (document, args, { may }) => {
    const table = needTable(document, args)
    const list = items(table, `${kind}_permissions`)
    if (args.role === 'admin' || named(list, 'role', args.role)) throw new Refusal('already-exists')
    const given = asItem(args.permission)
    if (kind === 'select') {
      if (typeof given.limit === 'number' && given.limit < 0) throw new Refusal('not-supported')
      may('validation-failed', 'not-supported')
    }
    // a preset column is none of those that clients may set
    if (isItem(given.set)) may('validation-failed')
    list.push(present({ role: args.role, permission: bodyOf(kind, given), comment: args.comment }))
  }

const drop =
  (kind: (typeof kinds)[number]): Rule =>
  (document, args) => {
    const list = items(needTable(document, args), `${kind}_permissions`)
    if (!remove(list, named(list, 'role', args.role))) throw new Refusal('permission-denied')
  }

function needFunction(document: Document, args: Item): Item {
  needSource(document, args)
  const found = findFunction(document, sourceName(args), args.function)
  if (!found) throw new Refusal('not-exists')
  return found
}

const functionConfiguration = (given: unknown): Item | undefined => {
  const own = present({ ...asItem(given) })
  return Object.keys(own).length === 0 ? undefined : own
}

export const permissionRules: Rules = {
  ...Object.fromEntries(
    kinds.flatMap((kind) => [
      [`create_${kind}_permission`, create(kind)],
      [`drop_${kind}_permission`, drop(kind)],
    ]),
  ),
  set_permission_comment(document, args) {
    const found = named(items(needTable(document, args), `${args.type}_permissions`), 'role', args.role)
    if (!found) throw new Refusal('permission-denied')
    if (typeof args.comment === 'string') found.comment = args.comment
    else delete found.comment
  },
  track_function(document, args, { may }) {
    const source = needSource(document, args)
    if (findFunction(document, source.name, args.function)) throw new Refusal('already-tracked')
    if (findTable(document, source.name, args.function)) throw new Refusal('not-supported')
    may('not-supported')
    const configuration = functionConfiguration(args.configuration)
    items(source, 'functions').push(present({ function: nameOf(args.function), configuration, comment: args.comment }))
  },
  untrack_function(document, args) {
    remove(items(needSource(document, args), 'functions'), needFunction(document, args))
  },
  set_function_customization(document, args) {
    const found = needFunction(document, args)
    const configuration = functionConfiguration(args.configuration)
    if (configuration) found.configuration = configuration
    else delete found.configuration
    if (args.comment === null) delete found.comment
    else if (args.comment !== undefined) found.comment = args.comment
  },
  create_function_permission(document, args, { may }) {
    const list = items(needFunction(document, args), 'permissions')
    if (args.role === 'admin' || named(list, 'role', args.role)) throw new Refusal('already-exists')
    may('not-supported')
    list.push({ role: args.role })
  },
  drop_function_permission(document, args) {
    const list = items(needFunction(document, args), 'permissions')
    if (!remove(list, named(list, 'role', args.role))) throw new Refusal('not-exists')
  },
}
