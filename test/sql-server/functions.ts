/** Scalar functions. */
import { randomUUID } from 'node:crypto'
import { castCell, rescale } from './cast.ts'
import { commonOf, compileExpression, compileOrder } from './compile-expression.ts'
import { findObject, nameKey } from './database.ts'
import { atPath, parseJson, scalarText } from './json-text.ts'
import type { Compiled, Env, Scope } from './scope.ts'
import { ServerError } from './server-error.ts'
import type { Expression, Path } from './syntax.ts'
import { localOf, nowTicks, toTemporal } from './temporal.ts'
import {
  type Cell,
  DATABASE_COLLATION,
  familyOf,
  int,
  type Moment,
  nvarchar,
  type SqlType,
  text,
  varchar,
} from './types.ts'

/** A function of values that is null for a null. */
type Plain = {
  readonly type: SqlType | ((args: readonly Compiled[]) => SqlType)
  readonly run: (values: readonly Exclude<Cell, null>[], types: readonly SqlType[], scope: Scope) => Cell
}

const textFunction = (run: (values: readonly string[]) => string): Plain => ({
  type: ([first]) =>
    first && familyOf(first.type) === 'text' && !first.type.name.startsWith('n') ? varchar(Infinity) : text,
  run: (values) => run(values.map(String)),
})
const sameType = ([first]: readonly Compiled[]): SqlType => first?.type ?? int
const moment = (type: SqlType, isUtc = true): Plain => ({
  type,
  run: () => toTemporal({ ticks: nowTicks(), offset: isUtc ? 0 : 0 }, type),
})

