-- nulls where they are asked for
SELECT ISNULL((SELECT [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] ORDER BY [t_track1].[id] ASC, IIF([t_track1].[title] IS NULL, 1, 0), [t_track1].[title] ASC, IIF([t_track1].[price] IS NULL, 0, 1), [t_track1].[price] DESC, [t_track1].[plays] DESC FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- text of the old types
SELECT ISNULL((SELECT [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] ORDER BY CAST([t_track1].[notes] AS nvarchar(max)) ASC, CAST([t_track1].[picture] AS varbinary(max)) ASC FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- a column once
SELECT ISNULL((SELECT [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] ORDER BY [t_track1].[id] ASC, [t_track1].[title] ASC FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- by a row that a relationship leads to
SELECT ISNULL((SELECT [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] OUTER APPLY (SELECT TOP (1) [t_album2].[title] AS [key] FROM [dbo].[album] AS [t_album2] WHERE ([t_album2].[id] = [t_track1].[album_id]) AND ([t_album2].[id] > CAST(@p1 AS int))) AS [order_album3] ORDER BY [order_album3].[key] ASC FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- by aggregates
SELECT ISNULL((SELECT [t_album7].[id] AS [id] FROM (SELECT [t_album1].*, [order_track3].[key] AS [order.0], [order_track5].[key] AS [order.1] FROM [dbo].[album] AS [t_album1] OUTER APPLY (SELECT COUNT_BIG(*) AS [key] FROM [dbo].[track] AS [t_track2] WHERE ([t_track2].[album_id] = [t_album1].[id])) AS [order_track3] OUTER APPLY (SELECT MAX([t_masked6].[v]) AS [key] FROM [dbo].[track] AS [t_track4] CROSS APPLY (SELECT CASE WHEN ([t_track4].[plays] > CAST(@p1 AS bigint)) THEN [t_track4].[price] ELSE NULL END AS [v]) AS [t_masked6] WHERE ([t_track4].[album_id] = [t_album1].[id])) AS [order_track5] ORDER BY [order_track3].[key] ASC, [order_track5].[key] ASC OFFSET 1 ROWS) AS [t_album7] ORDER BY [t_album7].[order.0] ASC, [t_album7].[order.1] ASC FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];
