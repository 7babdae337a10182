/** Variables of a process, which settings and metadata may refer to. */
export type Environment = Readonly<Record<string, string | undefined>>
