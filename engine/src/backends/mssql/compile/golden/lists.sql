-- all rows
SELECT ISNULL((SELECT [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- by key
SELECT ISNULL((SELECT TOP (1) [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] WHERE ([t_track1].[id] = CAST(@p1 AS int)) FOR JSON PATH, INCLUDE_NULL_VALUES, WITHOUT_ARRAY_WRAPPER), 'null') AS [root];

-- the type beside
SELECT ISNULL((SELECT N'track' AS [__typename], [t_track1].[id] AS [number] FROM [dbo].[track] AS [t_track1] FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- limit
SELECT ISNULL((SELECT TOP (5) [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- limit 0
SELECT ISNULL((SELECT TOP (0) [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- limit beyond the permission
SELECT ISNULL((SELECT TOP (10) [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- limit of a variable
SELECT ISNULL((SELECT TOP (ISNULL(CAST(@p1 AS bigint), 9223372036854775807)) [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- limit of a variable and of the permission
SELECT ISNULL((SELECT TOP (IIF(CAST(@p1 AS bigint) < 10, CAST(@p1 AS bigint), 10)) [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- offset
SELECT ISNULL((SELECT [t_track2].[id] AS [id] FROM (SELECT [t_track1].* FROM [dbo].[track] AS [t_track1] ORDER BY (SELECT NULL) OFFSET 3 ROWS) AS [t_track2] FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- offset of a variable, with a limit and an order
SELECT ISNULL((SELECT TOP (5) [t_track2].[id] AS [id] FROM (SELECT [t_track1].*, [t_track1].[title] AS [order.0] FROM [dbo].[track] AS [t_track1] ORDER BY [t_track1].[title] DESC OFFSET ISNULL(CAST(@p1 AS bigint), 0) ROWS) AS [t_track2] ORDER BY [t_track2].[order.0] DESC FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- values as JSON shows them
SELECT ISNULL((SELECT [t_track1].[place].STAsText() AS [place], CAST([t_track1].[paid] AS decimal(19, 4)) AS [paid], CAST([t_track1].[small] AS decimal(19, 4)) AS [small], CAST([t_track1].[node] AS nvarchar(4000)) AS [node], CAST([t_track1].[document] AS nvarchar(max)) AS [document], [t_track1].[code] AS [code] FROM [dbo].[track] AS [t_track1] FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- names with brackets
SELECT ISNULL((SELECT [t_c'd1].[id] AS [id] FROM [a]]b].[c'd] AS [t_c'd1] FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- a native query
SELECT ISNULL((SELECT TOP (3) [t_top1].[id] AS [id] FROM (SELECT * FROM track WHERE plays > CAST(@p1 AS int) -- most
) AS [t_top1] WHERE ([t_top1].[id] > CAST(@p2 AS int)) FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- the first of a native query
SELECT ISNULL((SELECT TOP (1) [t_top1].[id] AS [id] FROM (SELECT 1 AS id
) AS [t_top1] FOR JSON PATH, INCLUDE_NULL_VALUES, WITHOUT_ARRAY_WRAPPER), 'null') AS [root];
