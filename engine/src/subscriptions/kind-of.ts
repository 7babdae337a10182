import type { PreparedPoll } from '../execute/index.ts'

export const kindOf = ({ cursor }: PreparedPoll): 'live' | 'stream' => (cursor ? 'stream' : 'live')
