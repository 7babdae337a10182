import { type Config, changing, type Json, type Makers, nest, type VariantPlaces } from './variant.ts'

export function sourceVariants({ databaseUrl, urlFiles, urlVariables, users, otherPort }: VariantPlaces): Makers {
  const url = new URL(databaseUrl)
  const withUrl = (name: string): Config => ({ name, database_url: databaseUrl })
  const named = (name: string): Config => ({ name })
  const parameters = {
    username: users.same[0],
    password: users.password,
    host: url.hostname,
    port: Number(url.port),
    database: url.pathname.slice(1),
  }
  const field = (attribute: string, from: Json, to: Json) => {
    const [head = '', ...inner] = attribute.split('.')
    return { [attribute]: changing(withUrl, { [head]: nest(inner, from) }, { [head]: nest(inner, to) }) }
  }
  const parameter = (name: string, value: Json) => ({
    [`connection_parameters.${name}`]: changing(
      named,
      { connection_parameters: parameters },
      { connection_parameters: { ...parameters, [name]: value } },
    ),
  })
  const pool = (name: string) => field(`pool_settings.${name}`, 2, 3)
  const check = { interval: 60 }
  const checked = (name: string, from: Json, to: Json) => ({
    [`health_check.${name}`]: changing(
      withUrl,
      { health_check: { ...check, ...(nest(name.split('.'), from) as Config) } },
      { health_check: { ...check, ...(nest(name.split('.'), to) as Config) } },
    ),
  })
  const ssl = (name: string) => ({
    [`ssl_configuration.${name}.from_env`]: changing(
      withUrl,
      { ssl_configuration: { sslmode: 'disable' } },
      { ssl_configuration: { sslmode: 'disable', [name]: { from_env: 'SVC_TEST_EMPTY' } } },
    ),
  })
  const member = (name: string) => ({ name, connection_info: { database_url: databaseUrl } })
  /** Attributes of a further connection; `put` makes a configuration of one. */
  const connections = (path: string, put: (connection: Config) => Config): Makers => {
    const pair = (attribute: string, from: Config, to: Config): Makers => ({
      [`${path}.${attribute}`]: changing(withUrl, put(from), put(to)),
    })
    const own: Config = { database_url: databaseUrl }
    const inner = (attribute: string, from: Json, to: Json) => {
      const [head = '', ...rest] = attribute.split('.')
      return pair(attribute, { ...own, [head]: nest(rest, from) }, { ...own, [head]: nest(rest, to) })
    }
    const part = (name: string, value: Json) =>
      pair(
        `connection_parameters.${name}`,
        { connection_parameters: parameters },
        { connection_parameters: { ...parameters, [name]: value } },
      )
    const certificate = (name: string) =>
      pair(
        `ssl_configuration.${name}.from_env`,
        { ...own, ssl_configuration: { sslmode: 'disable' } },
        { ...own, ssl_configuration: { sslmode: 'disable', [name]: { from_env: 'SVC_TEST_EMPTY' } } },
      )
    const pools = ['max_connections', 'total_max_connections', 'idle_timeout', 'retries', 'pool_timeout']
    return Object.assign(
      {},
      pair('database_url', own, { database_url: `${databaseUrl}?application_name=b` }),
      pair(
        'database_url_from_env',
        { database_url_from_env: urlVariables[0] },
        { database_url_from_env: urlVariables[1] },
      ),
      pair('database_url_from_file', { database_url_from_file: urlFiles[0] }, { database_url_from_file: urlFiles[1] }),
      part('username', users.same[1]),
      part('password', users.password.toUpperCase()),
      part('host', 'localhost'),
      part('port', otherPort),
      part('database', 'postgres'),
      inner('isolation_level', 'read-committed', 'serializable'),
      ...[...pools, 'connection_lifetime'].map((name) => inner(`pool_settings.${name}`, 2, 3)),
      inner('ssl_configuration.sslmode', 'disable', 'allow'),
      ...['sslrootcert', 'sslcert', 'sslkey', 'sslpassword'].map(certificate),
      inner('use_prepared_statements', false, true),
    )
  }
  return {
    name: (slot) => [withUrl(slot), withUrl(`${slot}_2`)],
    database_url: changing(named, { database_url: databaseUrl }, { database_url: `${databaseUrl}?application_name=b` }),
    database_url_from_env: changing(
      named,
      { database_url_from_env: urlVariables[0] },
      { database_url_from_env: urlVariables[1] },
    ),
    database_url_from_file: changing(
      named,
      { database_url_from_file: urlFiles[0] },
      { database_url_from_file: urlFiles[1] },
    ),
    ...parameter('username', users.same[1]),
    'connection_parameters.password': changing(
      named,
      { connection_parameters: { ...parameters, username: users.other } },
      { connection_parameters: { ...parameters, username: users.other, password: `${users.password}_changed` } },
    ),
    ...parameter('host', 'localhost'),
    ...parameter('port', otherPort),
    ...parameter('database', 'postgres'),
    database_url_wo: changing(
      named,
      { database_url_wo: databaseUrl, database_url_wo_version: 1 },
      { database_url_wo: `${databaseUrl}?application_name=c`, database_url_wo_version: 2 },
    ),
    database_url_wo_version: changing(
      named,
      { database_url_wo: databaseUrl, database_url_wo_version: 1 },
      { database_url_wo: `${databaseUrl}?application_name=d`, database_url_wo_version: 3 },
    ),
    ...field('isolation_level', 'read-committed', 'serializable'),
    ...pool('max_connections'),
    ...pool('total_max_connections'),
    ...pool('idle_timeout'),
    ...pool('retries'),
    ...pool('pool_timeout'),
    ...pool('connection_lifetime'),
    ...field('ssl_configuration.sslmode', 'disable', 'allow'),
    ...ssl('sslrootcert'),
    ...ssl('sslcert'),
    ...ssl('sslkey'),
    ...ssl('sslpassword'),
    ...field('use_prepared_statements', false, true),
    ...connections('read_replicas.*', (connection) => ({ read_replicas: [connection] })),
    ...field('extensions_schema', 'public', 'extensions'),
    'connection_template.version': changing(
      withUrl,
      { connection_template: { template: '{{ $.default }}' } },
      { connection_template: null },
    ),
    ...field('connection_template.template', '{{ $.default }}', '{{ $.primary }}'),
    'connection_set.*.name': changing(withUrl, { connection_set: [member('a')] }, { connection_set: [member('b')] }),
    ...connections('connection_set.*.connection_info', (connection_info) => ({
      connection_set: [{ name: 'a', connection_info }],
    })),
    ...field('customization.root_fields.namespace', 'a', 'b'),
    ...field('customization.root_fields.prefix', 'a_', 'b_'),
    ...field('customization.root_fields.suffix', '_a', '_b'),
    ...field('customization.type_names.prefix', 'a_', 'b_'),
    ...field('customization.type_names.suffix', '_a', '_b'),
    ...field('customization.naming_convention', 'svc-default', 'graphql-default'),
    ...checked('test.sql', 'SELECT 1', 'SELECT 2'),
    ...checked('interval', 60, 90),
    ...checked('retries', 3, 4),
    ...checked('retry_interval', 10, 11),
    ...checked('timeout', 10, 12),
  }
}
