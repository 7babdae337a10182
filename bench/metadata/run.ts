/** `npm run bench -- metadata [ROUNDS]` (small.ts), `npm run bench -- metadata large …` (large.ts). */
await import(process.argv[2] === 'large' ? './large.ts' : './small.ts')
