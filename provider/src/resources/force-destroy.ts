import './attribute-meta.ts'
import { z } from 'zod'

/** Of every kind in which others lie: the consent to take them along. */
export const FORCE_DESTROY = 'force_destroy'

export const forceDestroy = {
  [FORCE_DESTROY]: z.boolean().optional().meta({
    description:
      'Whether what lies in it goes with it when it is deleted, though no resource deletes it. Without it such a delete is refused. Applied before the delete.',
    at: null,
  }),
}
