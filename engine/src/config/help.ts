import { envPrefix, type Setting } from './setting.ts'
import { settingKeys, settings } from './settings.ts'

/** `--help`: the commands and the table of settings. */
export function helpText(): string {
  const rows = settingKeys.map((key) => settings[key])
  return [
    'svc-engine [DATABASE FLAGS] [COMMAND] [FLAGS]',
    '',
    'Commands:',
    '  serve    answer requests (when no command is given)',
    '  export   print the metadata as JSON',
    '  clean    remove the metadata from its database: DROP SCHEMA svc_catalog CASCADE',
    '  downgrade --to-catalog-version N | --to-vX.Y.Z [--dryRun]',
    '           make the catalogue one of an older version, or print the SQL that would',
    '  adopt-catalogue --eventing-identity NAME',
    '           make the events of a restored copy those of this name, which sends them from now on',
    '  version  print the version',
    '',
    'A flag wins over its environment variable. Switches take true or false, and alone mean true.',
    '',
    'Database flags:',
    ...rows.filter(({ place }) => place === 'database').map(helpRow),
    '',
    'Flags of serve:',
    ...rows.filter(({ place, served }) => place === 'serve' && served).map(helpRow),
    '',
    'Refused but for their defaults:',
    ...rows.filter(({ served }) => !served).map(helpRow),
    '',
  ].join('\n')
}

function helpRow(row: Setting<unknown>): string {
  const flag = `--${row.flag}${row.short === null ? '' : `, -${row.short}`}${row.kind === 'value' ? ` ${row.placeholder}` : ''}`
  const env = row.env === null ? '' : `\n      ${envPrefix}${row.env}`
  const fallback = row.shownDefault === '' ? '' : ` [${row.shownDefault}]`
  return `  ${flag}${env}\n      ${row.help}${fallback}`
}

/** The content of docs/configuration.md; a test compares the file with it. */
export function configurationDocument(): string {
  const rows = settingKeys.map((key) => settings[key])
  const table = (chosen: readonly Setting<unknown>[]) => [
    '| Flag | Environment | Default | |',
    '|---|---|---|---|',
    ...chosen.map((row) => `| ${cells(row).join(' | ')} |`),
  ]
  return [
    '# Configuration',
    '',
    'Made from the table in `engine/src/config/`, like `svc-engine --help`. A flag wins over its environment variable,',
    'that over the default. Environment booleans are true, t, yes, y, false, f, no, n in any case. An empty variable',
    'counts as not set, except for lists (where it is the empty list) and the admin secret (where it is refused).',
    '',
    '## Database',
    '',
    ...table(rows.filter(({ place }) => place === 'database')),
    '',
    '## Serving',
    '',
    ...table(rows.filter(({ place, served }) => place === 'serve' && served)),
    '',
    '## Refused but for their defaults',
    '',
    'Flags of the reference engine that have nothing to do here. Another value ends the start with the reason.',
    '',
    ...table(rows.filter(({ served }) => !served)),
    '',
  ].join('\n')
}

function cells(row: Setting<unknown>): readonly string[] {
  const cell = (text: string) => text.replaceAll('|', '\\|')
  return [
    `\`--${row.flag}\`${row.short === null ? '' : `, \`-${row.short}\``}`,
    row.env === null ? '' : `\`${envPrefix}${row.env}\``,
    row.shownDefault === '' ? '' : `\`${cell(row.shownDefault)}\``,
    cell(row.help),
  ]
}
