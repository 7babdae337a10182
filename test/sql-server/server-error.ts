/** An error of SQL Server as its clients see it. */
export class ServerError extends Error {
  readonly number: number
  readonly severity: number
  readonly state: number
  constructor(number: number, message: string, severity = 16, state = 1) {
    super(message)
    this.number = number
    this.severity = severity
    this.state = state
  }

  /** The transaction of the session is rolled back, and the rest of the batch is not run. */
  get rollsBack(): boolean {
    return [1205, 241, 242, 245, 8114, 3960, 13609].includes(this.number)
  }

  /** The rest of the batch runs: XACT_ABORT is OFF unless it is set. */
  get endsStatementOnly(): boolean {
    return [547, 2627, 2601, 515, 8152, 2628, 220, 8115, 8134, 512, 544, 3621].includes(this.number)
  }
}
