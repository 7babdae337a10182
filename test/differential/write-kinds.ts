/** A table of each kind that may read the session or other tables while rows of it are written, and plain ones. */

/** Every kind has the same columns: what the database fills in is `owner`. */
const columns = 'id int PRIMARY KEY, n int, t text, parent_id int REFERENCES parent, owner text'
const user = `COALESCE(NULLIF(current_setting('svc.user', true), '')::json->>'x-svc-user-id', 'nobody')`

export const kinds = [
  'plain',
  'triggered',
  'ruled',
  'guarded',
  'defaulted',
  'generated',
  'checked',
  'typed',
  'cast_to',
  'seen',
  'far',
  'passing',
  'inheriting',
  'called',
  'late',
] as const

/** Run by the role that the engine connects as, who owns the tables: policies are forced upon him, since he is no superuser. */
export const kindsSchema = `
  CREATE TABLE country (id int PRIMARY KEY, name text);
  CREATE TABLE parent (id int PRIMARY KEY, name text, country_id int REFERENCES country);
  INSERT INTO country VALUES (1, 'x'), (2, 'y');
  INSERT INTO parent VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', NULL);

  CREATE TABLE plain (${columns});
  CREATE TABLE child (id int PRIMARY KEY, n int CHECK (n < 90), plain_id int REFERENCES plain,
    parent_id int REFERENCES parent);
  CREATE TABLE toy (id int PRIMARY KEY, n int CHECK (n < 90), child_id int REFERENCES child, owner_id int REFERENCES parent);
  -- one of them may refer to one that is written after it, by what it is given and by what it is not
  CREATE TABLE peer (id int PRIMARY KEY, n int, plain_id int REFERENCES plain, peer_id int REFERENCES peer,
    other_id int DEFAULT 5 REFERENCES peer);

  CREATE VIEW parent_view AS SELECT id, name || ' of ' || ${user} AS name, (SELECT count(*) FROM plain) AS plains FROM parent;
  CREATE TABLE hidden (id int PRIMARY KEY, name text);
  INSERT INTO hidden VALUES (1, 'u1'), (2, 'u2'), (3, 'u3');
  ALTER TABLE hidden ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
  CREATE POLICY own ON hidden USING (name = 'u' || ${user});

  CREATE TABLE triggered (${columns});
  CREATE FUNCTION own() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.owner := ${user};
    UPDATE country SET name = right(name || '.', 3) WHERE id = 1; RETURN NEW; END $$;
  CREATE TRIGGER own BEFORE INSERT OR UPDATE ON triggered FOR EACH ROW EXECUTE FUNCTION own();

  CREATE TABLE ruled (${columns});
  CREATE TABLE noted (id int, owner text);
  CREATE RULE note AS ON INSERT TO ruled DO ALSO INSERT INTO noted VALUES (NEW.id, ${user});

  CREATE TABLE guarded (${columns});
  ALTER TABLE guarded ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
  CREATE POLICY own ON guarded USING (t IS DISTINCT FROM ${user}) WITH CHECK (n IS DISTINCT FROM length(${user}));

  CREATE TABLE defaulted (${columns});
  ALTER TABLE defaulted ALTER owner SET DEFAULT ${user};

  CREATE FUNCTION asking(n int) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN
    IF ${user} = 'nobody' THEN RAISE 'nobody asks'; END IF; RETURN ${user} || n; END $$;
  CREATE TABLE generated (id int PRIMARY KEY, n int, t text, parent_id int REFERENCES parent,
    owner text GENERATED ALWAYS AS (asking(n)) STORED);

  CREATE TABLE checked (${columns}, CHECK (n < 5 OR ${user} = '1'));
  CREATE DOMAIN few AS int CHECK (VALUE < 5 OR ${user} = '1');
  CREATE TABLE typed (id int PRIMARY KEY, n few, t text, parent_id int REFERENCES parent, owner text);
  CREATE TABLE cast_to (${columns}, CHECK (n::few IS NOT NULL OR true));

  CREATE TABLE under (${columns});
  CREATE VIEW seen AS SELECT id, n, t, parent_id, COALESCE(owner, ${user}) AS owner FROM under
    WHERE t IS DISTINCT FROM ${user} WITH CHECK OPTION;

  CREATE TABLE far_away (${columns});
  CREATE FOREIGN TABLE far (id int, n int, t text, parent_id int, owner text DEFAULT ${user})
    SERVER itself OPTIONS (table_name 'far_away');

  CREATE TABLE passing (${columns});
  CREATE TABLE passed_on (id int PRIMARY KEY, passing_id int REFERENCES passing ON UPDATE CASCADE ON DELETE CASCADE,
    owner text);
  INSERT INTO passing SELECT id, id FROM generate_series(0, 11) AS id;
  INSERT INTO passed_on SELECT id, id FROM passing;
  CREATE TRIGGER own BEFORE UPDATE ON passed_on FOR EACH ROW EXECUTE FUNCTION own();

  CREATE TABLE inheriting (${columns});
  CREATE TABLE inherited () INHERITS (inheriting);
  CREATE TRIGGER own BEFORE UPDATE ON inherited FOR EACH ROW EXECUTE FUNCTION own();
  INSERT INTO inherited VALUES (1, 1, 'a', 1, NULL), (2, 2, 'b', 2, NULL);

  CREATE TABLE called (${columns});
  CREATE INDEX ON called (asking(n));
  -- a key may lead to no row until the end: what answers by itself is done again by more
  CREATE TABLE late (id int PRIMARY KEY, n int, t text,
    parent_id int REFERENCES parent DEFERRABLE INITIALLY DEFERRED, owner text);
`

/**
 * What changes nothing, and keeps the engine from writing by one statement: a trigger on each table, and a policy that
 * hides nothing on each that an answer may lead to.
 */
export const unknownsSchema = `
  CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
      EXECUTE format('CREATE TRIGGER nothing AFTER INSERT OR UPDATE OR DELETE ON %I EXECUTE FUNCTION nothing()', name);
    END LOOP;
  END $$;
  ALTER TABLE country ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
  CREATE POLICY everything ON country USING (true);
  ALTER TABLE parent ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
  CREATE POLICY everything ON parent USING (true);
  ALTER TABLE child ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
  CREATE POLICY everything ON child USING (true);
`