const PLAIN: Readonly<Record<string, Plain>> = {
  LEN: { type: int, run: ([value]) => BigInt(String(value).replace(/ +$/, '').length) },
  DATALENGTH: {
    type: int,
    run: ([value], [type]) =>
      Buffer.isBuffer(value)
        ? BigInt(value.length)
        : BigInt(String(value).length * (type?.name.startsWith('n') ? 2 : 1)),
  },
  LOWER: textFunction(([value = '']) => value.toLowerCase()),
  UPPER: textFunction(([value = '']) => value.toUpperCase()),
  LTRIM: textFunction(([value = '']) => value.replace(/^ +/, '')),
  RTRIM: textFunction(([value = '']) => value.replace(/ +$/, '')),
  TRIM: textFunction(([value = '']) => value.replace(/^ +| +$/g, '')),
  LEFT: textFunction(([value = '', count = '0']) => value.slice(0, Number(count))),
  RIGHT: textFunction(([value = '', count = '0']) => (Number(count) === 0 ? '' : value.slice(-Number(count)))),
  SUBSTRING: textFunction(([value = '', from = '1', count = '0']) =>
    value.slice(Math.max(0, Number(from) - 1), Math.max(0, Number(from) - 1 + Number(count))),
  ),
  REPLACE: textFunction(([value = '', what = '', by = '']) =>
    what === '' ? value : value.replaceAll(new RegExp(what.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi'), () => by),
  ),
  STUFF: textFunction(([value = '', from = '1', count = '0', by = '']) => {
    const start = Number(from) - 1
    return value.slice(0, start) + by + value.slice(start + Number(count))
  }),
  REPLICATE: textFunction(([value = '', count = '0']) => value.repeat(Number(count))),
  QUOTENAME: textFunction(([value = '']) => `[${value.replaceAll(']', ']]')}]`),
  STRING_ESCAPE: textFunction(([value = '']) => JSON.stringify(value).slice(1, -1).replaceAll('/', '\\/')),
  CHARINDEX: {
    type: int,
    run: ([what, value]) => BigInt(String(value).toUpperCase().indexOf(String(what).toUpperCase()) + 1),
  },
  NCHAR: { type: nvarchar(2), run: ([code]) => String.fromCharCode(Number(code)) },
  CHAR: { type: { name: 'varchar', length: 1 }, run: ([code]) => String.fromCharCode(Number(code)) },
  ASCII: { type: int, run: ([value]) => BigInt(String(value).charCodeAt(0)) },
  SIGN: { type: sameType, run: ([value], [type]) => signOf(value ?? 0n, type ?? int) },
  ABS: {
    type: sameType,
    run: ([value]) => (typeof value === 'bigint' ? (value < 0n ? -value : value) : Math.abs(Number(value))),
  },
  ROUND: { type: sameType, run: ([value, digits], [type]) => roundTo(value ?? 0n, type ?? int, Number(digits)) },
  ISJSON: { type: int, run: ([value]) => isJson(String(value)) },
  NEWID: { type: { name: 'uniqueidentifier' }, run: () => randomUUID().toUpperCase() },
  NEWSEQUENTIALID: { type: { name: 'uniqueidentifier' }, run: () => randomUUID().toUpperCase() },
  GETDATE: moment({ name: 'datetime', scale: 3 }),
  GETUTCDATE: moment({ name: 'datetime', scale: 3 }),
  SYSDATETIME: moment({ name: 'datetime2', scale: 7 }),
  SYSUTCDATETIME: moment({ name: 'datetime2', scale: 7 }),
  SYSDATETIMEOFFSET: moment({ name: 'datetimeoffset', scale: 7 }),
  TODATETIMEOFFSET: {
    type: { name: 'datetimeoffset', scale: 7 },
    run: ([value, zone]) => ({
      ticks: (value as bigint) - BigInt(minutesOf(zone)) * 600_000_000n,
      offset: minutesOf(zone),
    }),
  },
  SWITCHOFFSET: {
    type: { name: 'datetimeoffset', scale: 7 },
    run: ([value, zone]) => ({ ticks: (value as Moment).ticks, offset: minutesOf(zone) }),
  },
  XACT_STATE: { type: { name: 'smallint' }, run: (_, __, { session }) => (session.transaction === 0 ? 0n : 1n) },
  SCOPE_IDENTITY: {
    type: { name: 'numeric', precision: 38, scale: 0 },
    run: (_, __, { session }) => session.scopeIdentity,
  },
  IDENT_CURRENT: {
    type: { name: 'numeric', precision: 38, scale: 0 },
    run: ([name], _, { session }) => {
      const table = session.findTable(String(name).split('.'))
      return table ? session.counters.identityOf(table.id) : null
    },
  },
  DB_NAME: { type: nvarchar(128), run: (_, __, { session }) => session.database.name },
  DB_ID: { type: int, run: () => 5n },
  OBJECT_ID: {
    type: int,
    run: ([name], _, { session }) => {
      const path = String(name)
        .split('.')
        .map((part) => part.replace(/^\[(.*)\]$/s, '$1').replaceAll(']]', ']'))
      const object = session.findTable(path) ?? findObject(session.database, path)
      return object ? BigInt(object.id) : null
    },
  },
  SCHEMA_ID: {
    type: int,
    run: ([name], _, { session }) =>
      idOf(session.database.schemas.get(nameKey('', String(name)).slice(1).toLowerCase())),
  },
  SCHEMA_NAME: {
    type: nvarchar(128),
    run: ([id], _, { session }) =>
      id === undefined
        ? 'dbo'
        : ([...session.database.schemas.values()].find((one) => BigInt(one.id) === id)?.name ?? null),
  },
  OBJECT_NAME: {
    type: nvarchar(128),
    run: ([id], _, { session }) =>
      [...session.database.objects.values()].find((one) => BigInt(one.id) === id)?.name ?? null,
  },
  OBJECT_SCHEMA_NAME: {
    type: nvarchar(128),
    run: ([id], _, { session }) =>
      [...session.database.objects.values()].find((one) => BigInt(one.id) === id)?.schema ?? null,
  },
  HAS_PERMS_BY_NAME: { type: int, run: () => 1n },
  SERVERPROPERTY: {
    type: nvarchar(128),
    run: ([name]) =>
      /version/i.test(String(name))
        ? '15.0.2000.5'
        : /edition/i.test(String(name))
          ? 'Developer Edition (64-bit)'
          : null,
  },
  DATABASEPROPERTYEX: {
    type: nvarchar(128),
    run: ([, name]) => (/^collation$/i.test(String(name)) ? DATABASE_COLLATION : null),
  },
  SUSER_SNAME: { type: nvarchar(128), run: (_, __, { session }) => session.user },
  USER_NAME: { type: nvarchar(128), run: () => 'dbo' },
  ERROR_NUMBER: { type: int, run: (_, __, { session }) => (session.caught ? BigInt(session.caught.number) : null) },
  ERROR_MESSAGE: { type: nvarchar(4000), run: (_, __, { session }) => session.caught?.message ?? null },
  ERROR_SEVERITY: { type: int, run: (_, __, { session }) => (session.caught ? BigInt(session.caught.severity) : null) },
  ERROR_STATE: { type: int, run: (_, __, { session }) => (session.caught ? BigInt(session.caught.state) : null) },
}

const idOf = (found: { readonly id: number } | undefined): Cell => (found ? BigInt(found.id) : null)

function minutesOf(zone: Cell | undefined): number {
  if (typeof zone === 'bigint') return Number(zone)
  const found = /^([+-])(\d\d):(\d\d)$/.exec(String(zone))
  return found ? (found[1] === '-' ? -1 : 1) * (Number(found[2]) * 60 + Number(found[3])) : 0
}

function signOf(value: Exclude<Cell, null>, type: SqlType): Cell {
  const sign = typeof value === 'bigint' ? (value > 0n ? 1n : value < 0n ? -1n : 0n) : Math.sign(Number(value))
  return typeof sign === 'bigint' ? rescale(sign, 0, type.scale ?? 0) : sign
}

function roundTo(value: Exclude<Cell, null>, type: SqlType, digits: number): Cell {
  if (typeof value === 'number') return Math.round(value * 10 ** digits) / 10 ** digits
  const scale = type.scale ?? 0
  return digits >= scale ? value : rescale(rescale(value as bigint, scale, digits), digits, scale)
}

function isJson(value: string): bigint {
  try {
    parseJson(value)
    return 1n
  } catch {
    return 0n
  }
}

export function compileFunction(path: Path, args: readonly Expression[], scope: Scope): Compiled {
  const name = (path.at(-1) ?? '').toUpperCase()
  if (name === 'DATEADD' || name === 'DATEDIFF') return compileDateFunction(name, args, scope)
  const values = args.map((arg) => compileExpression(arg, scope))
  const special = compileSpecial(name, values)
  if (special) return special
  const plain = path.length === 1 ? PLAIN[name] : undefined
  if (!plain) throw new ServerError(195, `'${path.join('.')}' is not a recognized built-in function name.`, 15)
  const types = values.map(({ type }) => type)
  return {
    type: typeof plain.type === 'function' ? plain.type(values) : plain.type,
    run: (env) => {
      const cells = values.map((value) => value.run(env))
      return cells.includes(null) ? null : plain.run(cells as Exclude<Cell, null>[], types, scope)
    },
  }
}

/** Functions that see their nulls. */
function compileSpecial(name: string, values: readonly Compiled[]): Compiled | null {
  const [first, second] = values
  switch (name) {
    case 'ISNULL': {
      if (!first || !second) throw new ServerError(174, 'The isnull function requires 2 argument(s).', 15)
      // the type is that of the first: ISNULL(varchar(3), 'long') is cut; a bare NULL has none
      const type = first.type.precision === 0 ? second.type : first.type
      return {
        type,
        isJson: first.isJson === true,
        run: (env) => first.run(env) ?? castCell(second.run(env), second.type, type),
      }
    }
    case 'COALESCE': {
      const type = commonOf(values)
      return {
        type,
        run: (env) => {
          for (const value of values) {
            const cell = value.run(env)
            if (cell !== null) return castCell(cell, value.type, type)
          }
          return null
        },
      }
    }
    case 'NULLIF': {
      if (!first || !second) throw new ServerError(174, 'The nullif function requires 2 argument(s).', 15)
      const order = compileOrder(first, second, 'equal to')
      return { type: first.type, run: (env) => (order(env) === 0 ? null : first.run(env)) }
    }
    case 'CONCAT':
      return {
        type: text,
        run: (env) => values.map((value) => castCell(value.run(env), value.type, text) ?? '').join(''),
      }
    case 'JSON_VALUE':
      return {
        type: nvarchar(4000),
        run: (env) => {
          const found = jsonAt(env, first, second)
          const value = found ? scalarText(found) : null
          return value !== null && value.length > 4000 ? null : value
        },
      }
    case 'JSON_QUERY':
      return {
        type: text,
        isJson: true,
        run: (env) => {
          const found = jsonAt(env, first, second)
          return found && (found.kind === 'object' || found.kind === 'array') ? found.raw : null
        },
      }
    case 'CHECKSUM':
      return { type: int, run: () => 0n }
    default:
      return null
  }
}

function jsonAt(env: Env, json: Compiled | undefined, path: Compiled | undefined) {
  const value = json?.run(env) ?? null
  if (value === null) return null
  return atPath(parseJson(String(value)), path ? String(path.run(env)) : '$')
}

const UNITS: Readonly<Record<string, bigint>> = {
  NANOSECOND: 0n,
  MICROSECOND: 10n,
  MILLISECOND: 10_000n,
  MS: 10_000n,
  SECOND: 10_000_000n,
  SS: 10_000_000n,
  S: 10_000_000n,
  MINUTE: 600_000_000n,
  MI: 600_000_000n,
  N: 600_000_000n,
  HOUR: 36_000_000_000n,
  HH: 36_000_000_000n,
  DAY: 864_000_000_000n,
  DD: 864_000_000_000n,
  D: 864_000_000_000n,
  WEEK: 6_048_000_000_000n,
}

function compileDateFunction(name: string, [part, ...rest]: readonly Expression[], scope: Scope): Compiled {
  const unit = UNITS[part?.kind === 'column' ? (part.path[0] ?? '').toUpperCase() : '']
  const [first, second] = rest.map((arg) => compileExpression(arg, scope))
  if (unit === undefined || !first || !second)
    throw new ServerError(155, `the double has no such part of a date in ${name}`, 15)
  const wide: SqlType = { name: 'datetime2', scale: 7 }
  if (name === 'DATEDIFF')
    return {
      type: int,
      run: (env) => {
        const [one, other] = [castCell(first.run(env), first.type, wide), castCell(second.run(env), second.type, wide)]
        if (one === null || other === null) return null
        const difference = (other as bigint) / unit - (one as bigint) / unit
        if (difference === BigInt.asIntN(32, difference)) return difference
        throw new ServerError(
          535,
          'The datediff function resulted in an overflow. The number of dateparts separating two date/time instances is too large. Try to use datediff with a less precise datepart.',
        )
      },
    }
  const isText = familyOf(second.type) === 'text'
  return {
    type: isText ? { name: 'datetime', scale: 3 } : second.type,
    run: (env) => {
      const count = castCell(first.run(env), first.type, int) as bigint | null
      const value = isText ? castCell(second.run(env), second.type, { name: 'datetime', scale: 3 }) : second.run(env)
      if (count === null || value === null) return null
      if (typeof value === 'bigint') return value + count * unit
      const at = value as Moment
      return toTemporal({ ticks: localOf(at) + count * unit, offset: at.offset }, second.type)
    },
  }
}
