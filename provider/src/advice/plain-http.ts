import { isRecord, type Json } from '@svc/schema'
import type { Rule } from './rule.ts'

const loopback = /^http:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?:[:/?#]|$)/i

/** What is sent to a webhook or a remote schema can be read on its way. */
export const plainHttp: Rule = ({ value }) => {
  const definition = isRecord(value.definition) ? value.definition : {}
  const permission = isRecord(value.permission) ? value.permission : {}
  const validation = isRecord(permission.validate_input) ? permission.validate_input : {}
  const ofValidation = isRecord(validation.definition) ? validation.definition.url : undefined
  const urls: readonly (Json | undefined)[] = [definition.handler, value.webhook, definition.url, ofValidation]
  return urls
    .filter((url) => typeof url === 'string')
    .filter((url) => /^http:\/\//i.test(url) && !loopback.test(url))
    .map(() => ({
      message:
        'its address is of plain http: what is sent there, headers with secrets among it, can be read on its way',
      remedy: 'give an address of https',
    }))
}
