/**
 * advice: what is allowed in metadata and rarely meant (docs/advice.md). Begin at advise.ts. Imports core and directory; prints
 * nothing.
 */
export { type Advice, advise } from './advise.ts'
export { readSilence, type Silence, silenceFile } from './silence.ts'
export { readSourceFacts, type SourceFacts } from './source-facts.ts'
