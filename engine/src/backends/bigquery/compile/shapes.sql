-- a computed field
SELECT `t_album1`.`id` AS `id`, ARRAY(SELECT AS STRUCT `t_longer_than2`.`name` AS `name` FROM UNNEST(ARRAY(SELECT AS STRUCT * FROM `shop`.`longer_than`(`t_album1`.`id`, @param0))) AS `t_longer_than2` WHERE (`t_longer_than2`.`plays` > @param1) ORDER BY (`t_longer_than2`.`id`) DESC NULLS LAST LIMIT @param2) AS `longer` FROM `shop`.`album` AS `t_album1` ORDER BY (`t_album1`.`id`) ASC NULLS FIRST LIMIT @param3;

-- a list
SELECT `t_album1`.`id` AS `id`, `t_album1`.`title` AS `title`, `t_album1`.`price` AS `price`, `t_album1`.`added` AS `added` FROM `shop`.`album` AS `t_album1` WHERE (`t_album1`.`price` > CAST(@param0 AS NUMERIC)) ORDER BY (`t_album1`.`title`) ASC NULLS FIRST LIMIT @param1 OFFSET @param2;

-- a permission's limit
SELECT `t_album1`.`id` AS `id` FROM `shop`.`album` AS `t_album1` ORDER BY (`t_album1`.`id`) DESC NULLS LAST LIMIT @param0;

-- an object relationship
SELECT `t_album1`.`id` AS `id`, `or_artist3`.`v` AS `artist` FROM `shop`.`album` AS `t_album1` LEFT OUTER JOIN (SELECT `t_artist2`.`id` AS `k0`, ANY_VALUE(STRUCT(`t_artist2`.`name` AS `name`, `t_artist2`.`data` AS `data`)) AS `v` FROM `shop`.`artist` AS `t_artist2` GROUP BY 1) AS `or_artist3` ON (`or_artist3`.`k0` = `t_album1`.`artist_id`) ORDER BY (`t_album1`.`id`) ASC NULLS FIRST LIMIT @param0;

-- an array relationship with an offset and rows inside
SELECT `t_artist1`.`id` AS `id`, IFNULL(`ar_album7`.`v`, []) AS `albums` FROM `shop`.`artist` AS `t_artist1` LEFT OUTER JOIN (SELECT `t_album2`.`artist_id` AS `k0`, ARRAY_AGG(STRUCT(`t_album2`.`id` AS `id`, `t_album2`.`title` AS `title`, `or_artist4`.`v` AS `artist`, IFNULL(`ar_track6`.`v`, []) AS `tracks`) ORDER BY (`t_album2`.`title` IS NULL), `t_album2`.`title` ASC LIMIT @param0) AS `v` FROM (SELECT `t_album8`.`id`, `t_album8`.`title`, `t_album8`.`artist_id` FROM `shop`.`album` AS `t_album8` WHERE TRUE QUALIFY (ROW_NUMBER() OVER (PARTITION BY `t_album8`.`artist_id` ORDER BY (`t_album8`.`title`) ASC NULLS LAST) - @param1) >= 1) AS `t_album2` LEFT OUTER JOIN (SELECT `t_artist3`.`id` AS `k0`, ANY_VALUE(STRUCT(`t_artist3`.`name` AS `name`)) AS `v` FROM `shop`.`artist` AS `t_artist3` GROUP BY 1) AS `or_artist4` ON (`or_artist4`.`k0` = `t_album2`.`artist_id`) LEFT OUTER JOIN (SELECT `t_track5`.`album_id` AS `k0`, ARRAY_AGG(STRUCT(`t_track5`.`name` AS `name`) ORDER BY `t_track5`.`id` ASC LIMIT @param2) AS `v` FROM `shop`.`track` AS `t_track5` GROUP BY 1) AS `ar_track6` ON (`ar_track6`.`k0` = `t_album2`.`id`) GROUP BY 1) AS `ar_album7` ON (`ar_album7`.`k0` = `t_artist1`.`id`) ORDER BY (`t_artist1`.`id`) ASC NULLS FIRST LIMIT @param0;

