import type { DatabaseType } from '../../../ir/index.ts'
import type { Sql as Fragment } from '../../sql.ts'
import { castTo } from '../compile/cast.ts'
import { isType, knownType } from '../types/known-types.ts'

/**
 * A text as it is stored in a column of this type. The server reads most texts as the column's own type, with every digit that
 * the column holds; a cast is needed where it converts nothing by itself.
 */
export function writtenValue<Slot>(text: Fragment<Slot>, type: DatabaseType): Fragment<Slot> {
  const { family } = knownType(type)
  const isConverted =
    family === 'binary' || family === 'spatial' || isType(type, 'money', 'smallmoney', 'hierarchyid', 'sql_variant')
  return isConverted ? castTo(text, { type, list: false }) : text
}
