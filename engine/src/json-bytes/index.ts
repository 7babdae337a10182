/**
 * json-bytes: JSON that passes as it came. It is checked and its parts are found, but no values are made of it, so what
 * is passed on takes no more memory than its bytes. Imports nothing.
 */
export { checkJson } from './check-json.ts'
export {
  type Expected,
  expectedList,
  expectedObject,
  expectedScalar,
  expectedWord,
  nonNullExpected,
  type ScalarKind,
} from './expected.ts'
export { isNull, keyOf, members, numberedMembers, onlyMembers, type Range, readMembers } from './members.ts'
export { placeIn } from './place-in.ts'
export { type Reading, readExpected, restart, startReading } from './read-expected.ts'
export { skipSpace, skipString, skipValue, wrongJson } from './skip-value.ts'
export { WrittenJson } from './written-json.ts'