-- an array relationship in an order
SELECT `t_artist1`.`id` AS `id`, IFNULL(`ar_album3`.`v`, []) AS `albums` FROM `shop`.`artist` AS `t_artist1` LEFT OUTER JOIN (SELECT `t_album2`.`artist_id` AS `k0`, ARRAY_AGG(STRUCT(`t_album2`.`id` AS `id`) ORDER BY (`t_album2`.`price` IS NULL) DESC, `t_album2`.`price` DESC LIMIT @param0) AS `v` FROM `shop`.`album` AS `t_album2` GROUP BY 1) AS `ar_album3` ON (`ar_album3`.`k0` = `t_artist1`.`id`) ORDER BY (`t_artist1`.`id`) ASC NULLS FIRST LIMIT @param0;

-- an array relationship of distinct rows
SELECT `t_artist1`.`id` AS `id`, IFNULL(`ar_album3`.`v`, []) AS `albums` FROM `shop`.`artist` AS `t_artist1` LEFT OUTER JOIN (SELECT `t_album2`.`artist_id` AS `k0`, ARRAY_AGG(STRUCT(`t_album2`.`id` AS `id`) ORDER BY `t_album2`.`artist_id` ASC, `t_album2`.`title` DESC LIMIT @param0) AS `v` FROM (SELECT `t_album4`.`id`, `t_album4`.`artist_id`, `t_album4`.`title` FROM `shop`.`album` AS `t_album4` WHERE TRUE QUALIFY ROW_NUMBER() OVER (PARTITION BY `t_album4`.`artist_id`, `t_album4`.`artist_id` ORDER BY (`t_album4`.`artist_id`) ASC NULLS FIRST, (`t_album4`.`title`) DESC NULLS LAST) = 1) AS `t_album2` GROUP BY 1) AS `ar_album3` ON (`ar_album3`.`k0` = `t_artist1`.`id`) ORDER BY (`t_artist1`.`id`) ASC NULLS FIRST LIMIT @param1;

-- an aggregate relationship
SELECT `t_artist1`.`id` AS `id`, `aa_album3`.`v` AS `albums_aggregate` FROM `shop`.`artist` AS `t_artist1` LEFT OUTER JOIN (SELECT `t_album2`.`artist_id` AS `k0`, STRUCT(STRUCT(COUNT(*) AS `count`, STRUCT(SUM(`t_album2`.`price`) AS `price`) AS `sum`, STRUCT(MAX(`t_album2`.`title`) AS `title`) AS `max`) AS `aggregate`, ARRAY_AGG(STRUCT(`t_album2`.`id` AS `id`) ORDER BY `t_album2`.`id` ASC LIMIT @param0) AS `nodes`) AS `v` FROM `shop`.`album` AS `t_album2` GROUP BY 1) AS `aa_album3` ON (`aa_album3`.`k0` = `t_artist1`.`id`) ORDER BY (`t_artist1`.`id`) ASC NULLS FIRST LIMIT @param0;

-- an aggregate relationship with limit and offset
SELECT `t_artist1`.`id` AS `id`, `aa_album3`.`v` AS `albums_aggregate` FROM `shop`.`artist` AS `t_artist1` LEFT OUTER JOIN (SELECT `t_album2`.`artist_id` AS `k0`, STRUCT(STRUCT(COUNT(*) AS `count`, STRUCT(SUM(`t_album2`.`price`) AS `price`) AS `sum`) AS `aggregate`, ARRAY_AGG(STRUCT(`t_album2`.`id` AS `id`) ORDER BY `t_album2`.`id` ASC LIMIT @param0) AS `nodes`) AS `v` FROM (SELECT `t_album4`.`price`, `t_album4`.`id`, `t_album4`.`artist_id` FROM `shop`.`album` AS `t_album4` WHERE TRUE QUALIFY (ROW_NUMBER() OVER (PARTITION BY `t_album4`.`artist_id` ORDER BY (`t_album4`.`id`) ASC NULLS FIRST) - @param1) BETWEEN 1 AND @param2) AS `t_album2` GROUP BY 1) AS `aa_album3` ON (`aa_album3`.`k0` = `t_artist1`.`id`) ORDER BY (`t_artist1`.`id`) ASC NULLS FIRST LIMIT @param3;

