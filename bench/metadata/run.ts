/**
 * `npm run bench -- metadata [ROUNDS]` (small.ts), `npm run bench -- metadata large …` (large.ts), `npm run bench -- metadata preview`
 * (preview.ts).
 */
const [part] = process.argv.slice(2)
await import(part === 'large' || part === 'preview' ? `./${part}.ts` : './small.ts')
