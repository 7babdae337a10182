/** A container with so much in it that handling it takes long. */
export interface LongContainer {
  /** It counts too. */
  readonly levels: number
  /** Bytes of its JSON. */
  readonly size: number
  /** No text in it is written with `\u`, so none has a NUL or half a character; and no number keeps digits of its own. */
  readonly isPlain?: boolean
}

/** As the parser of long bodies found them: finding them again would take as long as what is to be avoided. */
const containers = new WeakMap<object, LongContainer>()

/** Characters of a text, or bytes of a container, from where on it is long. */
export const LONG = 32_768

export const markLong = (container: object, found: LongContainer): void => void containers.set(container, found)

/** Whether handling the value may take longer than other requests should wait. */
export const isLongJson = (json: unknown): boolean =>
  typeof json === 'string' ? json.length > LONG : typeof json === 'object' && json !== null && containers.has(json)

/** Returns what is known of a long container; null where the value is not long. */
export const longContainer = (json: object): LongContainer | null => containers.get(json) ?? null
