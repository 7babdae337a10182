-- methods
SELECT ISNULL((SELECT [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] WHERE (([t_track1].[place].STContains(CAST(@p1 AS geography)) = 1) AND ([t_track1].[place].STEquals(CAST(@p2 AS geography)) = 1) AND ([t_track1].[place].STIntersects(CAST(@p3 AS geography)) = 1) AND ([t_track1].[place].STOverlaps(CAST(@p4 AS geography)) = 1) AND ([t_track1].[place].STWithin(CAST(@p5 AS geography)) = 1)) FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- methods of geometry
SELECT ISNULL((SELECT [t_track1].[id] AS [id] FROM [dbo].[track] AS [t_track1] WHERE (([t_track1].[shape].STCrosses(CAST(@p1 AS geometry)) = 1) OR ([t_track1].[shape].STTouches(CAST(@p2 AS geometry)) = 1) OR ([t_track1].[shape].STEquals(CAST(@p3 AS geometry)) = 1) OR ([t_track1].[shape].STEquals(CAST(@p4 AS geometry)) = 0)) FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];

-- a masked column
SELECT ISNULL((SELECT CASE WHEN ([t_track1].[plays] > CAST(@p1 AS bigint)) THEN [t_track1].[place].STAsText() ELSE NULL END AS [place] FROM [dbo].[track] AS [t_track1] WHERE (CASE WHEN ([t_track1].[plays] > CAST(@p1 AS bigint)) THEN [t_track1].[place].STWithin(CAST(@p2 AS geography)) ELSE NULL END = 1) FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root];
