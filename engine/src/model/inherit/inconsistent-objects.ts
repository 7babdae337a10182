import type { InconsistentObject, PermissionConflict } from '../fault.ts'
import type { Model } from '../model.ts'
import { permissionConflicts } from './permission-conflicts.ts'

/**
 * All that is reported of a model's inconsistencies (reference/metadata-document#inconsistent-objects): objects, then
 * permissions that could not be inherited.
 */
export const inconsistentObjects = (model: Model): readonly (InconsistentObject | PermissionConflict)[] => [
  ...model.inconsistencies.values(),
  ...permissionConflicts(model).values(),
]
