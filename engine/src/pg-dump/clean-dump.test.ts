import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../errors.ts'
import { cleanDump, parseDumpRequest } from './index.ts'

test('a cleaned dump has neither settings nor comments, and keeps what stands inside of texts', () => {
  const dump = String.raw`--
-- PostgreSQL database dump
--

\restrict abc
SET row_security = off;
CREATE SCHEMA public;

CREATE FUNCTION public.f() RETURNS text
    AS $x$
-- kept

$x$;
CREATE TRIGGER "notify_svc_t_INSERT" AFTER INSERT ON public.a FOR EACH ROW EXECUTE FUNCTION svc_catalog."notify_svc_t_INSERT"();
CREATE TRIGGER own AFTER INSERT ON public.a FOR EACH ROW EXECUTE FUNCTION public.f();
INSERT INTO a VALUES ('it''s

-- kept too');
COPY public.a (t) FROM stdin;

-- a row
\.

ALTER TABLE a;
`
  assert.equal(
    cleanDump(dump),
    String.raw`CREATE FUNCTION public.f() RETURNS text
    AS $x$
-- kept

$x$;
CREATE TRIGGER own AFTER INSERT ON public.a FOR EACH ROW EXECUTE FUNCTION public.f();
INSERT INTO a VALUES ('it''s

-- kept too');
COPY public.a (t) FROM stdin;

-- a row
\.
ALTER TABLE a;`,
  )
})

test('options that write to a file or reach another database are refused', () => {
  const refused = (opts: unknown): string => {
    try {
      parseDumpRequest({ opts })
    } catch (error) {
      assert.ok(error instanceof ApiError)
      return `${error.code} ${error.path}`
    }
    return 'accepted'
  }
  for (const option of [
    '-f/tmp/x',
    '-f',
    '-sf/tmp/x',
    '--file=/tmp/x',
    '--fil=/x',
    '-d',
    '--dbname=x',
    '-hx',
    '--port',
    '-U',
  ])
    assert.equal(refused(['-s', option]), 'bad-request $.opts[1]', option)
  for (const option of [
    '-O',
    '-x',
    '--schema',
    'public',
    '-tf',
    '--data-only',
    '-Fc',
    '-nd',
    '--exclude-schema=svc_catalog',
  ])
    assert.equal(refused([option]), 'accepted', option)
  assert.equal(refused(undefined), 'parse-failed $')
  assert.equal(refused('-s'), 'parse-failed $.opts')
  assert.equal(refused([1]), 'parse-failed $.opts[0]')
})
