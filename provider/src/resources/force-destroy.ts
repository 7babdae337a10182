import type { Inputs } from './attributes-of.ts'

/** Of every kind in which others lie: the consent to take them along. */
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
