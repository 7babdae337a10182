/** The part of T-SQL that the test double runs, as plain data. */
import type { SqlType } from './types.ts'

export type Path = readonly string[]

export type Expression =
  | {
      readonly kind: 'literal'
      readonly value: string
      readonly type: 'string' | 'national' | 'number' | 'binary' | 'null' | 'money'
    }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'column'; readonly path: Path }
  | { readonly kind: 'star'; readonly table: string | null }
  | { readonly kind: 'unary'; readonly operator: '-' | '+' | '~'; readonly of: Expression }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: 'call'
      readonly path: Path
      readonly args: readonly Expression[]
      readonly isDistinct: boolean
      readonly over: Over | null
    }
  | {
      readonly kind: 'method'
      readonly of: Expression | null
      readonly name: string
      readonly args: readonly Expression[]
    }
  | {
      readonly kind: 'cast'
      readonly of: Expression
      readonly type: SqlType
      readonly isTry: boolean
      readonly style: Expression | null
    }
  | {
      readonly kind: 'case'
      readonly whens: readonly { readonly when: Predicate; readonly result: Expression }[]
      readonly otherwise: Expression | null
    }
  | { readonly kind: 'query'; readonly query: Query }
  | { readonly kind: 'collate'; readonly of: Expression; readonly collation: string }
  | { readonly kind: 'default' }

export type Over = { readonly partition: readonly Expression[]; readonly order: readonly OrderItem[] }

/** T-SQL has no boolean values: predicates stand in WHERE, ON, CASE, IF and CHECK only. */
export type Predicate =
  | { readonly kind: 'and' | 'or'; readonly of: readonly Predicate[] }
  | { readonly kind: 'not'; readonly of: Predicate }
  | {
      readonly kind: 'compare'
      readonly operator: '=' | '<>' | '<' | '>' | '<=' | '>='
      readonly left: Expression
      readonly right: Expression
    }
  | { readonly kind: 'null'; readonly of: Expression }
  | { readonly kind: 'in'; readonly of: Expression; readonly list: readonly Expression[] | Query }
  | { readonly kind: 'like'; readonly of: Expression; readonly pattern: Expression; readonly escape: Expression | null }
  | { readonly kind: 'between'; readonly of: Expression; readonly low: Expression; readonly high: Expression }
  | { readonly kind: 'exists'; readonly query: Query }

export type OrderItem = { readonly by: Expression; readonly isDescending: boolean }
export type SelectColumn = {
  readonly value: Expression
  readonly name: string | null
  readonly variable: string | null
}

export type Query = {
  readonly ctes: readonly Cte[]
  readonly body: QueryBody
  readonly order: readonly OrderItem[]
  readonly offset: Expression | null
  readonly fetch: Expression | null
  readonly json: ForJson | null
}
export type QueryBody =
  | Select
  | {
      readonly kind: 'set'
      readonly operator: 'union' | 'union all' | 'except' | 'intersect'
      readonly left: QueryBody
      readonly right: QueryBody
    }
export type Select = {
  readonly kind: 'select'
  readonly isDistinct: boolean
  readonly top: Expression | null
  readonly columns: readonly SelectColumn[]
  readonly into: Path | null
  readonly from: readonly From[]
  readonly where: Predicate | null
  readonly group: readonly Expression[]
  readonly having: Predicate | null
}
export type Cte = { readonly name: string; readonly columns: readonly string[] | null; readonly query: Query }
export type ForJson = { readonly includesNulls: boolean; readonly isBare: boolean; readonly root: string | null }

export type From =
  | { readonly kind: 'table'; readonly path: Path; readonly alias: string | null }
  | {
      readonly kind: 'derived'
      readonly query: Query
      readonly alias: string
      readonly columns: readonly string[] | null
    }
  | {
      readonly kind: 'values'
      readonly rows: readonly (readonly Expression[])[]
      readonly alias: string
      readonly columns: readonly string[]
    }
  | {
      readonly kind: 'openjson'
      readonly json: Expression
      readonly path: Expression | null
      readonly columns: readonly JsonColumn[] | null
      readonly alias: string
    }
  | {
      readonly kind: 'join'
      readonly type: 'inner' | 'left' | 'right' | 'full' | 'cross' | 'cross apply' | 'outer apply'
      readonly left: From
      readonly right: From
      readonly on: Predicate | null
    }
export type JsonColumn = {
  readonly name: string
  readonly type: SqlType
  readonly path: string | null
  readonly isJson: boolean
}

export type Output = {
  readonly columns: readonly SelectColumn[]
  readonly into: Path | null
  readonly intoColumns: readonly string[] | null
}

export type ColumnDefinition = {
  readonly name: string
  readonly type: SqlType
  readonly isNullable: boolean | null
  readonly isIdentity: boolean
  /** GENERATED ALWAYS AS ROW START or END. */
  readonly isGenerated: boolean
  readonly default: Expression | null
  readonly defaultName: string | null
  readonly computed: Expression | null
  readonly constraints: readonly Constraint[]
}
export type Constraint =
  | { readonly kind: 'primary' | 'unique'; readonly name: string | null; readonly columns: readonly string[] }
  | {
      readonly kind: 'foreign'
      readonly name: string | null
      readonly columns: readonly string[]
      readonly table: Path
      readonly references: readonly string[] | null
      readonly onDelete: string
    }
  | { readonly kind: 'check'; readonly name: string | null; readonly predicate: Predicate }
  | { readonly kind: 'default'; readonly name: string | null; readonly column: string; readonly value: Expression }

