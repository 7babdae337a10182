/** A file of a project that is written. */
export interface ProjectFile {
  readonly name: string
  readonly text: string
}
