import { readFile } from 'node:fs/promises'
import type { Json } from '@svc/schema'
import { z } from 'zod'
import { DirectoryError, filesIn, parseYaml, shown } from '../directory/index.ts'

const json = z.custom<Json>((value) => value !== undefined)

const variables = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String))

/** Whom an operation is sent as. */
const who = {
  role: z.string().optional(),
  session: variables.optional(),
  backend_only: z.boolean().optional(),
}

const step = {
  ...who,
  query: z.string().optional(),
  operation: z.string().optional(),
  variables: z.record(z.string(), json).optional(),
  data: json.optional(),
  types: z
    .record(z.string().regex(/^[_A-Za-z]\w*$/, 'is no name of a type'), z.array(z.string()).nullable())
    .optional(),
  error: z
    .union([z.string(), z.strictObject({ code: z.string(), message: z.string(), path: z.string() }).partial()])
    .optional(),
}

const fixtures = z.union([z.string().transform((sql) => ({ default: sql })), z.record(z.string(), z.string())])

const testFile = z.strictObject({
  ...who,
  fixtures: fixtures.optional(),
  tests: z.array(
    z.strictObject({
      name: z.string(),
      ...step,
      fixtures: fixtures.optional(),
      next: z.array(z.strictObject(step)).optional(),
    }),
  ),
})

/** One operation, whom it is sent as, and what it is answered with. */
export interface Step {
  readonly role: string
  readonly session: Readonly<Record<string, string>>
  readonly backendOnly: boolean
  readonly body: {
    readonly query: string
    readonly operationName: string | null
    readonly variables: { readonly [name: string]: Json }
  }
  readonly expected: Expected
}

type Expected =
  | { readonly kind: 'data'; readonly data: Json }
  | { readonly kind: 'error'; readonly error: ExpectedError }
  /** Fields of types in the role's schema, sorted; null where there is no such type. */
  | { readonly kind: 'types'; readonly types: { readonly [type: string]: readonly string[] | null } }

/** A text is the code of the error, or part of its message. */
export type ExpectedError = string | { readonly [K in 'code' | 'message' | 'path']?: string | undefined }

export interface PermissionTest {
  readonly name: string
  /** SQL that runs first, by source. */
  readonly fixtures: readonly { readonly source: string; readonly sql: string }[]
  /** At least one; they see what those before them have written. */
  readonly steps: readonly Step[]
}

export interface TestFile {
  /** As it is shown. */
  readonly file: string
  readonly tests: readonly PermissionTest[]
}

/** The tests of a folder, sorted by file. Throws DirectoryError. */
export async function readTests(folder: string): Promise<readonly TestFile[]> {
  const files: TestFile[] = []
  for (const path of testFilesIn(folder)) files.push(readTestFile(shown(path), await readFile(path, 'utf8')))
  return files
}

function testFilesIn(folder: string): readonly string[] {
  try {
    return filesIn(folder, /\.ya?ml$/)
  } catch {
    return [] // there is no such folder
  }
}

/** Throws DirectoryError. */
function readTestFile(file: string, text: string): TestFile {
  const read = testFile.safeParse(parseYaml(text, file))
  if (!read.success) {
    const [issue] = read.error.issues
    throw new DirectoryError(`${file}: ${issue?.path.join('.') || 'the file'}: ${issue?.message}`)
  }
  const { tests, fixtures: shared, ...own } = read.data
  const names = new Set<string>()
  for (const { name } of tests) {
    if (names.has(name)) throw new DirectoryError(`${file}: two tests are called "${name}"`)
    names.add(name)
  }
  return {
    file,
    tests: tests.map((test) => {
      const first = stepOf(test, own, `${file}: ${test.name}`)
      // what follows is sent by the same, unless it says otherwise
      const same = { role: first.role, session: first.session, backend_only: first.backendOnly }
      return {
        name: test.name,
        fixtures: [shared, test.fixtures].flatMap((given) =>
          Object.entries(given ?? {}).map(([source, sql]) => ({ source, sql })),
        ),
        steps: [first, ...(test.next ?? []).map((next, at) => stepOf(next, same, `${file}: ${test.name}: next.${at}`))],
      }
    }),
  }
}

type Who = { readonly [K in keyof typeof who]?: z.infer<(typeof who)[K]> }
type GivenStep = z.infer<z.ZodObject<typeof step>>

function stepOf(given: GivenStep, from: Who, place: string): Step {
  const { operation = null, variables = {}, types } = given
  const role = given.role ?? from.role
  if (role === undefined) throw new DirectoryError(`${place}: as which role? Say it there, or at the top of the file`)
  const query = given.query ?? (types && typesQuery(Object.keys(types)))
  if (query === undefined) throw new DirectoryError(`${place}: there is no query`)
  return {
    role,
    // another role has variables of its own
    session: given.session ?? (role === from.role ? from.session : undefined) ?? {},
    backendOnly: given.backend_only ?? from.backend_only ?? false,
    body: { query, operationName: operation, variables },
    expected: expectedOf(given, place),
  }
}

function expectedOf({ query, data, error, types }: GivenStep, place: string): Expected {
  if ([data, error, types].filter((one) => one !== undefined).length !== 1 || (query !== undefined && types))
    throw new DirectoryError(`${place}: give a query with its data or its error, or types with their fields`)
  if (error !== undefined) return { kind: 'error', error }
  if (!types) return { kind: 'data', data: data ?? null }
  const sorted = Object.entries(types).map(([type, fields]) => [type, fields?.toSorted() ?? null] as const)
  return { kind: 'types', types: Object.fromEntries(sorted) }
}

const typesQuery = (types: readonly string[]): string =>
  `{ ${types.map((type) => `${type}: __type(name: "${type}") { fields { name } inputFields { name } }`).join(' ')} }`