export type Source =
  | { readonly kind: 'values'; readonly rows: readonly (readonly Expression[])[] }
  | { readonly kind: 'query'; readonly query: Query }
  | { readonly kind: 'defaults' }
  | { readonly kind: 'execute'; readonly call: Execute }

export type Execute = {
  readonly kind: 'execute'
  readonly path: Path
  readonly args: readonly { readonly name: string | null; readonly value: Expression }[]
}

export type ObjectKind =
  | 'table'
  | 'view'
  | 'procedure'
  | 'function'
  | 'trigger'
  | 'schema'
  | 'index'
  | 'synonym'
  | 'sequence'
  | 'type'

export type Statement =
  | { readonly kind: 'select'; readonly query: Query }
  | {
      readonly kind: 'insert'
      readonly ctes: readonly Cte[]
      readonly into: Path
      readonly columns: readonly string[] | null
      readonly output: Output | null
      readonly source: Source
    }
  | {
      readonly kind: 'update'
      readonly ctes: readonly Cte[]
      readonly target: Path
      readonly set: readonly { readonly column: string; readonly value: Expression }[]
      readonly output: Output | null
      readonly from: readonly From[]
      readonly where: Predicate | null
      readonly top: Expression | null
    }
  | {
      readonly kind: 'delete'
      readonly ctes: readonly Cte[]
      readonly target: Path
      readonly output: Output | null
      readonly from: readonly From[]
      readonly where: Predicate | null
      readonly top: Expression | null
    }
  | { readonly kind: 'truncate'; readonly table: Path }
  | {
      readonly kind: 'create-table'
      readonly table: Path
      readonly columns: readonly ColumnDefinition[]
      readonly constraints: readonly Constraint[]
    }
  | {
      readonly kind: 'create-index'
      readonly name: string
      readonly table: Path
      readonly columns: readonly string[]
      readonly isUnique: boolean
      readonly where: Predicate | null
    }
  | { readonly kind: 'create-schema'; readonly name: string; readonly inside: readonly Statement[] }
  /** A view, procedure, function or trigger; `query` is a view's. */
  | {
      readonly kind: 'create-module'
      readonly what: 'view' | 'procedure' | 'function' | 'trigger'
      readonly path: Path
      readonly table: Path | null
      readonly parameters: readonly Declaration[]
      readonly columns: readonly string[] | null
      readonly query: Query | null
      readonly body: readonly Statement[]
      /** Of a trigger: INSERT, UPDATE, DELETE. */
      readonly events: readonly string[]
      readonly text: string
      readonly mayReplace: boolean
      readonly isAlter: boolean
    }
  | { readonly kind: 'alter-table'; readonly table: Path; readonly action: AlterAction }
  | { readonly kind: 'alter-schema'; readonly schema: string; readonly object: Path }
  | {
      readonly kind: 'drop'
      readonly what: ObjectKind
      readonly paths: readonly Path[]
      readonly ifExists: boolean
      readonly on: Path | null
    }
  | Execute
  | { readonly kind: 'declare'; readonly variables: readonly Declaration[] }
  | { readonly kind: 'set'; readonly name: string; readonly value: Expression }
  | { readonly kind: 'option'; readonly name: string; readonly value: string }
  | { readonly kind: 'isolation'; readonly level: string }
  | { readonly kind: 'begin' | 'commit' | 'rollback' | 'save' }
  | { readonly kind: 'if'; readonly when: Predicate; readonly body: Statement; readonly otherwise: Statement | null }
  | { readonly kind: 'while'; readonly when: Predicate; readonly body: Statement }
  | { readonly kind: 'block'; readonly body: readonly Statement[] }
  | { readonly kind: 'try'; readonly body: readonly Statement[]; readonly handler: readonly Statement[] }
  | { readonly kind: 'throw'; readonly args: readonly Expression[] }
  | { readonly kind: 'print'; readonly value: Expression }
  | { readonly kind: 'return' }
  | { readonly kind: 'reseed'; readonly table: Path; readonly value: bigint | null }
  | { readonly kind: 'wait'; readonly time: string }

export type Declaration = {
  readonly name: string
  readonly type: SqlType
  readonly table: readonly ColumnDefinition[] | null
  readonly value: Expression | null
}

export type AlterAction =
  | { readonly kind: 'add'; readonly columns: readonly ColumnDefinition[]; readonly constraints: readonly Constraint[] }
  | { readonly kind: 'drop-columns'; readonly names: readonly string[]; readonly ifExists: boolean }
  | { readonly kind: 'drop-constraints'; readonly names: readonly string[]; readonly ifExists: boolean }
  | {
      readonly kind: 'alter-column'
      readonly column: string
      readonly type: SqlType
      readonly isNullable: boolean | null
    }
  | { readonly kind: 'ignored' }
