/** How statements select rows that no other transaction has locked. */

/** After a table's name: rows locked by other transactions are skipped. */
export const SKIPPING = 'WITH (UPDLOCK, READPAST, ROWLOCK, READCOMMITTEDLOCK)'

/**
 * Before the statement: not every isolation takes READPAST (650). It applies to the end of the call, whatever the
 * source's is.
 */
export const COMMITTED = 'SET TRANSACTION ISOLATION LEVEL READ COMMITTED;\n'
