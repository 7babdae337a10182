import type { QueryText } from '../../../ir/index.ts'
import { join, sql, verbatim } from '../../sql.ts'
import { compileValue } from './cast.ts'
import type { Sql } from './scope.ts'

/** Returns a native query as it is after FROM. The end of a line ends a comment that its SQL may end in. */
export function compileQueryText({ parts }: QueryText): Sql {
  const compiled = withoutEnd(parts).map((part) => (typeof part === 'string' ? verbatim(part) : compileValue(part)))
  return sql`(${join(compiled, sql``)}\n)`
}

/** A semicolon may end a statement, and no subquery. */
function withoutEnd(parts: QueryText['parts']): QueryText['parts'] {
  const last = parts.at(-1)
  return typeof last === 'string' ? [...parts.slice(0, -1), last.replace(/[\s;]+$/, '')] : parts
}
