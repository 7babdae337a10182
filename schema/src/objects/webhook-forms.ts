/**
 * A URL that an environment variable holds can be written in three ways, whatever the object: `{{NAME}}` inside the text,
 * `{"from_env": "NAME"}` as the value, and `NAME` under a key of its own, `webhook_from_env`. Each object keeps one of the
 * last two in its canonical form; these functions read the others.
 */
import { z } from 'zod'
import type { JsonObject } from '../json.ts'
import { isRecord, record, type Schema, text } from '../shape.ts'

export const fromEnvironment: Schema<{ readonly from_env: string }> = record({ from_env: text })

/** An object without the key, and what stood there -> its canonical form. */
type Read = (others: JsonObject, variable: string) => JsonObject

/** The same schema, which also reads a variable's name under `key`. `read` returns the object in its canonical form. */
function readingVariable<T>(schema: Schema<T>, key: string, plain: string, read: Read): Schema<T> {
  return z.preprocess((json, context) => {
    if (!isRecord(json) || json[key] === undefined || json[key] === null) return json
    const { [key]: variable, ...others } = json
    const wrong = (message: string) => {
      context.issues.push({ code: 'custom', message, input: variable, path: [key] })
      return z.NEVER
    }
    if (typeof variable !== 'string') return wrong('expected string')
    if (json[plain] !== undefined) return wrong(`only one of ${plain} or ${key} should be given`)
    return read(others, variable)
  }, schema) as unknown as Schema<T>
}

/** Of cron triggers and one-off events, whose canonical form is `{"webhook": {"from_env": "NAME"}}`. */
export const withWebhookVariable = <T>(schema: Schema<T>): Schema<T> =>
  readingVariable(schema, 'webhook_from_env', 'webhook', (others, variable) => ({
    ...others,
    webhook: { from_env: variable },
  }))

/** Of event triggers, whose canonical form is `{"webhook_from_env": "NAME"}`. */
export const withWebhookObject = <T>(schema: Schema<T>): Schema<T> =>
  z.preprocess((json) => {
    const variable = isRecord(json) ? variableIn(json.webhook) : null
    if (!isRecord(json) || variable === null || (json.webhook_from_env ?? null) !== null) return json
    const { webhook: _, ...others } = json
    return { ...others, webhook_from_env: variable }
  }, schema) as unknown as Schema<T>

/** Of actions, whose handler is a text: `{{NAME}}`. */
export const withHandlerVariable = <T>(schema: Schema<T>): Schema<T> =>
  readingVariable(
    z.preprocess((json) => {
      const variable = isRecord(json) ? variableIn(json.handler) : null
      return isRecord(json) && variable !== null ? { ...json, handler: `{{${variable}}}` } : json
    }, schema) as unknown as Schema<T>,
    'handler_from_env',
    'handler',
    (others, variable) => ({ ...others, handler: `{{${variable}}}` }),
  )

/** The name in `{"from_env": "NAME"}`, null for any other value. */
function variableIn(json: unknown): string | null {
  if (!isRecord(json) || Object.keys(json).join() !== 'from_env') return null
  return typeof json.from_env === 'string' ? json.from_env : null
}
