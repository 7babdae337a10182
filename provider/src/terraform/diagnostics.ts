import type { Diagnostic } from '../core/index.ts'
import type { Attributes } from '../resources/index.ts'
import { pathText, sentPath } from './attribute-path.ts'
import type { DiagnosticMessage } from './protocol/provider-messages.ts'

/** Terraform finds the line of a top-level attribute and of one index in it, and of nothing below. */
const FOUND_STEPS = 2

/** A diagnostic that points at the line Terraform can find; deeper paths are reported in the summary. */
export function toMessage(attributes: Attributes, { severity, summary, detail, path }: Diagnostic): DiagnosticMessage {
  const { steps, whole } = sentPath(attributes, path)
  const isIndexed = steps[1]?.elementKeyInt !== undefined || steps[1]?.elementKeyString !== undefined
  const found = steps.slice(0, isIndexed ? FOUND_STEPS : 1)
  const full = pathText(path)
  const isReported = (whole && found.length === steps.length) || summary.includes(full)
  return {
    severity,
    summary: isReported ? summary : `${full}: ${summary}`,
    detail,
    ...(found.length > 0 && { attribute: { steps: found } }),
  }
}

/** A failure of our own: reported without a stack, which goes to the log. */
export function failureMessage(doing: string, error: unknown): DiagnosticMessage {
  return {
    severity: 'error',
    summary: `The provider failed while it ${doing}`,
    detail: `${error instanceof Error ? error.message : String(error)}\n\nThis is a mistake in the provider; TF_LOG=WARN shows where.`,
  }
}
