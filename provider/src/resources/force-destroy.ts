import type { Inputs } from './attributes-of.ts'

/** Of every kind with objects inside: the consent to delete them too. */
export const FORCE_DESTROY = 'force_destroy'

export const forceDestroy: Inputs = {
  [FORCE_DESTROY]: {
    description:
      'Whether a delete also removes the objects in it that no resource deletes. Without it such a delete is refused. Applied before the delete.',
    at: null,
    type: 'boolean',
    optional: true,
  },
}
