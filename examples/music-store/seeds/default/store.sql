-- A small store for permission tests: two customers of two employees, and more tracks than a customer may ask for at once.

INSERT INTO artist (id, name, country) VALUES (1, 'The Testers', 'NO'), (2, 'Mock', 'IS');
INSERT INTO album (id, artist_id, title, released_on) VALUES (1, 1, 'Green', '2001-02-03'), (2, 2, 'Red', '2004-05-06');
INSERT INTO genre (id, name) VALUES (1, 'Rock'), (2, 'Jazz');
INSERT INTO media_type (id, name, lossless) VALUES (1, 'FLAC', true);
INSERT INTO track (id, album_id, position, name, genre_id, media_type_id, composer, milliseconds, bytes, unit_price)
SELECT n, 1, n, 'Track ' || n, 1, 1, 'Somebody', 1000, 100, 0.99 FROM generate_series(1, 150) AS n;
INSERT INTO playlist (id, name) VALUES (1, 'Everything'), (2, 'Nothing');
INSERT INTO playlist_track (playlist_id, track_id) SELECT 1, n FROM generate_series(1, 150) AS n;

INSERT INTO employee (id, first_name, last_name, title, reports_to, email, born_on, hired_on) VALUES
  (1, 'Ada', 'Boss', 'Manager', NULL, 'ada@store.example', '1970-01-01', '2000-01-01'),
  (2, 'Ben', 'Rep', 'Sales', 1, 'ben@store.example', '1980-01-01', '2010-01-01'),
  (3, 'Cem', 'Rep', 'Sales', 1, 'cem@store.example', '1990-01-01', '2020-01-01');
INSERT INTO customer (id, first_name, last_name, company, email, city, country, support_rep_id, created_at) VALUES
  (1, 'Dora', 'Doe', NULL, 'dora@home.example', 'Oslo', 'NO', 2, '2021-01-01'),
  (2, 'Emil', 'Eel', 'Eels', 'emil@home.example', 'Reykjavik', 'IS', 3, '2022-01-01');
INSERT INTO invoice (id, customer_id, invoiced_at, billing_city, billing_country, total) VALUES
  (1, 1, '2023-01-01', 'Oslo', 'NO', 0.99), (2, 2, '2023-02-02', 'Reykjavik', 'IS', 1.98);
INSERT INTO invoice_line (id, invoice_id, track_id, unit_price, quantity) VALUES (1, 1, 1, 0.99, 1), (2, 2, 2, 0.99, 2);

SELECT setval(pg_get_serial_sequence(name, 'id'), 1000)
FROM unnest(ARRAY['artist', 'album', 'genre', 'media_type', 'track', 'playlist', 'employee', 'customer', 'invoice', 'invoice_line'])
  AS name;
