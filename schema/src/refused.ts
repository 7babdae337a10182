type Path = readonly (string | number)[]

/** Metadata that cannot be read: thrown where the path is known, answered as an issue. */
export class Refused extends Error {
  readonly path: Path
  readonly unknown: readonly string[]
  constructor(path: Path, message: string, unknown: readonly string[] = []) {
    super(message)
    this.path = path
    this.unknown = unknown
  }
}
