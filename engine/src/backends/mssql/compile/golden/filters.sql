-- nothing
SELECT ISNULL((SELECT [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] WHERE (1<>1) FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- and, or, not
SELECT ISNULL((SELECT [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] WHERE (([t_track1].[id] = CAST(@p1 AS int)) AND (NOT (([t_track1].[id] > CAST(@p2 AS int)) OR ([t_track1].[id] <= CAST(@p3 AS int))))) FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- lists
SELECT ISNULL((SELECT [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] WHERE (([t_track1].[id] IN (SELECT CAST([v].[v] AS int) FROM OPENJSON(@p1) WITH ([v] nvarchar(max) '$') AS [v])) AND ([t_track1].[title] NOT IN (SELECT [v].[v] FROM OPENJSON(@p2) WITH ([v] nvarchar(max) '$') AS [v]))) FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- empty lists
SELECT ISNULL((SELECT [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] WHERE (([t_track1].[id] IN (SELECT CAST([v].[v] AS int) FROM OPENJSON(@p1) WITH ([v] nvarchar(max) '$') AS [v])) OR ([t_track1].[id] NOT IN (SELECT CAST([v].[v] AS int) FROM OPENJSON(@p2) WITH ([v] nvarchar(max) '$') AS [v]))) FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- another collation than that of the database
SELECT ISNULL((SELECT [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] WHERE (([t_track1].[word] = @p1 COLLATE Latin1_General_BIN2) OR ([t_track1].[word] IN (SELECT [v].[v] COLLATE Latin1_General_BIN2 FROM OPENJSON(@p2) WITH ([v] nvarchar(max) '$') AS [v]))) FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- bytes and values of any type
SELECT ISNULL((SELECT [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] WHERE ((CAST([t_track1].[picture] AS varbinary(max)) = CONVERT(varbinary(max), @p1, 1)) OR ([t_track1].[any] = CAST(@p2 AS nvarchar(4000)))) FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- a list of bytes
SELECT ISNULL((SELECT [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] WHERE ([t_track1].[code] IN (SELECT CONVERT(varbinary(max), [v].[v], 1) FROM OPENJSON(@p1) WITH ([v] nvarchar(max) '$') AS [v])) FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- null of its own
SELECT ISNULL((SELECT [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] WHERE (([t_track1].[id] IS NULL) AND ([t_track1].[title] IS NOT NULL)) FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- equal, also to null
SELECT ISNULL((SELECT [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] WHERE (([t_track1].[id] = CAST(@p1 AS int)) OR (([t_track1].[id] IS NULL) AND (CAST(@p1 AS int) IS NULL))) FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- unequal, also to null
SELECT ISNULL((SELECT [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] WHERE (([t_track1].[id] <> CAST(@p1 AS int)) OR (([t_track1].[id] IS NULL) AND (CAST(@p1 AS int) IS NOT NULL)) OR (([t_track1].[id] IS NOT NULL) AND (CAST(@p1 AS int) IS NULL))) FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- every digit of a number that is known
SELECT ISNULL((SELECT [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] WHERE ([t_track1].[price] = CAST(@p1 AS decimal(38, 12))) FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- a number that is not
SELECT ISNULL((SELECT [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] WHERE ([t_track1].[price] = CAST(@p1 AS decimal(38, 18))) FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- text of the old types
SELECT ISNULL((SELECT [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] WHERE (CAST([t_track1].[notes] AS nvarchar(max)) LIKE @p1) FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- values of types
SELECT ISNULL((SELECT [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] WHERE (([t_track1].[a] = CAST(@p1 AS bit)) AND ([t_track1].[b] < CAST(@p2 AS datetimeoffset)) AND ([t_track1].[c] = CAST(@p3 AS uniqueidentifier)) AND ([t_track1].[d] = CAST(@p4 AS real)) AND ([t_track1].[e] >= CAST(@p5 AS money)) AND ([t_track1].[f] = @p6)) FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- rows of a relationship
SELECT ISNULL((SELECT [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] WHERE EXISTS (SELECT 1 AS [exists_placeholder] FROM [dbo].[album] AS [t_album2] WHERE ([t_album2].[id] = [t_track1].[album_id]) AND ([t_album2].[title] LIKE @p1)) FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- rows of any table
SELECT ISNULL((SELECT [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] WHERE EXISTS (SELECT 1 AS [exists_placeholder] FROM [dbo].[artist] AS [t_artist2] WHERE ([t_artist2].[name] = @p1)) FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- the row that the expression began with
SELECT ISNULL((SELECT [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] WHERE EXISTS (SELECT 1 AS [exists_placeholder] FROM [dbo].[album] AS [t_album2] WHERE ([t_album2].[id] = [t_track1].[album_id]) AND ([t_album2].[id] > [t_track1].[id])) FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];
