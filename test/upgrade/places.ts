import type { Outside } from '../provider/walk-prerequisites.ts'

/** What differs from run to run, and what stands for it in a kept state. */
export const places = ({ databaseUrl, remoteUrl }: Outside): readonly (readonly [found: string, place: string])[] => [
  [databaseUrl, 'postgres://user:password@database.example/kept'],
  [remoteUrl, 'https://remote.example/graphql'],
]
