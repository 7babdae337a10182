import './attribute-meta.ts'
import { z } from 'zod'

/** Names of columns or fields, whose order says nothing. */
export const columnNames = (description: string, at: string) =>
  z.array(z.string().min(1, 'must not be empty')).optional().meta({ description, set: true, at })
