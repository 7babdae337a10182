/** What of the page needs the catalogue of all kinds: one file, which is loaded when it is first wanted. */
export { ChangePage } from './change/change-page.tsx'
export { DriftPage } from './drift/drift-page.tsx'
export { Related, RolePage } from './relate/related.tsx'
