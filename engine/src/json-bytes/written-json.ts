/** JSON that is written already, in pieces; to write it as a part of something else, use `value`. */
export class WrittenJson {
  readonly pieces: readonly Buffer[]
  readonly toJSON: () => unknown

  constructor(pieces: readonly Buffer[], value: () => unknown) {
    this.pieces = pieces
    this.toJSON = value
  }
}