-- aggregates
SELECT STRUCT(COUNT(*) AS `count`, STRUCT(AVG(`t_album1`.`price`) AS `price`) AS `avg`, STRUCT(MAX(`t_album1`.`added`) AS `added`) AS `max`, COUNT(DISTINCT TO_JSON_STRING(STRUCT(`t_album1`.`title`, `t_album1`.`price`))) AS `d`, COUNT(`t_album1`.`title`) AS `e`) AS `aggregate`, ARRAY_AGG(STRUCT(`t_album1`.`id` AS `id`, `or_artist3`.`v` AS `artist`) ORDER BY `t_album1`.`id` ASC LIMIT @param0) AS `nodes` FROM `shop`.`album` AS `t_album1` LEFT OUTER JOIN (SELECT `t_artist2`.`id` AS `k0`, ANY_VALUE(STRUCT(`t_artist2`.`name` AS `name`)) AS `v` FROM `shop`.`artist` AS `t_artist2` GROUP BY 1) AS `or_artist3` ON (`or_artist3`.`k0` = `t_album1`.`artist_id`);

-- aggregates of some rows
SELECT STRUCT(COUNT(*) AS `count`) AS `aggregate`, ARRAY_AGG(STRUCT(`t_album1`.`id` AS `id`) ORDER BY `t_album1`.`id` DESC LIMIT @param0) AS `nodes` FROM (SELECT `t_album2`.`id` FROM `shop`.`album` AS `t_album2` ORDER BY (`t_album2`.`id`) DESC NULLS LAST LIMIT @param1 OFFSET @param2) AS `t_album1`;

-- aggregates of no rows
SELECT STRUCT(COUNT(*) AS `count`, STRUCT(SUM(`t_album1`.`price`) AS `price`) AS `sum`) AS `aggregate`, ARRAY_AGG(STRUCT(`t_album1`.`id` AS `id`) LIMIT @param0) AS `nodes` FROM `shop`.`album` AS `t_album1` WHERE (`t_album1`.`id` = @param1);

-- a type name of an aggregate
SELECT COUNT(*) AS `_` FROM `shop`.`album` AS `t_album1`;

-- a type name of rows
SELECT TRUE AS `_` FROM `shop`.`artist` AS `t_artist1` LIMIT @param0;

-- distinct rows
SELECT `t_album1`.`id` AS `id` FROM (SELECT `t_album2`.`id`, `t_album2`.`artist_id` FROM `shop`.`album` AS `t_album2` WHERE TRUE QUALIFY ROW_NUMBER() OVER (PARTITION BY `t_album2`.`artist_id` ORDER BY (`t_album2`.`artist_id`) ASC NULLS FIRST, (`t_album2`.`id`) DESC NULLS LAST) = 1) AS `t_album1` ORDER BY (`t_album1`.`artist_id`) ASC NULLS FIRST, (`t_album1`.`id`) DESC NULLS LAST LIMIT @param0;

-- distinct floats
SELECT `t_track1`.`length` AS `length` FROM (SELECT `t_track2`.`length` FROM `shop`.`track` AS `t_track2` WHERE TRUE QUALIFY ROW_NUMBER() OVER (PARTITION BY CAST(`t_track2`.`length` AS STRING) ORDER BY (`t_track2`.`length`) ASC NULLS FIRST) = 1) AS `t_track1` ORDER BY (`t_track1`.`length`) ASC NULLS FIRST LIMIT @param0;

-- an order by a related row
SELECT `t_album1`.`id` AS `id` FROM `shop`.`album` AS `t_album1` LEFT OUTER JOIN (SELECT `t_artist2`.`id` AS `k0`, ANY_VALUE(`t_artist2`.`name`) AS `v` FROM `shop`.`artist` AS `t_artist2` GROUP BY 1) AS `order_artist3` ON (`order_artist3`.`k0` = `t_album1`.`artist_id`) ORDER BY (`order_artist3`.`v`) DESC NULLS FIRST, (`t_album1`.`id`) ASC NULLS FIRST LIMIT @param0;

