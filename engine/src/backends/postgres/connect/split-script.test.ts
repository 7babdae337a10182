import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitScript } from './split-script.ts'

const cases: readonly (readonly [string, string, readonly string[]])[] = [
  ['statements', 'SELECT 1; SELECT 2;', ['SELECT 1', 'SELECT 2']],
  ['nothing', ' ;; -- none\n ; /* ; */ ', []],
  ['texts', `SELECT 'a;''b'; SELECT e'c\\';d'; SELECT ";"";"`, [`SELECT 'a;''b'`, `SELECT e'c\\';d'`, `SELECT ";"";"`]],
  ['comments', 'SELECT 1 -- ; a\n; /* ; /* ; */ ; */ SELECT 2', ['SELECT 1 -- ; a', '/* ; /* ; */ ; */ SELECT 2']],
  ['dollar quotes', 'DO $$ a; $x$ b; $$; SELECT $x$;$$;$x$, $1', ['DO $$ a; $x$ b; $$', 'SELECT $x$;$$;$x$, $1']],
  [
    'rules',
    'CREATE RULE r AS ON INSERT TO t DO (a; b); SELECT 1',
    ['CREATE RULE r AS ON INSERT TO t DO (a; b)', 'SELECT 1'],
  ],
  [
    'bodies of routines',
    'create or replace function f() returns int begin atomic select case when true then 1 end; select 2; end; BEGIN; COMMIT',
    [
      'create or replace function f() returns int begin atomic select case when true then 1 end; select 2; end',
      'BEGIN',
      'COMMIT',
    ],
  ],
  ['what is never closed but is a comment', 'SELECT 1; /* /* ; */ ; SELECT 2', ['SELECT 1']],
  ['what is never closed', `SELECT 1; SELECT 'a; b`, ['SELECT 1', `SELECT 'a; b`]],
]

for (const [what, script, statements] of cases)
  test(`a script is split around ${what}`, () => assert.deepEqual(splitScript(script), statements))
