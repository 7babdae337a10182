/** How statements take rows that others do not hold. */

/** Behind a table: what others hold is passed over. */
export const SKIPPING = 'WITH (UPDLOCK, READPAST, ROWLOCK, READCOMMITTEDLOCK)'

/** Before the statement: not every isolation takes READPAST (650). It holds to the end of the call, whatever the source's is. */
export const COMMITTED = 'SET TRANSACTION ISOLATION LEVEL READ COMMITTED;\n'
