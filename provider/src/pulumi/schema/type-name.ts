/** What an object or a choice is called in typed languages: as it says itself, or after its owner and place. */
export const typeName = ({ name }: { readonly name?: string }, path: string): string => name ?? path

/** `read-committed`, `read_committed` -> `ReadCommitted` */
export const pascalCase = (text: string): string =>
  text.replace(/(?:^|[_-])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
