import { isRecord, type JsonObject, recordOf, recordsIn } from '@svc/schema'
import { Command, InvalidArgumentError } from 'commander'
import type { CommandContext, Run } from '../command-context.ts'
import { durationIn } from '../duration.ts'
import { nameOrJson } from '../name-or-json.ts'

interface TokenFlags {
  readonly scope?: readonly JsonObject[]
  readonly expiresIn?: number
  readonly overlap?: number
  readonly json?: boolean
}

/**
 * `svc token …`: access tokens (docs/access-tokens.md), which needs the admin secret. A value is printed once, to
 * stdout with nothing else.
 */
export const tokenCommand = (run: Run): Command =>
  new Command('token')
    .description('make, list, rotate and revoke access tokens; this takes the admin secret')
    .addCommand(createCommand(run))
    .addCommand(listCommand(run))
    .addCommand(rotateCommand(run))
    .addCommand(revokeCommand(run))

function createCommand(run: Run): Command {
  const command = new Command('create')
    .description('make an access token and print its value, which is shown nowhere else')
    .argument('<name>', 'its name, which the change log shows')
    .requiredOption(
      '--scope <scope>',
      'what it allows: plan, or with limits {"allow":"change","sources":["default"]}; may be given several times',
      nameOrJson('allow'),
    )
    .option('--expires-in <time>', 'how long it holds: 12h, 90d (default: until it is revoked)', duration)
    .option('--json', 'print the answer of the engine as JSON')
  return run(command, (context, { scope: scopes = [], expiresIn, json }: TokenFlags, name) =>
    printValue(context, 'create_access_token', { name, scopes, ...expiry(expiresIn) }, json === true),
  )
}

function rotateCommand(run: Run): Command {
  const command = new Command('rotate')
    .description('print a new value of an access token; the one before holds for the overlap')
    .argument('<name>')
    .option(
      '--overlap <time>',
      'how long the value before holds in addition to the new one: 1h (default: not at all)',
      duration,
    )
    .option(
      '--expires-in <time>',
      'how long the new value holds: 12h, 90d (default: as long as the one before did)',
      duration,
    )
    .option('--json', 'print the answer of the engine as JSON')
  return run(command, (context, { overlap = 0, expiresIn, json }: TokenFlags, name) =>
    printValue(context, 'rotate_access_token', { name, overlap, ...expiry(expiresIn) }, json === true),
  )
}

function listCommand(run: Run): Command {
  const command = new Command('list')
    .alias('ls')
    .description('list access tokens, without their values')
    .option('--json', 'print them as JSON')
  return run(command, async ({ client, print }, { json }: TokenFlags) => {
    const { body } = await client().send({ type: 'list_access_tokens', args: {} })
    const tokens = recordsIn(recordOf(body).access_tokens)
    if (json) return print(JSON.stringify(tokens, null, 2))
    for (const token of tokens) print(lineOf(token))
    if (tokens.length === 0) print('no access tokens')
  })
}

function revokeCommand(run: Run): Command {
  const command = new Command('revoke')
    .description('end all values of an access token, at every instance at once')
    .argument('<name>')
  return run(command, async ({ client, note }, _: object, name) => {
    await client().send({ type: 'revoke_access_token', args: { name } })
    note(`${name} is revoked`)
  })
}

async function printValue(
  { client, print, note }: CommandContext,
  type: string,
  args: JsonObject,
  json: boolean,
): Promise<void> {
  const { body } = await client().send({ type, args })
  if (!isRecord(body)) return
  if (json) return print(JSON.stringify(body, null, 2))
  const { name, token, expires_at: until } = body
  note(
    `the value of ${name}, which is shown nowhere else; it holds ${until ? `until ${until}` : 'until it is revoked'}:`,
  )
  print(String(token))
}

const expiry = (seconds: number | undefined): JsonObject => (seconds === undefined ? {} : { expires_in: seconds })

function duration(text: string): number {
  const seconds = durationIn(text)
  if (seconds === null) throw new InvalidArgumentError('expected a time such as 90s, 15m, 12h or 30d')
  return seconds
}

function lineOf({ name, scopes, expires_at, expired, superseded, last_used_at, created_by }: JsonObject): string {
  const holds = expires_at === null ? 'until it is revoked' : `${expired ? 'EXPIRED' : 'until'} ${expires_at}`
  return [
    `${name}${superseded ? ' (its value before)' : ''}`,
    recordsIn(scopes).map(scopeText).join(' and '),
    holds,
    last_used_at === null ? 'never used' : `last used ${last_used_at}`,
    `made by ${created_by}`,
  ].join(', ')
}

function scopeText({ allow, ...limits }: JsonObject): string {
  const shown = Object.entries(limits).map(([limit, names]) => `${limit} ${[names].flat().join(' ')}`)
  return shown.length === 0 ? String(allow) : `${allow} (${shown.join(', ')})`
}
