import { type Json, recordOf } from '@svc/schema'
import type { Rule } from './rule.ts'

const loopback = /^http:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?:[:/?#]|$)/i

/** What is sent to a webhook or a remote schema can be read on its way. */
export const plainHttp: Rule = ({ value }) => {
  const definition = recordOf(value.definition)
  const permission = recordOf(value.permission)
  const validation = recordOf(permission.validate_input)
  const ofValidation = recordOf(validation.definition).url
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
