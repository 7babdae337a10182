/** What a call is answered with in place of a result. */
export class Failure extends Error {
  /** `google.rpc.Status` with more than a text; null: the text says it. */
  readonly status: Buffer | null

  constructor(message: string, status: Buffer | null = null) {
    super(message)
    this.status = status
  }
}
