/** One row of the source's record. */
export interface RecordedVersion {
  readonly version: string
  readonly name: string
  readonly applied: boolean
  /** A statement outside of a transaction may have been done in part. */
  readonly dirty: boolean
  /** The catalogue that it was recorded in; empty: none yet. */
  readonly mirroredIn: string
}

/** What a source has, of its own record and of the state that Hasura's command line stores in the catalogue. */
export interface SourceState {
  readonly applied: ReadonlySet<string>
  readonly dirty: ReadonlySet<string>
  /** By version, of those that the record names. */
  readonly names: ReadonlyMap<string, string>
  /** The other tool applied them: to be recorded. */
  readonly adopted: readonly string[]
  /** Recorded in both, and gone from the catalogue's state: the other tool may have rolled them back. */
  readonly conflicts: readonly string[]
  /** Record and catalogue say the same, and the record says so. */
  readonly isReported: boolean
}

export function stateOf(
  record: readonly RecordedVersion[],
  reported: ReadonlySet<string>,
  catalogue: string,
): SourceState {
  const known = new Set(record.map(({ version }) => version))
  const adopted = [...reported].filter((version) => !known.has(version))
  const applied = record.filter((row) => row.applied).map(({ version }) => version)
  return {
    applied: new Set([...applied, ...adopted]),
    dirty: new Set(record.filter(({ dirty }) => dirty).map(({ version }) => version)),
    names: new Map(record.map(({ version, name }) => [version, name])),
    adopted,
    conflicts: record
      .filter((row) => row.applied && row.mirroredIn === catalogue && !reported.has(row.version))
      .map(({ version }) => version),
    isReported:
      adopted.length === 0 &&
      record.every((row) => row.applied && row.mirroredIn === catalogue && reported.has(row.version)),
  }
}
