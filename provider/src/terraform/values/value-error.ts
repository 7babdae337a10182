import type { Path } from '../../resources/index.ts'

/** A value that the schema allows but that nothing here can hold. */
export class ValueError extends Error {
  readonly path: Path

  constructor(path: Path, message: string) {
    super(message)
    this.name = 'ValueError'
    this.path = path
  }
}
