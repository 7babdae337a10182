import type { Inputs } from './attributes-of.ts'

/** Of every kind with objects inside: the consent to delete them too. */
export const FORCE_DESTROY = 'force_destroy'

export const forceDestroy: Inputs = {
  [FORCE_DESTROY]: {
    description:
      'Whether what lies in it goes with it when it is deleted, though no resource deletes it. Without it such a delete is refused. Applied before the delete.',
    at: null,
    type: 'boolean',
    optional: true,
  },
}
