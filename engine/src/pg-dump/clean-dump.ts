/** Lines of a dump that say nothing of the database's own objects (reference/http#pg_dump). */
const preamble = new Set([
  'SET statement_timeout = 0;',
  'SET lock_timeout = 0;',
  'SET idle_in_transaction_session_timeout = 0;',
  'SET transaction_timeout = 0;',
  "SET client_encoding = 'UTF8';",
  'SET standard_conforming_strings = on;',
  "SELECT pg_catalog.set_config('search_path', '', false);",
  'SET check_function_bodies = false;',
  'SET xmloption = content;',
  'SET client_min_messages = warning;',
  'SET row_security = off;',
  "SET default_tablespace = '';",
  'SET default_with_oids = false;',
  'SET default_table_access_method = heap;',
  'CREATE SCHEMA public;',
  "COMMENT ON SCHEMA public IS 'standard public schema';",
])

/**
 * A dump without blank lines, comments, settings, the schema public and the triggers of event triggers. What is inside
 * of texts, bodies of functions and rows of COPY remains.
 */
export function cleanDump(dump: string): string {
  const kept: string[] = []
  let inside: Inside = null
  for (const line of dump.split('\n')) {
    if (inside === null && isNoise(line)) continue
    kept.push(line)
    inside = after(line, inside)
  }
  return kept.join('\n')
}

/** The text that ends what a line is inside of: a quote, a dollar quote, rows of COPY; null outside. */
type Inside = string | null

const endOfCopy = '\\.'

function isNoise(line: string): boolean {
  return (
    line === '' ||
    line.startsWith('--') ||
    /^\\(un)?restrict /.test(line) ||
    preamble.has(line) ||
    /^CREATE TRIGGER .* EXECUTE (FUNCTION|PROCEDURE) svc_catalog\./.test(line)
  )
}

function after(line: string, before: Inside): Inside {
  if (before === endOfCopy) return line === endOfCopy ? null : before
  let inside = before
  for (let at = 0; at < line.length; ) {
    if (inside !== null) {
      const end = line.indexOf(inside, at)
      if (end < 0) return inside
      at = end + inside.length
      inside = null
      continue
    }
    OPENING.lastIndex = at
    const opening = OPENING.exec(line)
    if (!opening || opening[0] === '--') break
    inside = opening[0]
    at = opening.index + opening[0].length
  }
  if (inside === null && /^COPY .* FROM stdin;$/.test(line)) return endOfCopy
  return inside
}

const OPENING = /'|"|\$(?:[A-Za-z_\x80-\uffff][\w\x80-\uffff]*)?\$|--/g
