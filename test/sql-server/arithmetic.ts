/** + - * / % & | ^ with the types and overflows of T-SQL. */
import { castCell, numberOf, rescale } from './cast.ts'
import type { Compiled } from './scope.ts'
import { ServerError } from './server-error.ts'
import { type Cell, commonType, digitsOf, familyOf, float, nvarchar, type SqlType } from './types.ts'

export function compileArithmetic(operator: string, left: Compiled, right: Compiled): Compiled {
  const families = [familyOf(left.type), familyOf(right.type)]
  if (operator === '+' && families.every((family) => family === 'text' || family === 'opaque'))
    return concat(left, right)
  if (operator === '+' && families.every((family) => family === 'binary'))
    return { type: { name: 'varbinary', length: Infinity }, run: (env) => joinBuffers(left.run(env), right.run(env)) }
  const type = commonType(left.type, right.type)
  switch (familyOf(type)) {
    case 'integer':
    case 'bit': {
      const result: SqlType = familyOf(type) === 'bit' ? { name: 'int' } : type
      return compute(left, right, result, result, (one, other) =>
        castCell(integers(operator, one, other), { name: 'bigint' }, result),
      )
    }
    case 'exact':
      return exact(operator, left, right, type)
    case 'approximate':
      return {
        type: float,
        run: (env) => {
          const [one, other] = [castCell(left.run(env), left.type, float), castCell(right.run(env), right.type, float)]
          return one === null || other === null ? null : floats(operator, numberOf(one, float), numberOf(other, float))
        },
      }
    default:
      throw new ServerError(
        402,
        `The data types ${left.type.name} and ${right.type.name} are incompatible in the ${NAMES[operator] ?? operator} operator.`,
      )
  }
}

const NAMES: Readonly<Record<string, string>> = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '%': 'modulo',
}
const divideByZero = () => new ServerError(8134, 'Divide by zero error encountered.')

function compute(
  left: Compiled,
  right: Compiled,
  operands: SqlType,
  type: SqlType,
  run: (one: bigint, other: bigint) => Cell,
): Compiled {
  return {
    type,
    run: (env) => {
      const one = castCell(left.run(env), left.type, operands)
      const other = castCell(right.run(env), right.type, operands)
      return one === null || other === null ? null : run(one as bigint, other as bigint)
    },
  }
}

function concat(left: Compiled, right: Compiled): Compiled {
  const length = Math.max(left.type.length ?? 0, right.type.length ?? 0) === Infinity ? Infinity : 8000
  const isWide = [left, right].some(({ type }) => type.name.startsWith('n'))
  return {
    type: isWide ? nvarchar(length) : { name: 'varchar', length },
    run: (env) => {
      const [one, other] = [left.run(env), right.run(env)]
      return one === null || other === null ? null : `${String(one)}${String(other)}`
    },
  }
}

const joinBuffers = (one: Cell, other: Cell): Cell =>
  Buffer.isBuffer(one) && Buffer.isBuffer(other) ? Buffer.concat([one, other]) : null

function integers(operator: string, one: bigint, other: bigint): bigint {
  switch (operator) {
    case '+':
      return one + other
    case '-':
      return one - other
    case '*':
      return one * other
    case '/':
      if (other === 0n) throw divideByZero()
      return one / other
    case '%':
      if (other === 0n) throw divideByZero()
      return one % other
    case '&':
      return one & other
    case '|':
      return one | other
    default:
      return one ^ other
  }
}

function floats(operator: string, one: number, other: number): number {
  if ((operator === '/' || operator === '%') && other === 0) throw divideByZero()
  const result = { '+': one + other, '-': one - other, '*': one * other, '/': one / other, '%': one % other }[operator]
  if (result === undefined || !Number.isFinite(result))
    throw new ServerError(8115, 'Arithmetic overflow error converting expression to data type float.')
  return result
}

/** Precision and scale of the result as the manual has them, cut to 38 digits. */
function exact(operator: string, left: Compiled, right: Compiled, common: SqlType): Compiled {
  const [one, other] = [digitsBeside(left, right), digitsBeside(right, left)]
  const isMoney = common.name.includes('money')
  const ofSum = {
    scale: Math.max(one.scale, other.scale),
    whole: Math.max(one.precision - one.scale, other.precision - other.scale) + 1,
  }
  const ofProduct = {
    scale: one.scale + other.scale,
    whole: one.precision + other.precision + 1 - one.scale - other.scale,
  }
  const quotientScale = Math.max(6, one.scale + other.precision + 1)
  const ofQuotient = { scale: quotientScale, whole: one.precision - one.scale + other.scale }
  const { scale, whole } = operator === '*' ? ofProduct : operator === '/' ? ofQuotient : ofSum
  // of a sum the digits before the point go first, whatever becomes of those behind it
  const isSum = operator !== '*' && operator !== '/'
  const most = isSum ? Math.max(0, 38 - (whole - 1)) : Math.max(Math.min(scale, 6), 38 - whole)
  const cut = whole + scale > 38 ? Math.min(scale, most) : scale
  const type: SqlType = isMoney ? common : { name: common.name, precision: Math.min(38, whole + cut), scale: cut }
  const target = isMoney ? 4 : cut
  return {
    type,
    run: (env) => {
      const a = castExact(left, left.run(env), one.scale)
      const b = castExact(right, right.run(env), other.scale)
      if (a === null || b === null) return null
      if ((operator === '/' || operator === '%') && b === 0n) throw divideByZero()
      const wide = Math.max(one.scale, other.scale)
      const [x, y] = [rescale(a, one.scale, wide), rescale(b, other.scale, wide)]
      if (operator === '*') return rescale(a * b, one.scale + other.scale, target)
      // a server cuts the digits of a quotient
      if (operator === '/') return (x * 10n ** BigInt(target)) / y
      return rescale(operator === '+' ? x + y : operator === '-' ? x - y : x % y, wide, target)
    },
  }
}

/** A text is read as a number with the digits of the other one. */
const digitsBeside = ({ type }: Compiled, beside: Compiled): ReturnType<typeof digitsOf> =>
  digitsOf(familyOf(type) === 'text' ? beside.type : type)

function castExact({ type }: Compiled, cell: Cell, scale: number): bigint | null {
  const digits: SqlType = { name: 'numeric', precision: 38, scale }
  return castCell(cell, type, digits) as bigint | null
}