-- an order by aggregates of related rows
SELECT `t_artist1`.`id` AS `id` FROM `shop`.`artist` AS `t_artist1` LEFT OUTER JOIN (SELECT `t_album2`.`artist_id` AS `k0`, COUNT(*) AS `v` FROM `shop`.`album` AS `t_album2` GROUP BY 1) AS `order_album3` ON (`order_album3`.`k0` = `t_artist1`.`id`) LEFT OUTER JOIN (SELECT `t_album4`.`artist_id` AS `k0`, SUM(`t_album4`.`price`) AS `v` FROM `shop`.`album` AS `t_album4` GROUP BY 1) AS `order_album5` ON (`order_album5`.`k0` = `t_artist1`.`id`) ORDER BY (IFNULL(`order_album3`.`v`, 0)) DESC NULLS FIRST, (`order_album5`.`v`) DESC NULLS FIRST, (`t_artist1`.`id`) ASC NULLS FIRST LIMIT @param0;

-- an array relationship in the order of an aggregate
SELECT `t_artist1`.`id` AS `id`, IFNULL(`ar_album5`.`v`, []) AS `albums` FROM `shop`.`artist` AS `t_artist1` LEFT OUTER JOIN (SELECT `t_album2`.`artist_id` AS `k0`, ARRAY_AGG(STRUCT(`t_album2`.`id` AS `id`) ORDER BY (`order_track4`.`v` IS NULL), `order_track4`.`v` ASC LIMIT @param0) AS `v` FROM (SELECT `t_album6`.`id`, `t_album6`.`artist_id` FROM `shop`.`album` AS `t_album6` LEFT OUTER JOIN (SELECT `t_track7`.`album_id` AS `k0`, MAX(`t_track7`.`plays`) AS `v` FROM `shop`.`track` AS `t_track7` GROUP BY 1) AS `order_track8` ON (`order_track8`.`k0` = `t_album6`.`id`) WHERE TRUE QUALIFY (ROW_NUMBER() OVER (PARTITION BY `t_album6`.`artist_id` ORDER BY (`order_track8`.`v`) ASC NULLS LAST) - @param1) >= 1) AS `t_album2` LEFT OUTER JOIN (SELECT `t_track3`.`album_id` AS `k0`, MAX(`t_track3`.`plays`) AS `v` FROM `shop`.`track` AS `t_track3` GROUP BY 1) AS `order_track4` ON (`order_track4`.`k0` = `t_album2`.`id`) GROUP BY 1) AS `ar_album5` ON (`ar_album5`.`k0` = `t_artist1`.`id`) ORDER BY (`t_artist1`.`id`) ASC NULLS FIRST LIMIT @param0;

-- related rows in a condition
SELECT `t_artist1`.`id` AS `id` FROM `shop`.`artist` AS `t_artist1` WHERE EXISTS (SELECT 1 FROM `shop`.`album` AS `t_album2` WHERE (`t_album2`.`artist_id` = `t_artist1`.`id`) AND ((`t_album2`.`price` IN (CAST(@param0 AS NUMERIC), CAST(@param1 AS NUMERIC))) AND EXISTS (SELECT 1 FROM `shop`.`track` AS `t_track3` WHERE (`t_track3`.`album_id` = `t_album2`.`id`) AND (`t_track3`.`plays` > @param2)))) ORDER BY (`t_artist1`.`id`) ASC NULLS FIRST LIMIT @param3;

-- any row in a condition
SELECT `t_artist1`.`id` AS `id` FROM `shop`.`artist` AS `t_artist1` WHERE EXISTS (SELECT 1 FROM `shop`.`track` AS `t_track2` WHERE (`t_track2`.`id` > `t_artist1`.`id`)) ORDER BY (`t_artist1`.`id`) ASC NULLS FIRST LIMIT @param0;

-- a masked column
SELECT (CASE WHEN (`t_artist1`.`id` = @param0) THEN `t_artist1`.`name` END) AS `name` FROM `shop`.`artist` AS `t_artist1` ORDER BY (`t_artist1`.`id`) ASC NULLS FIRST LIMIT @param1;

-- NULL equals NULL
SELECT `t_artist1`.`id` AS `id` FROM `shop`.`artist` AS `t_artist1` WHERE (((`t_artist1`.`name` = CAST(NULL AS STRING)) OR (`t_artist1`.`name` IS NULL AND CAST(NULL AS STRING) IS NULL)) OR ((`t_artist1`.`name` <> @param0) OR ((`t_artist1`.`name` IS NULL) <> (@param0 IS NULL)))) ORDER BY (`t_artist1`.`id`) ASC NULLS FIRST LIMIT @param1;

