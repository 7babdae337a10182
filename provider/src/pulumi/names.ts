import { onceFor } from '../lazily.ts'
import type { Attribute, Attributes } from '../resources/index.ts'

/** The name of the package, which all tokens begin with. */
export const PACKAGE_NAME = 'svc'

/** `database_url_from_env` -> `databaseUrlFromEnv`. For attributes, also nested ones; never for keys of maps or JSON. */
export const pulumiName = (snake: string): string =>
  snake.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** `databaseUrlFromEnv` -> `database_url_from_env`: of a name that no attribute has any more. */
export const formerName = (camel: string): string =>
  camel.replace(/(?<=[a-z])[A-Z0-9]|[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The attribute that Pulumi's users know by a name; undefined: none. */
export const snakeName = (attributes: Attributes, camel: string): string | undefined => namesOf(attributes).get(camel)

const namesOf = onceFor(
  (attributes: Attributes): ReadonlyMap<string, string> =>
    new Map(Object.keys(attributes).map((snake) => [pulumiName(snake), snake])),
)

/** `SelectPermission` -> `svc:index:SelectPermission` */
export const resourceToken = (kind: string): string => `${PACKAGE_NAME}:index:${kind}`

/** `metadata_changes` -> `svc:index:getMetadataChanges`, `unmanaged_objects` -> `svc:index:getUnmanaged` */
export const functionToken = (data: string): string =>
  `${PACKAGE_NAME}:index:${pulumiName(`get_${data.replace(/_objects$/, '')}`)}`

/** The attributes of a kind as Pulumi has them: its id is no property. */
export const pulumiAttributes = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries<Attribute>(attributes).filter(([name]) => name !== 'id'))
