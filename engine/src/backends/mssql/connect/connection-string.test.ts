import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { UnresolvedConfiguration } from '../../source-configuration.ts'
import { parseConnectionString } from './connection-string.ts'

const login = 'Uid=app;Pwd=secret'
const parse = (text: string) => parseConnectionString(`${text};${login}`)

suite('connection strings', () => {
  test('have every part read', () => {
    assert.deepEqual(
      parseConnectionString(
        'Driver={ODBC Driver 18 for SQL Server};Server=tcp:db.example,1444;Database=shop;Uid=app;Pwd={a;b}}c};' +
          'Encrypt=strict;TrustServerCertificate=yes;Connection Timeout=7;MultiSubnetFailover=Yes;' +
          'ApplicationIntent=ReadOnly;HostNameInCertificate=*.example;APP={my app}',
      ),
      {
        server: 'db.example',
        port: 1444,
        instance: null,
        database: 'shop',
        user: 'app',
        password: 'a;b}c',
        encrypt: 'strict',
        trustServerCertificate: true,
        certificateName: '*.example',
        connectTimeout: 7,
        multiSubnetFailover: true,
        readOnly: true,
        application: 'my app',
      },
    )
  })

  for (const [text, expected] of [
    ['Server=db', { server: 'db', port: null, instance: null }],
    ['Server=db\\SALES', { server: 'db', port: null, instance: 'SALES' }],
    ['Server=db\\MSSQLSERVER', { server: 'db', port: null, instance: null }],
    ['Server=db\\SALES,1444', { server: 'db', port: 1444, instance: null }],
    ['Server=tcp:db,1433', { server: 'db', port: 1433, instance: null }],
    ['Server=[::1],1433', { server: '::1', port: 1433, instance: null }],
    ['Server=(local)', { server: 'localhost', port: null, instance: null }],
    ['server = . ', { server: 'localhost', port: null, instance: null }],
    ['Data Source=db', { server: 'db', port: null, instance: null }],
    ['Server=first;Server=second', { server: 'first', port: null, instance: null }],
  ] as const)
    test(`name a server: ${text}`, () => {
      const { server, port, instance } = parse(text)
      assert.deepEqual({ server, port, instance }, expected)
    })

  for (const [text, expected] of [
    ['', true],
    ['Encrypt=yes', true],
    ['Encrypt=Mandatory', true],
    ['Encrypt=true', true],
    ['Encrypt=no', false],
    ['Encrypt=Optional', false],
    ['Encrypt=false', false],
    ['Encrypt=Strict', 'strict'],
  ] as const)
    test(`say how to encrypt: ${text}`, () => {
      assert.equal(parse(`Server=db;${text}`).encrypt, expected)
    })

  test('keep spaces in braces and drop them around values', () => {
    const { user, password } = parseConnectionString('Server=db; Uid = app ;Pwd={ p;=} ;')
    assert.deepEqual({ user, password }, { user: 'app', password: ' p;=' })
  })

  for (const [text, reason] of [
    [login, 'Server is missing'],
    ['Server=db;Pwd=secret', 'Uid is missing: a login of SQL Server with a password is needed'],
    [`Server=np:db;${login}`, 'Server names the protocol np: only tcp is known'],
    [`Server=tcp:,1433;${login}`, 'Server names no host'],
    [`Server=db,0;${login}`, 'the port in Server is no number from 1 to 65535'],
    [`Server=db,14x;${login}`, 'the port in Server is no number from 1 to 65535'],
    [`Server=db\\;${login}`, 'Server has a \\ without an instance'],
    [`Server=db;Encrypt=maybe;${login}`, 'Encrypt is none of yes, mandatory, no, optional and strict'],
    [`Server=db;TrustServerCertificate=1;${login}`, 'TrustServerCertificate is neither yes nor no'],
    [`Server=db;MultiSubnetFailover=on;${login}`, 'MultiSubnetFailover is neither yes nor no'],
    [`Server=db;ApplicationIntent=Read;${login}`, 'ApplicationIntent is neither ReadOnly nor ReadWrite'],
    [`Server=db;Connection Timeout=soon;${login}`, 'Connection Timeout is no number of seconds'],
    ['Server=db;Uid=app;Pwd={secret', 'the { of Pwd is not closed'],
    ['Server=db;Uid=app;Pwd={secret}x', 'something stands between the } of Pwd and the next ;'],
    ['Server=db;Uid=app;Pwd;', 'a part of it is no keyword=value'],
    ['Server=db;=app', 'a value has no keyword before its ='],
    [
      `Server=db;Trusted_Connection=yes;${login}`,
      'Trusted_Connection is not supported: a login of SQL Server (Uid, Pwd) is needed',
    ],
    [`Server=db;Authentication=ActiveDirectoryMsi;${login}`, 'Authentication is not supported but for SqlPassword'],
    [`DSN=shop;${login}`, 'DSN is not supported: there is no driver manager'],
  ] as const)
    test(`are refused: ${reason}`, () => {
      assert.throws(
        () => parseConnectionString(text),
        (error) =>
          error instanceof UnresolvedConfiguration &&
          error.message === `the connection string is not valid: ${reason}` &&
          !error.message.includes('secret'),
      )
    })
})
