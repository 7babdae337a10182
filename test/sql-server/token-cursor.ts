/** Where a parser is in its tokens. Throws the server's error 102 for what it does not expect. */
import { ServerError } from './server-error.ts'
import { isSymbol, isWord, NotTransactSql, type Token, tokenize } from './tokens.ts'

export class TokenCursor {
  readonly sql: string
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(sql: string) {
    this.sql = sql
    try {
      this.#tokens = tokenize(sql)
    } catch (problem) {
      if (problem instanceof NotTransactSql) throw new ServerError(102, `Incorrect syntax near '${problem.near}'.`, 15)
      throw problem
    }
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length
  }
  peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#at + ahead]
  }
  take(): Token {
    const token = this.#tokens[this.#at]
    if (!token) throw this.unexpected()
    this.#at++
    return token
  }
  /** Where in the text the next token begins. */
  get position(): number {
    return this.peek()?.start ?? this.sql.length
  }
  unexpected(): ServerError {
    const token = this.peek() ?? this.#tokens.at(-1)
    return new ServerError(102, `Incorrect syntax near '${token?.text ?? ''}'.`, 15)
  }
  isWord(...keys: readonly string[]): boolean {
    return isWord(this.peek(), ...keys)
  }
  isWords(...keys: readonly string[]): boolean {
    return keys.every((key, ahead) => isWord(this.peek(ahead), key))
  }
  isSymbol(text: string, ahead = 0): boolean {
    return isSymbol(this.peek(ahead), text)
  }
  /** Takes the words if all of them follow. */
  takeWords(...keys: readonly string[]): boolean {
    if (!this.isWords(...keys)) return false
    this.#at += keys.length
    return true
  }
  takeSymbol(text: string): boolean {
    if (!this.isSymbol(text)) return false
    this.#at++
    return true
  }
  expectWords(...keys: readonly string[]): void {
    for (const key of keys) if (!this.takeWords(key)) throw this.keywordError()
  }
  /** A server names key words otherwise than other tokens. */
  keywordError(): ServerError {
    const token = this.peek()
    return token?.kind === 'word' && RESERVED.has(token.key)
      ? new ServerError(156, `Incorrect syntax near the keyword '${token.text}'.`, 15)
      : this.unexpected()
  }
  expectSymbol(text: string): void {
    if (!this.takeSymbol(text)) throw this.keywordError()
  }
  isName(): boolean {
    const token = this.peek()
    return (
      token?.kind === 'quoted' || (token?.kind === 'word' && !RESERVED.has(token.key) && !token.text.startsWith('@'))
    )
  }
  name(): string {
    if (!this.isName()) throw this.keywordError()
    return this.take().text
  }
  /** `a.b.c`; an empty part for `tempdb..#t`. */
  path(): readonly string[] {
    const parts = [this.name()]
    while (this.takeSymbol('.')) parts.push(this.isSymbol('.') ? '' : this.#part())
    return parts
  }
  /** After a point a reserved word may stand as a name. */
  #part(): string {
    const token = this.peek()
    if (token?.kind !== 'quoted' && token?.kind !== 'word') throw this.unexpected()
    return this.take().text
  }
  names(): readonly string[] {
    this.expectSymbol('(')
    const names = this.list(() => {
      const name = this.name()
      if (!this.takeWords('ASC')) this.takeWords('DESC')
      return name
    })
    this.expectSymbol(')')
    return names
  }
  list<T>(one: () => T): readonly T[] {
    const all = [one()]
    while (this.takeSymbol(',')) all.push(one())
    return all
  }
}

const RESERVED = new Set(
  `ADD ALL ALTER AND ANY AS ASC AUTHORIZATION BEGIN BETWEEN BREAK BY CASE CHECK CLOSE COALESCE COLLATE COLUMN COMMIT
  CONSTRAINT CONTINUE CONVERT CREATE CROSS CURRENT CURSOR DECLARE DEFAULT DELETE DESC DISTINCT DROP ELSE END ESCAPE EXCEPT
  EXEC EXECUTE EXISTS FETCH FOR FOREIGN FROM FULL FUNCTION GOTO GRANT GROUP HAVING HOLDLOCK IDENTITY IF IN INDEX INNER INSERT
  INTERSECT INTO IS JOIN KEY LEFT LIKE MERGE NOT NULL NULLIF OF ON OPTION OR ORDER OUTER OVER PERCENT PRIMARY PRINT PROC
  PROCEDURE PUBLIC RAISERROR REFERENCES RETURN REVERT REVOKE RIGHT ROLLBACK SAVE SCHEMA SELECT SET SOME TABLE THEN TO TOP TRAN
  TRANSACTION TRIGGER TRUNCATE UNION UNIQUE UPDATE USE USER VALUES VIEW WAITFOR WHEN WHERE WHILE WITH`.split(/\s+/),
)
