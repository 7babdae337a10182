const builtIn: ReadonlySet<string> = new Set(['Int', 'Float', 'String', 'Boolean', 'ID'])

/** Whether it has to be a custom type: types of databases are in lower case. */
export const isCustomTypeName = (name: string): boolean => !builtIn.has(name) && name !== name.toLowerCase()
