/** The provider's catalogue and printers, as pages use them: forms, operations and code all derive from these. */

export {
  type AdoptedResource,
  adoptDocument,
  pulumiFiles,
  terraformFiles,
} from '../../../provider/src/adopt/index.ts'
export { addressOfKey } from '../../../provider/src/client/index.ts'
export {
  type DriftedObject,
  driftFromDirectory,
  fillDefaults,
  findObject,
  targetsOf,
  variantIn,
  walkObjects,
  wholeOf,
} from '../../../provider/src/core/index.ts'
export { filesWithoutSchemas, type ReadDirectory, readMetadataFrom } from '../../../provider/src/directory/index.ts'
export {
  type Attribute,
  type Attributes,
  type AttributeType,
  addressOf,
  catalogue,
  declaredValue,
  InvalidValue,
  identityOf,
  isValues,
  kindNamed,
  kindOfType,
  type Operation,
  type Path,
  placeOf,
  type ResourceKind,
  rankOf,
  type Value,
  type Values,
  valuesOf,
} from '../../../provider/src/resources/index.ts'
export { driftFromState, readToolState } from '../../../provider/src/states/index.ts'
export { mount } from '../../standins/files.ts'
