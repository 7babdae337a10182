/** Tables, views, their columns and keys, as SQL Server's catalogue has them: three plain queries in one batch. */
export const catalogueBatch = `SELECT [s].[name] AS [schema], [o].[name] AS [name], [o].[object_id] AS [object_id],
  [o].[type_desc] AS [kind], [c].[name] AS [column], [c].[column_id] AS [column_id], [c].[is_nullable] AS [is_nullable],
  [c].[is_identity] AS [is_identity], [c].[is_computed] AS [is_computed],
  [c].[generated_always_type] AS [generated_always_type], [c].[precision] AS [precision], [c].[scale] AS [scale], [t].[name] AS [type],
  [n].[name] AS [type_schema], [c].[collation_name] AS [collation],
  CAST(DATABASEPROPERTYEX(DB_NAME(), N'Collation') AS nvarchar(128)) AS [own_collation]
FROM [sys].[objects] AS [o]
INNER JOIN [sys].[schemas] AS [s] ON [s].[schema_id] = [o].[schema_id]
INNER JOIN [sys].[columns] AS [c] ON [c].[object_id] = [o].[object_id]
INNER JOIN [sys].[types] AS [t] ON [t].[user_type_id] = [c].[user_type_id]
INNER JOIN [sys].[schemas] AS [n] ON [n].[schema_id] = [t].[schema_id]
WHERE [o].[type_desc] IN (N'USER_TABLE', N'VIEW') AND [s].[name] NOT IN (N'sys', N'INFORMATION_SCHEMA', N'svc_catalog')
ORDER BY [o].[object_id], [c].[column_id];
SELECT [i].[object_id] AS [object_id], [i].[name] AS [constraint], [c].[name] AS [column]
FROM [sys].[indexes] AS [i]
INNER JOIN [sys].[index_columns] AS [ic] ON [ic].[object_id] = [i].[object_id] AND [ic].[index_id] = [i].[index_id]
INNER JOIN [sys].[columns] AS [c] ON [c].[object_id] = [ic].[object_id] AND [c].[column_id] = [ic].[column_id]
WHERE [i].[is_primary_key] = 1 AND [ic].[key_ordinal] > 0
ORDER BY [i].[object_id], [ic].[key_ordinal];
SELECT [f].[parent_object_id] AS [object_id], [f].[constraint_object_id] AS [constraint_id], [k].[name] AS [constraint],
  [c].[name] AS [column], [rs].[name] AS [target_schema], [ro].[name] AS [target], [rc].[name] AS [target_column]
FROM [sys].[foreign_key_columns] AS [f]
INNER JOIN [sys].[objects] AS [k] ON [k].[object_id] = [f].[constraint_object_id]
INNER JOIN [sys].[columns] AS [c] ON [c].[object_id] = [f].[parent_object_id] AND [c].[column_id] = [f].[parent_column_id]
INNER JOIN [sys].[objects] AS [ro] ON [ro].[object_id] = [f].[referenced_object_id]
INNER JOIN [sys].[schemas] AS [rs] ON [rs].[schema_id] = [ro].[schema_id]
INNER JOIN [sys].[columns] AS [rc]
  ON [rc].[object_id] = [f].[referenced_object_id] AND [rc].[column_id] = [f].[referenced_column_id]
ORDER BY [f].[constraint_object_id], [f].[constraint_column_id];`
