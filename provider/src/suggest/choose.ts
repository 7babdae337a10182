import { DirectoryError } from '../directory/index.ts'
import { type Database, nameOf, type ObjectName } from './database.ts'

/** What of a database is meant. Patterns are names, with or without schema, in which `*` stands for any characters. */
export interface Choice {
  readonly schemas?: readonly string[]
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
}

export const isChoice = ({ schemas, include, exclude }: Choice): boolean =>
  schemas !== undefined || include !== undefined || exclude !== undefined

/** Without schemas and names to include: all but what is excluded. Throws DirectoryError for a name that nothing has. */
export function choose(database: Database, { schemas, include, exclude = [] }: Choice): Database {
  const all = [...database.tables, ...database.functions].map(({ name }) => name)
  for (const pattern of [...(include ?? []), ...exclude])
    if (!all.some((name) => fits(name, pattern)))
      throw new DirectoryError(`the database has no table or function ${pattern}: \`svc metadata suggest\` lists them`)
  for (const schema of schemas ?? [])
    if (!all.some((name) => schemaOf(name) === schema))
      throw new DirectoryError(`the database has no table or function in a schema ${schema}`)
  const isChosen = ({ name }: { readonly name: ObjectName }): boolean =>
    (schemas === undefined || schemas.includes(schemaOf(name))) &&
    (include === undefined || include.some((pattern) => fits(name, pattern))) &&
    !exclude.some((pattern) => fits(name, pattern))
  return { tables: database.tables.filter(isChosen), functions: database.functions.filter(isChosen) }
}

const schemaOf = ({ schema, dataset }: ObjectName): string => String(schema ?? dataset)

function fits(name: ObjectName, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  const expression = new RegExp(`^${parts.join('.*')}$`)
  return expression.test(nameOf(name)) || expression.test(String(name.name))
}
