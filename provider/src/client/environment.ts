/** Variables of a process, which settings may come from. */
export type Environment = Readonly<Record<string, string | undefined>>
