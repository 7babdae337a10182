/** A file and a line of it, as they are shown; null where it is not known. */
export interface FilePlace {
  readonly file: string | null
  readonly line: number | null
}

/** `metadata/tables.yaml:12: `, in front of what is wrong there; empty where no file is known. */
export const placeText = ({ file, line }: FilePlace): string =>
  file === null ? '' : `${file}${line === null ? '' : `:${line}`}: `

/** Something in a metadata directory that cannot be read. The message names the file and fits one line. */
export class DirectoryError extends Error {
  /** Where it is, and what is wrong there without the place. Null where only the message says it. */
  readonly found: (FilePlace & { readonly problem: string }) | null

  constructor(message: string, found: DirectoryError['found'] = null) {
    super(message)
    this.name = 'DirectoryError'
    this.found = found
  }
}
