import { ApiError, Path } from '../../errors.ts'
import type { Dialect } from '../sql.ts'

/** GoogleSQL's. A backslash begins an escape sequence inside backticks too, so that both are refused in names. */
export const bigqueryDialect: Dialect = {
  identifier(name) {
    if (name === '' || /[`\\\p{Cc}]/u.test(name))
      throw new ApiError('not-supported', Path.root, `BigQuery takes no name such as ${JSON.stringify(name)}`)
    return `\`${name}\``
  },
  literal: (text) => JSON.stringify(text),
  placeholder: (position) => `@param${position - 1}`,
}
