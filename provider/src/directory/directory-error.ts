/** Something in a metadata directory that cannot be read. The message names the file and fits one line. */
export class DirectoryError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DirectoryError'
  }
}
