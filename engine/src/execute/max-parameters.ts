/** The wire protocol of PostgreSQL counts the parameters of a statement in 16 bits. */
export const maxParameters = 65_535
