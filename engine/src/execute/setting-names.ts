/** Names of settings that a transaction keeps rows in: one for each thing kept, the same ones in every transaction. */
export class SettingNames {
  #count = 0

  next(): string {
    return `svc.kept_${this.#count++}`
  }
}