-- a time
SELECT `t_album1`.`id` AS `id` FROM `shop`.`album` AS `t_album1` WHERE (`t_album1`.`added` <= CAST(@param0 AS TIMESTAMP)) LIMIT @param1;

-- rows for keys
SELECT IFNULL(`ar_album3`.`v`, []) AS `v` FROM (SELECT CAST(`k0` AS INT64) AS `k0`, @param0[OFFSET(`position`)] AS `k1`, `position` FROM UNNEST(@param1) AS `k0` WITH OFFSET AS `position`) AS `t_keys1` LEFT OUTER JOIN (SELECT `t_album2`.`artist_id` AS `k0`, `t_album2`.`title` AS `k1`, ARRAY_AGG(STRUCT(`t_album2`.`id` AS `id`) ORDER BY `t_album2`.`id` ASC LIMIT @param2) AS `v` FROM `shop`.`album` AS `t_album2` GROUP BY 1, 2) AS `ar_album3` ON (`ar_album3`.`k0` = `t_keys1`.`k0`) AND (`ar_album3`.`k1` = `t_keys1`.`k1`) ORDER BY (`t_keys1`.`position`) ASC NULLS FIRST;

-- a native query
WITH `q_1` AS (SELECT id, title FROM shop.album WHERE id > @param0 -- x
) SELECT `t_q2`.`id` AS `id`, `t_q2`.`title` AS `title`, IFNULL(`ar_track4`.`v`, []) AS `tracks` FROM `q_1` AS `t_q2` LEFT OUTER JOIN (SELECT `t_track3`.`album_id` AS `k0`, ARRAY_AGG(STRUCT(`t_track3`.`name` AS `name`) LIMIT @param1) AS `v` FROM `shop`.`track` AS `t_track3` GROUP BY 1) AS `ar_track4` ON (`ar_track4`.`k0` = `t_q2`.`id`) ORDER BY (`t_q2`.`id`) ASC NULLS FIRST LIMIT @param1;

-- aliases that differ by case
SELECT `t_artist1`.`id` AS `a`, `t_artist1`.`name` AS `A_1`, `t_artist1`.`name` AS `partition_x_2` FROM `shop`.`artist` AS `t_artist1` ORDER BY (`t_artist1`.`id`) ASC NULLS FIRST LIMIT @param0;

-- a pattern whatever the case
SELECT `t_artist1`.`id` AS `id` FROM `shop`.`artist` AS `t_artist1` WHERE (LOWER(`t_artist1`.`name`) LIKE LOWER(@param0)) ORDER BY (`t_artist1`.`id`) ASC NULLS FIRST LIMIT @param1;

-- no pattern whatever the case
SELECT `t_artist1`.`id` AS `id` FROM `shop`.`artist` AS `t_artist1` WHERE (LOWER(`t_artist1`.`name`) NOT LIKE LOWER(@param0)) ORDER BY (`t_artist1`.`id`) ASC NULLS FIRST LIMIT @param1;

-- one of none
SELECT `t_artist1`.`id` AS `id` FROM `shop`.`artist` AS `t_artist1` WHERE (`t_artist1`.`id` IN (SELECT CAST(`v` AS INT64) FROM UNNEST(@param0) AS `v`)) ORDER BY (`t_artist1`.`id`) ASC NULLS FIRST LIMIT @param1;

-- none of some
SELECT `t_artist1`.`id` AS `id` FROM `shop`.`artist` AS `t_artist1` WHERE (`t_artist1`.`id` NOT IN (@param0, @param1)) ORDER BY (`t_artist1`.`id`) ASC NULLS FIRST LIMIT @param2;

-- a date
SELECT `t_artist1`.`id` AS `id` FROM `shop`.`artist` AS `t_artist1` WHERE (`t_artist1`.`born` = CAST(@param0 AS DATE)) ORDER BY (`t_artist1`.`id`) ASC NULLS FIRST LIMIT @param1;

-- JSON
SELECT `t_artist1`.`id` AS `id` FROM `shop`.`artist` AS `t_artist1` WHERE (TO_JSON_STRING(`t_artist1`.`data`) IN (TO_JSON_STRING(PARSE_JSON(@param0)))) ORDER BY (`t_artist1`.`id`) ASC NULLS FIRST LIMIT @param1;
