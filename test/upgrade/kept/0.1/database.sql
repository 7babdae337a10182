--
-- PostgreSQL database dump
--


-- Dumped from database version 15.20 (Debian 15.20-0+deb12u1)
-- Dumped by pg_dump version 15.20 (Debian 15.20-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: shop; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA shop;


--
-- Name: svc_catalog; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA svc_catalog;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: album; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.album (
    id integer NOT NULL,
    artist_id integer,
    artist_name text,
    title text,
    producer_id integer
);


--
-- Name: album_label(public.album); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.album_label(public.album) RETURNS text
    LANGUAGE sql STABLE
    AS $_$SELECT $1.title$_$;


--
-- Name: artist; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.artist (
    id integer NOT NULL,
    name text,
    owner text
);


--
-- Name: artist_label(json, public.artist, public.artist, json); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.artist_label(session json, own public.artist, same public.artist, other json) RETURNS text
    LANGUAGE sql STABLE
    AS $$SELECT own.name$$;


--
-- Name: search_albums(text, json, json); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.search_albums(word text, session json, other json) RETURNS SETOF public.album
    LANGUAGE sql
    AS $$SELECT * FROM album WHERE title = word$$;


--
-- Name: artist_label(json, public.artist, public.artist, json); Type: FUNCTION; Schema: shop; Owner: -
--

CREATE FUNCTION shop.artist_label(session json, own public.artist, same public.artist, other json) RETURNS text
    LANGUAGE sql STABLE
    AS $$SELECT own.name$$;


--
-- Name: find_albums(text, json, json); Type: FUNCTION; Schema: shop; Owner: -
--

CREATE FUNCTION shop.find_albums(word text, session json, other json) RETURNS SETOF public.album
    LANGUAGE sql
    AS $$SELECT * FROM album WHERE title = word$$;


--
-- Name: search_albums(text, json, json); Type: FUNCTION; Schema: shop; Owner: -
--

CREATE FUNCTION shop.search_albums(word text, session json, other json) RETURNS SETOF public.album
    LANGUAGE sql
    AS $$SELECT * FROM album WHERE title = word$$;


--
-- Name: insert_event_log(text, text, text, text, json); Type: FUNCTION; Schema: svc_catalog; Owner: -
--

CREATE FUNCTION svc_catalog.insert_event_log(schema_name text, table_name text, trigger_name text, op text, row_data json) RETURNS text
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
      WITH notified AS (SELECT pg_notify('svc_events', ''))
      INSERT INTO svc_catalog.event_log (schema_name, table_name, trigger_name, payload)
      SELECT $1, $2, $3, jsonb_build_object('op', $4, 'data', $5,
        'session_variables', NULLIF(current_setting('svc.user', true), '')::jsonb,
        'trace_context', NULLIF(current_setting('svc.tracecontext', true), '')::jsonb)
      FROM notified
      RETURNING id
    $_$;


--
-- Name: notify_svc_on_artist_INSERT(); Type: FUNCTION; Schema: svc_catalog; Owner: -
--

CREATE FUNCTION svc_catalog."notify_svc_on_artist_INSERT"() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$BEGIN
    INSERT INTO svc_catalog.event_log (schema_name, table_name, trigger_name, payload)
    VALUES ('public', 'artist', 'on_artist', jsonb_build_object(
      'op', 'INSERT',
      'data', jsonb_build_object('old', NULL, 'new', to_jsonb(NEW)),
      'session_variables', NULLIF(current_setting('svc.user', true), '')::jsonb,
      'trace_context', NULLIF(current_setting('svc.tracecontext', true), '')::jsonb));
    IF current_setting('svc.notified', true) IS DISTINCT FROM 'yes' THEN
      PERFORM set_config('svc.notified', 'yes', true), pg_notify('svc_events', '');
    END IF;
    RETURN NULL;
  END$$;


--
-- Name: notify_svc_on_artist_UPDATE(); Type: FUNCTION; Schema: svc_catalog; Owner: -
--

CREATE FUNCTION svc_catalog."notify_svc_on_artist_UPDATE"() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$BEGIN
    IF ROW(OLD."name", OLD."owner")::record <> ROW(NEW."name", NEW."owner")::record THEN
    INSERT INTO svc_catalog.event_log (schema_name, table_name, trigger_name, payload)
    VALUES ('public', 'artist', 'on_artist', jsonb_build_object(
      'op', 'UPDATE',
      'data', jsonb_build_object('old', (SELECT to_jsonb(r) FROM (SELECT OLD."id" AS "id", OLD."name" AS "name") AS r), 'new', (SELECT to_jsonb(r) FROM (SELECT NEW."id" AS "id", NEW."name" AS "name") AS r)),
      'session_variables', NULLIF(current_setting('svc.user', true), '')::jsonb,
      'trace_context', NULLIF(current_setting('svc.tracecontext', true), '')::jsonb));
    IF current_setting('svc.notified', true) IS DISTINCT FROM 'yes' THEN
      PERFORM set_config('svc.notified', 'yes', true), pg_notify('svc_events', '');
    END IF;
    END IF;
    RETURN NULL;
  END$$;


--
-- Name: notify_svc_on_sale_INSERT(); Type: FUNCTION; Schema: svc_catalog; Owner: -
--

CREATE FUNCTION svc_catalog."notify_svc_on_sale_INSERT"() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$BEGIN
    INSERT INTO svc_catalog.event_log (schema_name, table_name, trigger_name, payload)
    VALUES ('shop', 'album', 'on_sale', jsonb_build_object(
      'op', 'INSERT',
      'data', jsonb_build_object('old', NULL, 'new', to_jsonb(NEW)),
      'session_variables', NULLIF(current_setting('svc.user', true), '')::jsonb,
      'trace_context', NULLIF(current_setting('svc.tracecontext', true), '')::jsonb));
    IF current_setting('svc.notified', true) IS DISTINCT FROM 'yes' THEN
      PERFORM set_config('svc.notified', 'yes', true), pg_notify('svc_events', '');
    END IF;
    RETURN NULL;
  END$$;


--
-- Name: genre; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.genre (
    value text NOT NULL,
    comment text
);


--
-- Name: track; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.track (
    id integer NOT NULL,
    album_id integer,
    title text
);


--
-- Name: album; Type: TABLE; Schema: shop; Owner: -
--

CREATE TABLE shop.album (
    id integer NOT NULL,
    artist_id integer,
    title text
);


--
-- Name: song; Type: TABLE; Schema: shop; Owner: -
--

CREATE TABLE shop.song (
    id integer NOT NULL,
    artist_id integer,
    title text
);


--
-- Name: change_log; Type: TABLE; Schema: svc_catalog; Owner: -
--

CREATE TABLE svc_catalog.change_log (
    resource_version bigint NOT NULL,
    "position" integer NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    operation text NOT NULL,
    change text NOT NULL,
    address text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL,
    object json NOT NULL,
    old json,
    new json,
    author json NOT NULL,
    CONSTRAINT change_log_change_check CHECK ((change = ANY (ARRAY['create'::text, 'update'::text, 'delete'::text])))
);


--
-- Name: event_invocation_logs; Type: TABLE; Schema: svc_catalog; Owner: -
--

CREATE TABLE svc_catalog.event_invocation_logs (
    id text DEFAULT (gen_random_uuid())::text NOT NULL,
    trigger_name text,
    event_id text,
    status integer,
    request json,
    response json,
    created_at timestamp without time zone DEFAULT now() NOT NULL
);


--
-- Name: event_log; Type: TABLE; Schema: svc_catalog; Owner: -
--

CREATE TABLE svc_catalog.event_log (
    id text DEFAULT (gen_random_uuid())::text NOT NULL,
    schema_name text NOT NULL,
    table_name text NOT NULL,
    trigger_name text NOT NULL,
    payload jsonb NOT NULL,
    delivered boolean DEFAULT false NOT NULL,
    error boolean DEFAULT false NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    created_at timestamp without time zone DEFAULT now() NOT NULL,
    locked timestamp with time zone,
    next_retry_at timestamp without time zone,
    archived boolean DEFAULT false NOT NULL,
    locked_by text
);


--
-- Name: metadata; Type: TABLE; Schema: svc_catalog; Owner: -
--

CREATE TABLE svc_catalog.metadata (
    id integer NOT NULL,
    resource_version bigint NOT NULL,
    history_since bigint NOT NULL,
    reloads bigint DEFAULT 0 NOT NULL,
    CONSTRAINT metadata_id_check CHECK ((id = 1))
);


--
-- Name: metadata_object; Type: TABLE; Schema: svc_catalog; Owner: -
--

CREATE TABLE svc_catalog.metadata_object (
    address text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL,
    value json NOT NULL,
    changed bigint NOT NULL
);


--
-- Name: pending_source_change; Type: TABLE; Schema: svc_catalog; Owner: -
--

CREATE TABLE svc_catalog.pending_source_change (
    request_id text NOT NULL,
    resource_version bigint NOT NULL,
    source text NOT NULL,
    transaction text NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: svc_action_log; Type: TABLE; Schema: svc_catalog; Owner: -
--

CREATE TABLE svc_catalog.svc_action_log (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    action_name text NOT NULL,
    input_payload jsonb NOT NULL,
    request_headers jsonb NOT NULL,
    session_variables jsonb NOT NULL,
    response_payload jsonb,
    errors jsonb,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    response_received_at timestamp with time zone,
    status text NOT NULL,
    deadline timestamp with time zone,
    CONSTRAINT svc_action_log_status_check CHECK ((status = ANY (ARRAY['created'::text, 'processing'::text, 'completed'::text, 'error'::text])))
);


--
-- Name: svc_cron_event_invocation_logs; Type: TABLE; Schema: svc_catalog; Owner: -
--

CREATE TABLE svc_catalog.svc_cron_event_invocation_logs (
    id text DEFAULT (gen_random_uuid())::text NOT NULL,
    event_id text,
    status integer,
    request json,
    response json,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: svc_cron_events; Type: TABLE; Schema: svc_catalog; Owner: -
--

CREATE TABLE svc_catalog.svc_cron_events (
    id text DEFAULT (gen_random_uuid())::text NOT NULL,
    trigger_name text NOT NULL,
    scheduled_time timestamp with time zone NOT NULL,
    status text DEFAULT 'scheduled'::text NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    next_retry_at timestamp with time zone,
    locked_by text,
    CONSTRAINT svc_cron_events_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'locked'::text, 'delivered'::text, 'error'::text, 'dead'::text])))
);


--
-- Name: svc_event_instances; Type: TABLE; Schema: svc_catalog; Owner: -
--

CREATE TABLE svc_catalog.svc_event_instances (
    id text NOT NULL,
    beats bigint DEFAULT 0 NOT NULL,
    heard_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);


--
-- Name: svc_event_log_cleanups; Type: TABLE; Schema: svc_catalog; Owner: -
--

CREATE TABLE svc_catalog.svc_event_log_cleanups (
    id text DEFAULT (gen_random_uuid())::text NOT NULL,
    trigger_name text NOT NULL,
    scheduled_at timestamp without time zone NOT NULL,
    deleted_event_logs integer,
    deleted_event_invocation_logs integer,
    status text DEFAULT 'scheduled'::text NOT NULL,
    CONSTRAINT svc_event_log_cleanups_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'paused'::text, 'completed'::text, 'dead'::text])))
);


--
-- Name: svc_schedule_instances; Type: TABLE; Schema: svc_catalog; Owner: -
--

CREATE TABLE svc_catalog.svc_schedule_instances (
    id text NOT NULL,
    beats bigint DEFAULT 0 NOT NULL,
    heard_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);


--
-- Name: svc_scheduled_event_invocation_logs; Type: TABLE; Schema: svc_catalog; Owner: -
--

CREATE TABLE svc_catalog.svc_scheduled_event_invocation_logs (
    id text DEFAULT (gen_random_uuid())::text NOT NULL,
    event_id text,
    status integer,
    request json,
    response json,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: svc_scheduled_events; Type: TABLE; Schema: svc_catalog; Owner: -
--

CREATE TABLE svc_catalog.svc_scheduled_events (
    id text DEFAULT (gen_random_uuid())::text NOT NULL,
    webhook_conf json NOT NULL,
    scheduled_time timestamp with time zone NOT NULL,
    retry_conf json,
    payload json,
    header_conf json,
    status text DEFAULT 'scheduled'::text NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    next_retry_at timestamp with time zone,
    comment text,
    request_transform json,
    response_transform json,
    locked_by text,
    CONSTRAINT svc_scheduled_events_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'locked'::text, 'delivered'::text, 'error'::text, 'dead'::text])))
);


--
-- Name: svc_source_catalog_version; Type: TABLE; Schema: svc_catalog; Owner: -
--

CREATE TABLE svc_catalog.svc_source_catalog_version (
    version text NOT NULL,
    upgraded_on timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: svc_version; Type: TABLE; Schema: svc_catalog; Owner: -
--

CREATE TABLE svc_catalog.svc_version (
    svc_uuid uuid DEFAULT gen_random_uuid() NOT NULL,
    version text NOT NULL,
    upgraded_on timestamp with time zone DEFAULT now() NOT NULL,
    cli_state json DEFAULT '{}'::json NOT NULL,
    console_state json DEFAULT '{}'::json NOT NULL
);


--
-- Data for Name: album; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: artist; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: genre; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.genre VALUES ('rock', 'loud');
INSERT INTO public.genre VALUES ('folk', 'not loud');


--
-- Data for Name: track; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: album; Type: TABLE DATA; Schema: shop; Owner: -
--



--
-- Data for Name: song; Type: TABLE DATA; Schema: shop; Owner: -
--



--
-- Data for Name: change_log; Type: TABLE DATA; Schema: svc_catalog; Owner: -
--

INSERT INTO svc_catalog.change_log VALUES (2, 1, '2026-11-24 02:12:28.358214+00', 'add_remote_schema', 'create', 'remote_schema:support', 'remote_schema', '{"type":"remote_schema","name":"remote_schema support","key":{"name":"support"}}', NULL, '{"name":"support","definition":{"url":"https://remote.example/graphql","timeout_seconds":60,"customization":{"root_fields_namespace":"support","type_names":{"prefix":"support_"}}}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"010bb8ff-3504-453c-8bca-f31de2483134","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (3, 1, '2026-11-24 02:12:28.402427+00', 'pg_add_source', 'create', 'source:main', 'source', '{"type":"source","name":"source main","key":{"name":"main"}}', NULL, '{"name":"main","kind":"postgres","configuration":{"connection_info":{"database_url":"postgres://postgres:***@127.0.0.1:55999/svc_test_4115_5946ce51","isolation_level":"read-committed","pool_settings":{"max_connections":5,"idle_timeout":180,"retries":1,"connection_lifetime":600},"ssl_configuration":{"sslmode":"disable"},"use_prepared_statements":false}},"health_check":{"test":{"sql":"SELECT 1"},"interval":60,"retries":3,"retry_interval":10,"timeout":10}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"3f792e78-6bba-42a1-83e7-44c7e5e6c4b8","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (3, 2, '2026-11-24 02:12:28.402427+00', 'pg_add_source', 'create', 'source:twin', 'source', '{"type":"source","name":"source twin","key":{"name":"twin"}}', NULL, '{"name":"twin","kind":"postgres","configuration":{"connection_info":{"database_url":"postgres://postgres:***@127.0.0.1:55999/svc_test_4115_5946ce51","isolation_level":"read-committed","use_prepared_statements":false}},"customization":{"root_fields":{"prefix":"second_"},"type_names":{"prefix":"second_"}}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"3f792e78-6bba-42a1-83e7-44c7e5e6c4b8","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (3, 3, '2026-11-24 02:12:28.402427+00', 'create_custom_type', 'create', 'custom_types:', 'custom_types', '{"type":"custom_types","name":"custom_types custom_types","key":{}}', NULL, '{"input_objects":[{"name":"Item","fields":[{"name":"sku","type":"String!"}]}]}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"3f792e78-6bba-42a1-83e7-44c7e5e6c4b8","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (3, 4, '2026-11-24 02:12:28.402427+00', 'create_cron_trigger', 'create', 'cron_trigger:daily_report', 'cron_trigger', '{"type":"cron_trigger","name":"cron_trigger daily_report","key":{"name":"daily_report"}}', NULL, '{"name":"daily_report","webhook":"http://localhost:1/report","schedule":"0 5 * * *","include_in_metadata":true,"payload":{"of":"yesterday"},"retry_conf":{"num_retries":3,"retry_interval_seconds":20,"timeout_seconds":30,"tolerance_seconds":3600},"headers":[{"name":"x-who","value":"the provider"}],"comment":"For the owner","request_transform":{"version":2,"template_engine":"Kriti","method":"PUT"},"response_transform":{"version":2,"template_engine":"Kriti","body":{"action":"transform","template":"{{$body}}"}}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"3f792e78-6bba-42a1-83e7-44c7e5e6c4b8","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (3, 5, '2026-11-24 02:12:28.402427+00', 'set_api_limits', 'create', 'api_limits:', 'api_limits', '{"type":"api_limits","name":"api_limits api_limits","key":{}}', NULL, '{"depth_limit":{"global":7,"per_role":{"user":5}},"node_limit":{"global":100},"time_limit":{"global":2.5,"per_role":{"user":1}},"rate_limit":{"global":{"max_reqs_per_min":100,"unique_params":"IP"},"per_role":{"user":{"max_reqs_per_min":50,"unique_params":["x-svc-user-id"]}}}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"3f792e78-6bba-42a1-83e7-44c7e5e6c4b8","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (3, 6, '2026-11-24 02:12:28.402427+00', 'set_metrics_config', 'create', 'metrics_config:', 'metrics_config', '{"type":"metrics_config","name":"metrics_config metrics_config","key":{}}', NULL, '{"analyze_query_variables":true,"analyze_response_body":true}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"3f792e78-6bba-42a1-83e7-44c7e5e6c4b8","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (3, 7, '2026-11-24 02:12:28.402427+00', 'set_graphql_schema_introspection_options', 'create', 'graphql_schema_introspection:', 'graphql_schema_introspection', '{"type":"graphql_schema_introspection","name":"graphql_schema_introspection graphql_schema_introspection","key":{}}', NULL, '{"disabled_for_roles":["guest","user"]}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"3f792e78-6bba-42a1-83e7-44c7e5e6c4b8","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (3, 8, '2026-11-24 02:12:28.402427+00', 'add_host_to_tls_allowlist', 'create', 'network:', 'network', '{"type":"network","name":"network network","key":{}}', NULL, '{"tls_allowlist":[{"host":"collector.internal","suffix":"4318","permissions":["self-signed"]}]}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"3f792e78-6bba-42a1-83e7-44c7e5e6c4b8","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (3, 9, '2026-11-24 02:12:28.402427+00', 'set_opentelemetry_config', 'create', 'opentelemetry:', 'opentelemetry', '{"type":"opentelemetry","name":"open_telemetry all","key":{}}', NULL, '{"status":"disabled","data_types":["metrics","traces"],"exporter_otlp":{"otlp_traces_endpoint":"http://localhost:1/v1/traces","otlp_metrics_endpoint":"http://localhost:1/v1/metrics","protocol":"http/protobuf","headers":[{"name":"x-key","value_from_env":"SVC_TEST_OTHER_URL"}],"resource_attributes":[{"name":"service.name","value":"shop"}],"traces_propagators":["tracecontext"]},"batch_span_processor":{"max_export_batch_size":100}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"3f792e78-6bba-42a1-83e7-44c7e5e6c4b8","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (4, 1, '2026-11-24 02:12:28.454906+00', 'add_remote_schema', 'create', 'remote_schema:crm', 'remote_schema', '{"type":"remote_schema","name":"remote_schema crm","key":{"name":"crm"}}', NULL, '{"name":"crm","definition":{"url":"https://remote.example/graphql","timeout_seconds":10,"customization":{"root_fields_namespace":"crm","type_names":{"prefix":"Crm","mapping":{"User":"Person"}},"field_names":[{"parent_type":"User","prefix":"user_","mapping":{"name":"title"}}]},"headers":[{"name":"x-who","value":"the provider"}],"forward_client_headers":true},"comment":"Who buys"}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"bc79e1bf-5a10-44a8-ad6e-3ad0256d7c96","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (5, 1, '2026-11-24 02:12:28.503901+00', 'pg_track_table', 'create', 'source:main/table:public.artist', 'table', '{"type":"table","name":"table artist in source main","key":{"source":"main","table":{"name":"artist","schema":"public"}}}', NULL, '{"table":{"name":"artist","schema":"public"}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"d4479a63-1782-453b-8d1e-faf4ee5d9370","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (5, 2, '2026-11-24 02:12:28.503901+00', 'pg_track_table', 'create', 'source:main/table:public.track', 'table', '{"type":"table","name":"table track in source main","key":{"source":"main","table":{"name":"track","schema":"public"}}}', NULL, '{"table":{"name":"track","schema":"public"}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"d4479a63-1782-453b-8d1e-faf4ee5d9370","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (5, 3, '2026-11-24 02:12:28.503901+00', 'pg_track_table', 'create', 'source:main/table:public.album', 'table', '{"type":"table","name":"table album in source main","key":{"source":"main","table":{"name":"album","schema":"public"}}}', NULL, '{"table":{"name":"album","schema":"public"}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"d4479a63-1782-453b-8d1e-faf4ee5d9370","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (5, 4, '2026-11-24 02:12:28.503901+00', 'pg_track_table', 'create', 'source:main/table:shop.album', 'table', '{"type":"table","name":"table shop.album in source main","key":{"source":"main","table":{"name":"album","schema":"shop"}}}', NULL, '{"table":{"name":"album","schema":"shop"},"configuration":{"column_config":{},"comment":"A kind of music","custom_column_names":{},"custom_name":"shop_album","custom_root_fields":{"select":"kinds","select_by_pk":{"name":"kind","comment":"One kind"}}}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"d4479a63-1782-453b-8d1e-faf4ee5d9370","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (5, 5, '2026-11-24 02:12:28.503901+00', 'pg_track_function', 'create', 'source:main/function:public.search_albums', 'function', '{"type":"function","name":"function search_albums in source main","key":{"source":"main","function":{"name":"search_albums","schema":"public"}}}', NULL, '{"function":{"name":"search_albums","schema":"public"},"configuration":{"session_argument":"session","exposed_as":"query","custom_name":"find_albums","custom_root_fields":{"function":"found_albums"}},"comment":"By a word"}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"d4479a63-1782-453b-8d1e-faf4ee5d9370","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (5, 6, '2026-11-24 02:12:28.503901+00', 'pg_track_function', 'create', 'source:main/function:shop.search_albums', 'function', '{"type":"function","name":"function shop.search_albums in source main","key":{"source":"main","function":{"name":"search_albums","schema":"shop"}}}', NULL, '{"function":{"name":"search_albums","schema":"shop"},"configuration":{"custom_name":"shop_search"}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"d4479a63-1782-453b-8d1e-faf4ee5d9370","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (5, 7, '2026-11-24 02:12:28.503901+00', 'pg_track_logical_model', 'create', 'source:main/logical_model:top_album', 'logical_model', '{"type":"logical_model","name":"logical_model top_album in source main","key":{"source":"main","name":"top_album"}}', NULL, '{"name":"top_album","fields":[{"name":"id","type":{"scalar":"integer","nullable":false},"description":"Its key"},{"name":"titles","type":{"array":{"scalar":"text","nullable":false},"nullable":true}}],"description":"An album and its titles"}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"d4479a63-1782-453b-8d1e-faf4ee5d9370","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (5, 8, '2026-11-24 02:12:28.503901+00', 'pg_track_logical_model', 'create', 'source:main/logical_model:low_album', 'logical_model', '{"type":"logical_model","name":"logical_model low_album in source main","key":{"source":"main","name":"low_album"}}', NULL, '{"name":"low_album","fields":[{"name":"id","type":{"scalar":"integer","nullable":false}},{"name":"titles","type":{"array":{"scalar":"text","nullable":false},"nullable":true}}]}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"d4479a63-1782-453b-8d1e-faf4ee5d9370","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (5, 9, '2026-11-24 02:12:28.503901+00', 'pg_track_table', 'create', 'source:twin/table:public.album', 'table', '{"type":"table","name":"table album in source twin","key":{"source":"twin","table":{"name":"album","schema":"public"}}}', NULL, '{"table":{"name":"album","schema":"public"}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"d4479a63-1782-453b-8d1e-faf4ee5d9370","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (5, 10, '2026-11-24 02:12:28.503901+00', 'pg_track_table', 'create', 'source:twin/table:public.artist', 'table', '{"type":"table","name":"table artist in source twin","key":{"source":"twin","table":{"name":"artist","schema":"public"}}}', NULL, '{"table":{"name":"artist","schema":"public"}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"d4479a63-1782-453b-8d1e-faf4ee5d9370","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (6, 1, '2026-11-24 02:12:28.553699+00', 'pg_track_table', 'create', 'source:twin/table:public.track', 'table', '{"type":"table","name":"table track in source twin","key":{"source":"twin","table":{"name":"track","schema":"public"}}}', NULL, '{"table":{"name":"track","schema":"public"}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"356506a0-4912-4e25-a76a-dc9fe2d52952","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (6, 2, '2026-11-24 02:12:28.553699+00', 'pg_track_function', 'create', 'source:twin/function:shop.search_albums', 'function', '{"type":"function","name":"function shop.search_albums in source twin","key":{"source":"twin","function":{"name":"search_albums","schema":"shop"}}}', NULL, '{"function":{"name":"search_albums","schema":"shop"}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"356506a0-4912-4e25-a76a-dc9fe2d52952","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (7, 1, '2026-11-24 02:12:28.586626+00', 'pg_track_logical_model', 'create', 'source:twin/logical_model:twin_album', 'logical_model', '{"type":"logical_model","name":"logical_model twin_album in source twin","key":{"source":"twin","name":"twin_album"}}', NULL, '{"name":"twin_album","fields":[{"name":"id","type":{"scalar":"integer","nullable":false}},{"name":"titles","type":{"array":{"scalar":"text","nullable":false},"nullable":true}}]}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"e2d794a6-5ca2-473f-a969-d0dc6c51244d","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (7, 2, '2026-11-24 02:12:28.586626+00', 'create_remote_schema_remote_relationship', 'create', 'remote_schema:support/remote_schema_remote_relationship:User/client', 'remote_schema_remote_relationship', '{"type":"remote_schema_remote_relationship","name":"remote_schema_remote_relationship remote_relationship client on type User in remote schema support","key":{"remote_schema":"support","type_name":"User","name":"client"}}', NULL, '{"type_name":"User","name":"client","definition":{"to_remote_schema":{"remote_schema":"crm","lhs_fields":["id"],"remote_field":{"user":{"arguments":{"id":"$id"}}}}}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"e2d794a6-5ca2-473f-a969-d0dc6c51244d","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (7, 3, '2026-11-24 02:12:28.586626+00', 'add_remote_schema_permissions', 'create', 'remote_schema:crm/remote_schema_permission:user', 'remote_schema_permission', '{"type":"remote_schema_permission","name":"remote_schema_permission user permission in remote schema crm","key":{"remote_schema":"crm","role":"user"}}', NULL, '{"role":"user","definition":{"schema":"# what a user sees\ntype Query { user(id: Int! @preset(value: \"x-svc-user-id\"), lang: String): User  users(by: Search): [User!]! }\ntype User { id: Int!  name: String }\ninput Search { name: String  owner: Int @preset(value: 7) }\n"},"comment":"Themselves"}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"e2d794a6-5ca2-473f-a969-d0dc6c51244d","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (7, 4, '2026-11-24 02:12:28.586626+00', 'create_remote_schema_remote_relationship', 'create', 'remote_schema:crm/remote_schema_remote_relationship:Employer/boss', 'remote_schema_remote_relationship', '{"type":"remote_schema_remote_relationship","name":"remote_schema_remote_relationship remote_relationship boss on type Employer in remote schema crm","key":{"remote_schema":"crm","type_name":"Employer","name":"boss"}}', NULL, '{"type_name":"Employer","name":"boss","definition":{"to_remote_schema":{"remote_schema":"crm","lhs_fields":["id"],"remote_field":{"user":{"arguments":{"id":"$id"}}}}}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"e2d794a6-5ca2-473f-a969-d0dc6c51244d","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (8, 1, '2026-11-24 02:12:28.635584+00', 'pg_create_select_permission', 'create', 'source:main/table:public.artist/select_permission:user', 'select_permission', '{"type":"select_permission","name":"select_permission user in table artist in source main","key":{"source":"main","table":{"name":"artist","schema":"public"},"role":"user"}}', NULL, '{"role":"user","permission":{"columns":["id","name"],"filter":{"_or":[{"id":{"_gt":1}}],"owner":{"_eq":"X-Svc-User-Id"}},"limit":100,"allow_aggregations":true,"query_root_fields":["select","select_by_pk"],"subscription_root_fields":["select"]},"comment":"Their own"}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"74addd9d-58f0-4775-86e0-9586f7619f2d","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (8, 2, '2026-11-24 02:12:28.635584+00', 'pg_create_update_permission', 'create', 'source:main/table:public.artist/update_permission:user', 'update_permission', '{"type":"update_permission","name":"update_permission user in table artist in source main","key":{"source":"main","table":{"name":"artist","schema":"public"},"role":"user"}}', NULL, '{"role":"user","permission":{"columns":["id","name"],"filter":{"_or":[{"id":{"_gt":1}}],"owner":{"_eq":"X-Svc-User-Id"}},"check":{"name":{"_is_null":false}},"set":{"owner":"X-Svc-User-Id"},"backend_only":true,"validate_input":{"type":"http","definition":{"url":"http://localhost:1/check","headers":[],"timeout":5,"forward_client_headers":true}}},"comment":"Their own"}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"74addd9d-58f0-4775-86e0-9586f7619f2d","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (8, 3, '2026-11-24 02:12:28.635584+00', 'pg_track_native_query', 'create', 'source:main/native_query:top_albums', 'native_query', '{"type":"native_query","name":"native_query top_albums in source main","key":{"source":"main","root_field_name":"top_albums"}}', NULL, '{"root_field_name":"top_albums","code":"SELECT id, ARRAY[title] AS titles FROM album LIMIT {{most}}","arguments":{"most":{"type":"integer","nullable":false,"description":"How many"}},"returns":"top_album","description":"The best","object_relationships":[{"name":"album","using":{"manual_configuration":{"remote_table":{"name":"album","schema":"public"},"column_mapping":{"id":"id"},"insertion_order":null}},"comment":"All of it"}],"array_relationships":[{"name":"tracks","using":{"manual_configuration":{"remote_table":{"name":"track","schema":"public"},"column_mapping":{"id":"album_id"},"insertion_order":null}}}]}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"74addd9d-58f0-4775-86e0-9586f7619f2d","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (8, 4, '2026-11-24 02:12:28.635584+00', 'pg_create_logical_model_select_permission', 'create', 'source:main/logical_model:top_album/logical_model_select_permission:user', 'logical_model_select_permission', '{"type":"logical_model_select_permission","name":"logical_model_select_permission user in logical model top_album in source main","key":{"source":"main","logical_model":"top_album","role":"user"}}', NULL, '{"role":"user","permission":{"columns":["id"],"filter":{"id":{"_gt":1}}},"comment":"Not the first"}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"74addd9d-58f0-4775-86e0-9586f7619f2d","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (8, 5, '2026-11-24 02:12:28.635584+00', 'pg_create_remote_relationship', 'create', 'source:twin/table:public.artist/remote_relationship:sold_elsewhere', 'remote_relationship', '{"type":"remote_relationship","name":"remote_relationship sold_elsewhere in table artist in source twin","key":{"source":"twin","table":{"name":"artist","schema":"public"},"name":"sold_elsewhere"}}', NULL, '{"name":"sold_elsewhere","definition":{"to_source":{"relationship_type":"array","source":"main","table":{"name":"album","schema":"shop"},"field_mapping":{"id":"artist_id"}}}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"74addd9d-58f0-4775-86e0-9586f7619f2d","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (8, 6, '2026-11-24 02:12:28.635584+00', 'create_remote_schema_remote_relationship', 'create', 'remote_schema:crm/remote_schema_remote_relationship:User/artist', 'remote_schema_remote_relationship', '{"type":"remote_schema_remote_relationship","name":"remote_schema_remote_relationship remote_relationship artist on type User in remote schema crm","key":{"remote_schema":"crm","type_name":"User","name":"artist"}}', NULL, '{"type_name":"User","name":"artist","definition":{"to_source":{"relationship_type":"array","source":"main","table":{"name":"artist","schema":"public"},"field_mapping":{"id":"id"}}}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"74addd9d-58f0-4775-86e0-9586f7619f2d","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (9, 1, '2026-11-24 02:12:28.669877+00', 'pg_create_array_relationship', 'create', 'source:main/table:public.artist/array_relation:sold', 'array_relation', '{"type":"array_relation","name":"array_relation sold in table artist in source main","key":{"source":"main","table":{"name":"artist","schema":"public"},"name":"sold"}}', NULL, '{"name":"sold","using":{"manual_configuration":{"remote_table":{"name":"album","schema":"shop"},"column_mapping":{"id":"artist_id"},"insertion_order":null}}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"a3047294-a3ed-4b33-9eee-cfc2e5573d66","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (9, 2, '2026-11-24 02:12:28.669877+00', 'pg_create_array_relationship', 'create', 'source:main/table:public.artist/array_relation:albums', 'array_relation', '{"type":"array_relation","name":"array_relation albums in table artist in source main","key":{"source":"main","table":{"name":"artist","schema":"public"},"name":"albums"}}', NULL, '{"name":"albums","using":{"foreign_key_constraint_on":{"table":{"name":"album","schema":"public"},"columns":["artist_id","artist_name"]}},"comment":"What they made"}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"a3047294-a3ed-4b33-9eee-cfc2e5573d66","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (9, 3, '2026-11-24 02:12:28.669877+00', 'pg_add_computed_field', 'create', 'source:main/table:public.artist/computed_field:label', 'computed_field', '{"type":"computed_field","name":"computed_field label in table artist in source main","key":{"source":"main","table":{"name":"artist","schema":"public"},"name":"label"}}', NULL, '{"name":"label","definition":{"function":{"name":"artist_label","schema":"public"},"table_argument":"own","session_argument":"session"},"comment":"What to show"}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"a3047294-a3ed-4b33-9eee-cfc2e5573d66","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (9, 4, '2026-11-24 02:12:28.669877+00', 'create_custom_type', 'update', 'custom_types:', 'custom_types', '{"type":"custom_types","name":"custom_types custom_types","key":{}}', '{"input_objects":[{"name":"Item","fields":[{"name":"sku","type":"String!"}]}]}', '{"input_objects":[{"name":"Item","fields":[{"name":"sku","type":"String!"}]}],"objects":[{"name":"Receipt","description":"What was paid","fields":[{"name":"number","type":"Int!","description":"Of the receipt"},{"name":"artist_id","type":"Int!"}],"relationships":[{"name":"artist","type":"object","source":"main","remote_table":{"name":"artist","schema":"public"},"field_mapping":{"artist_id":"id"}}]}]}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"a3047294-a3ed-4b33-9eee-cfc2e5573d66","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (10, 1, '2026-11-24 02:12:28.703949+00', 'pg_create_remote_relationship', 'create', 'source:main/table:public.artist/remote_relationship:client', 'remote_relationship', '{"type":"remote_relationship","name":"remote_relationship client in table artist in source main","key":{"source":"main","table":{"name":"artist","schema":"public"},"name":"client"}}', NULL, '{"name":"client","definition":{"to_remote_schema":{"remote_schema":"crm","lhs_fields":["id"],"remote_field":{"user":{"arguments":{"id":"$id"}}}}}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"0efd91aa-1c1b-4e19-acf1-b125bde9d881","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (11, 1, '2026-11-24 02:12:28.753711+00', 'pg_create_insert_permission', 'create', 'source:main/table:public.artist/insert_permission:user', 'insert_permission', '{"type":"insert_permission","name":"insert_permission user in table artist in source main","key":{"source":"main","table":{"name":"artist","schema":"public"},"role":"user"}}', NULL, '{"role":"user","permission":{"check":{"_or":[{"id":{"_gt":1}}],"owner":{"_eq":"X-Svc-User-Id"}},"set":{"owner":"X-Svc-User-Id"},"columns":["id","name"],"backend_only":true,"validate_input":{"type":"http","definition":{"url":"http://localhost:1/check","headers":[],"timeout":5,"forward_client_headers":true}}},"comment":"Their own"}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"ad541829-8c5b-4f81-be7f-c77b0fa04af6","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (11, 2, '2026-11-24 02:12:28.753711+00', 'pg_create_delete_permission', 'create', 'source:main/table:public.artist/delete_permission:user', 'delete_permission', '{"type":"delete_permission","name":"delete_permission user in table artist in source main","key":{"source":"main","table":{"name":"artist","schema":"public"},"role":"user"}}', NULL, '{"role":"user","permission":{"filter":{"_or":[{"id":{"_gt":1}}],"owner":{"_eq":"X-Svc-User-Id"}},"backend_only":true,"validate_input":{"type":"http","definition":{"url":"http://localhost:1/check","headers":[],"timeout":5,"forward_client_headers":true}}},"comment":"Their own"}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"ad541829-8c5b-4f81-be7f-c77b0fa04af6","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (11, 3, '2026-11-24 02:12:28.753711+00', 'pg_create_event_trigger', 'create', 'source:main/table:public.artist/event_trigger:on_artist', 'event_trigger', '{"type":"event_trigger","name":"event_trigger on_artist in table artist in source main","key":{"source":"main","table":{"name":"artist","schema":"public"},"name":"on_artist"}}', NULL, '{"name":"on_artist","definition":{"enable_manual":true,"insert":{"columns":"*"},"update":{"columns":["name","owner"],"payload":["id","name"]}},"retry_conf":{"num_retries":3,"interval_sec":20,"timeout_sec":30},"webhook":"http://localhost:1/artist","headers":[{"name":"x-who","value":"the provider"}],"request_transform":{"version":2,"template_engine":"Kriti","method":"PUT","url":"{{$base_url}}/all","query_params":{"all":null,"of":"{{$body.table.name}}"},"request_headers":{"remove_headers":["x-old"]},"body":{"action":"transform","template":"{{$body.event}}"}},"response_transform":{"version":2,"template_engine":"Kriti","body":{"action":"remove"}},"cleanup_config":{"schedule":"0 3 * * *","clear_older_than":168,"batch_size":500,"timeout":30,"clean_invocation_logs":true,"paused":false},"trigger_on_replication":true,"comment":"For the shop"}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"ad541829-8c5b-4f81-be7f-c77b0fa04af6","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (11, 4, '2026-11-24 02:12:28.753711+00', 'pg_create_select_permission', 'create', 'source:main/table:public.album/select_permission:user', 'select_permission', '{"type":"select_permission","name":"select_permission user in table album in source main","key":{"source":"main","table":{"name":"album","schema":"public"},"role":"user"}}', NULL, '{"role":"user","permission":{"columns":"*","filter":{}}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"ad541829-8c5b-4f81-be7f-c77b0fa04af6","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (11, 5, '2026-11-24 02:12:28.753711+00', 'pg_create_select_permission', 'create', 'source:main/table:public.album/select_permission:guest', 'select_permission', '{"type":"select_permission","name":"select_permission guest in table album in source main","key":{"source":"main","table":{"name":"album","schema":"public"},"role":"guest"}}', NULL, '{"role":"guest","permission":{"columns":"*","filter":{}}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"ad541829-8c5b-4f81-be7f-c77b0fa04af6","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (11, 6, '2026-11-24 02:12:28.753711+00', 'pg_create_select_permission', 'create', 'source:twin/table:public.album/select_permission:user', 'select_permission', '{"type":"select_permission","name":"select_permission user in table album in source twin","key":{"source":"twin","table":{"name":"album","schema":"public"},"role":"user"}}', NULL, '{"role":"user","permission":{"columns":"*","filter":{}}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"ad541829-8c5b-4f81-be7f-c77b0fa04af6","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (11, 7, '2026-11-24 02:12:28.753711+00', 'create_query_collection', 'create', 'query_collection:others', 'query_collection', '{"type":"query_collection","name":"query_collection others","key":{"name":"others"}}', NULL, '{"name":"others","definition":{"queries":[{"name":"titles","query":"query titles { album { title } }"}]}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"ad541829-8c5b-4f81-be7f-c77b0fa04af6","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (11, 8, '2026-11-24 02:12:28.753711+00', 'create_query_collection', 'create', 'query_collection:albums', 'query_collection', '{"type":"query_collection","name":"query_collection albums","key":{"name":"albums"}}', NULL, '{"name":"albums","definition":{"queries":[{"name":"titles","query":"query titles { album { title } }"},{"name":"by_id","query":"query by_id($id: Int!) { album(where: { id: { _eq: $id } }) { title } }"}]},"comment":"For the shop"}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"ad541829-8c5b-4f81-be7f-c77b0fa04af6","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (12, 1, '2026-11-24 02:12:28.785389+00', 'pg_create_object_relationship', 'create', 'source:main/table:public.album/object_relation:artist', 'object_relation', '{"type":"object_relation","name":"object_relation artist in table album in source main","key":{"source":"main","table":{"name":"album","schema":"public"},"name":"artist"}}', NULL, '{"name":"artist","using":{"foreign_key_constraint_on":["artist_id","artist_name"]},"comment":"Who made it"}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"6a4eb06a-ef08-4ac1-a8b4-b5134748b9bb","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (12, 2, '2026-11-24 02:12:28.785389+00', 'pg_create_remote_relationship', 'create', 'source:main/table:shop.album/remote_relationship:client', 'remote_relationship', '{"type":"remote_relationship","name":"remote_relationship client in table shop.album in source main","key":{"source":"main","table":{"name":"album","schema":"shop"},"name":"client"}}', NULL, '{"name":"client","definition":{"to_remote_schema":{"remote_schema":"crm","lhs_fields":["id"],"remote_field":{"user":{"arguments":{"id":"$id"}}}}}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"6a4eb06a-ef08-4ac1-a8b4-b5134748b9bb","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (13, 1, '2026-11-24 02:12:28.804353+00', 'pg_create_select_permission', 'create', 'source:main/table:shop.album/select_permission:clerk', 'select_permission', '{"type":"select_permission","name":"select_permission clerk in table shop.album in source main","key":{"source":"main","table":{"name":"album","schema":"shop"},"role":"clerk"}}', NULL, '{"role":"clerk","permission":{"columns":"*","filter":{}}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"f5b5ead9-6104-42a6-9e0c-e31af96e0754","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (14, 1, '2026-11-24 02:12:28.828276+00', 'pg_create_event_trigger', 'create', 'source:main/table:shop.album/event_trigger:on_sale', 'event_trigger', '{"type":"event_trigger","name":"event_trigger on_sale in table shop.album in source main","key":{"source":"main","table":{"name":"album","schema":"shop"},"name":"on_sale"}}', NULL, '{"name":"on_sale","definition":{"enable_manual":false,"insert":{"columns":"*"}},"retry_conf":{"num_retries":0,"interval_sec":10,"timeout_sec":60},"webhook":"http://localhost:1/sale"}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"28e21a28-2f1a-400d-9208-893497157458","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (17, 1, '2026-11-24 02:12:28.879643+00', 'pg_create_function_permission', 'create', 'source:main/function:public.search_albums/function_permission:user', 'function_permission', '{"type":"function_permission","name":"function_permission user permission for function search_albums in source main","key":{"source":"main","function":{"name":"search_albums","schema":"public"},"role":"user"}}', NULL, '{"role":"user"}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"47d8c997-a1fa-4fb0-835f-14c00475c700","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (18, 1, '2026-11-24 02:12:28.890845+00', 'create_action', 'create', 'action:sing', 'action', '{"type":"action","name":"action sing","key":{"name":"sing"}}', NULL, '{"name":"sing","definition":{"handler":"http://localhost:1/sing","output_type":"Parcel","ignored_client_headers":["Content-Length","Content-MD5","User-Agent","Host","Origin","Referer","Accept","Accept-Encoding","Accept-Language","Accept-Datetime","Cache-Control","Connection","DNT","Content-Type"],"arguments":[{"name":"items","type":"[Item!]!"}],"type":"mutation","kind":"synchronous"}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"6ed35467-252e-4fa6-8304-be0ac3bcb8a3","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (19, 1, '2026-11-24 02:12:28.902164+00', 'create_action_permission', 'create', 'action:shout/action_permission:user', 'action_permission', '{"type":"action_permission","name":"action_permission user permission in shout","key":{"action":"shout","role":"user"}}', NULL, '{"role":"user","comment":"Everybody may"}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"37e694f8-66a5-48f1-b4bb-f0dfae954a21","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (15, 1, '2026-11-24 02:12:28.849239+00', 'create_remote_schema_remote_relationship', 'create', 'remote_schema:support/remote_schema_remote_relationship:User/sold', 'remote_schema_remote_relationship', '{"type":"remote_schema_remote_relationship","name":"remote_schema_remote_relationship remote_relationship sold on type User in remote schema support","key":{"remote_schema":"support","type_name":"User","name":"sold"}}', NULL, '{"type_name":"User","name":"sold","definition":{"to_source":{"relationship_type":"array","source":"main","table":{"name":"album","schema":"shop"},"field_mapping":{"id":"artist_id"}}}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"791af36d-a394-4739-9cbb-94814d0c9dfa","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (15, 2, '2026-11-24 02:12:28.849239+00', 'create_custom_type', 'update', 'custom_types:', 'custom_types', '{"type":"custom_types","name":"custom_types custom_types","key":{}}', '{"input_objects":[{"name":"Item","fields":[{"name":"sku","type":"String!"}]}],"objects":[{"name":"Receipt","description":"What was paid","fields":[{"name":"number","type":"Int!","description":"Of the receipt"},{"name":"artist_id","type":"Int!"}],"relationships":[{"name":"artist","type":"object","source":"main","remote_table":{"name":"artist","schema":"public"},"field_mapping":{"artist_id":"id"}}]}]}', '{"input_objects":[{"name":"Item","fields":[{"name":"sku","type":"String!"}]}],"objects":[{"name":"Receipt","description":"What was paid","fields":[{"name":"number","type":"Int!","description":"Of the receipt"},{"name":"artist_id","type":"Int!"}],"relationships":[{"name":"artist","type":"object","source":"main","remote_table":{"name":"artist","schema":"public"},"field_mapping":{"artist_id":"id"}}]},{"name":"Parcel","fields":[{"name":"artist_id","type":"Int!"},{"name":"receipts","type":"[Receipt!]"}],"relationships":[{"name":"sold","type":"array","source":"main","remote_table":{"name":"album","schema":"shop"},"field_mapping":{"artist_id":"artist_id"}}]}]}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"791af36d-a394-4739-9cbb-94814d0c9dfa","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (16, 1, '2026-11-24 02:12:28.870708+00', 'add_collection_to_allowlist', 'create', 'allowlist:albums', 'allowlist', '{"type":"allowlist","name":"allowlist albums","key":{"collection":"albums"}}', NULL, '{"collection":"albums","scope":{"global":false,"roles":["guest","user"]}}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"cdeed1ca-c953-4ccb-8af8-c2676965099f","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (16, 2, '2026-11-24 02:12:28.870708+00', 'create_action', 'create', 'action:shout', 'action', '{"type":"action","name":"action shout","key":{"name":"shout"}}', NULL, '{"name":"shout","definition":{"handler":"{{SVC_TEST_OTHER_URL}}/shout","output_type":"[Receipt!]!","forward_client_headers":true,"ignored_client_headers":["Cookie"],"headers":[{"name":"x-who","value":"the provider"}],"arguments":[{"name":"item","type":"Item"},{"name":"items","type":"[Item!]!"}],"request_transform":{"version":2,"template_engine":"Kriti","method":"PUT"},"response_transform":{"version":2,"template_engine":"Kriti","body":{"action":"transform","template":"{{$body}}"}},"type":"mutation","kind":"asynchronous","timeout":5},"comment":"Says it aloud"}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"cdeed1ca-c953-4ccb-8af8-c2676965099f","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (16, 3, '2026-11-24 02:12:28.870708+00', 'create_rest_endpoint', 'create', 'rest_endpoint:album_titles', 'rest_endpoint', '{"type":"rest_endpoint","name":"rest_endpoint album_titles","key":{"name":"album_titles"}}', NULL, '{"name":"album_titles","url":"albums/titles","methods":["GET","POST"],"definition":{"query":{"collection_name":"albums","query_name":"titles"}},"comment":"For the shop"}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"cdeed1ca-c953-4ccb-8af8-c2676965099f","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (16, 4, '2026-11-24 02:12:28.870708+00', 'add_inherited_role', 'create', 'inherited_role:editor', 'inherited_role', '{"type":"inherited_role","name":"inherited_role inherited role editor","key":{"role_name":"editor"}}', NULL, '{"role_name":"editor","role_set":["guest","user"]}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"cdeed1ca-c953-4ccb-8af8-c2676965099f","session_variables":{"x-svc-role":"admin"}}');
INSERT INTO svc_catalog.change_log VALUES (16, 5, '2026-11-24 02:12:28.870708+00', 'add_inherited_role', 'create', 'inherited_role:boss', 'inherited_role', '{"type":"inherited_role","name":"inherited_role inherited role boss","key":{"role_name":"boss"}}', NULL, '{"role_name":"boss","role_set":["clerk"]}', '{"role":"admin","actor":"terraform, root@vm","user_agent":"svc-terraform/0.1.0","request_id":"cdeed1ca-c953-4ccb-8af8-c2676965099f","session_variables":{"x-svc-role":"admin"}}');


--
-- Data for Name: event_invocation_logs; Type: TABLE DATA; Schema: svc_catalog; Owner: -
--



--
-- Data for Name: event_log; Type: TABLE DATA; Schema: svc_catalog; Owner: -
--



--
-- Data for Name: metadata; Type: TABLE DATA; Schema: svc_catalog; Owner: -
--

INSERT INTO svc_catalog.metadata VALUES (1, 19, 1, 0);


--
-- Data for Name: metadata_object; Type: TABLE DATA; Schema: svc_catalog; Owner: -
--

INSERT INTO svc_catalog.metadata_object VALUES ('source:default', 'source', '{"name":"default","kind":"postgres","configuration":{"connection_info":{"database_url":{"from_env":"SVC_GRAPHQL_DATABASE_URL"},"isolation_level":"read-committed","pool_settings":{"max_connections":50,"idle_timeout":180,"retries":1,"connection_lifetime":600},"use_prepared_statements":false}}}', 1);
INSERT INTO svc_catalog.metadata_object VALUES ('remote_schema:support', 'remote_schema', '{"name":"support","definition":{"url":"https://remote.example/graphql","timeout_seconds":60,"customization":{"root_fields_namespace":"support","type_names":{"prefix":"support_"}}}}', 2);
INSERT INTO svc_catalog.metadata_object VALUES ('source:main', 'source', '{"name":"main","kind":"postgres","configuration":{"connection_info":{"database_url":"postgres://user:password@database.example/kept","isolation_level":"read-committed","pool_settings":{"max_connections":5,"idle_timeout":180,"retries":1,"connection_lifetime":600},"ssl_configuration":{"sslmode":"disable"},"use_prepared_statements":false}},"health_check":{"test":{"sql":"SELECT 1"},"interval":60,"retries":3,"retry_interval":10,"timeout":10}}', 3);
INSERT INTO svc_catalog.metadata_object VALUES ('source:twin', 'source', '{"name":"twin","kind":"postgres","configuration":{"connection_info":{"database_url":"postgres://user:password@database.example/kept","isolation_level":"read-committed","use_prepared_statements":false}},"customization":{"root_fields":{"prefix":"second_"},"type_names":{"prefix":"second_"}}}', 3);
INSERT INTO svc_catalog.metadata_object VALUES ('cron_trigger:daily_report', 'cron_trigger', '{"name":"daily_report","webhook":"http://localhost:1/report","schedule":"0 5 * * *","include_in_metadata":true,"payload":{"of":"yesterday"},"retry_conf":{"num_retries":3,"retry_interval_seconds":20,"timeout_seconds":30,"tolerance_seconds":3600},"headers":[{"name":"x-who","value":"the provider"}],"comment":"For the owner","request_transform":{"version":2,"template_engine":"Kriti","method":"PUT"},"response_transform":{"version":2,"template_engine":"Kriti","body":{"action":"transform","template":"{{$body}}"}}}', 3);
INSERT INTO svc_catalog.metadata_object VALUES ('api_limits:', 'api_limits', '{"depth_limit":{"global":7,"per_role":{"user":5}},"node_limit":{"global":100},"time_limit":{"global":2.5,"per_role":{"user":1}},"rate_limit":{"global":{"max_reqs_per_min":100,"unique_params":"IP"},"per_role":{"user":{"max_reqs_per_min":50,"unique_params":["x-svc-user-id"]}}}}', 3);
INSERT INTO svc_catalog.metadata_object VALUES ('metrics_config:', 'metrics_config', '{"analyze_query_variables":true,"analyze_response_body":true}', 3);
INSERT INTO svc_catalog.metadata_object VALUES ('graphql_schema_introspection:', 'graphql_schema_introspection', '{"disabled_for_roles":["guest","user"]}', 3);
INSERT INTO svc_catalog.metadata_object VALUES ('network:', 'network', '{"tls_allowlist":[{"host":"collector.internal","suffix":"4318","permissions":["self-signed"]}]}', 3);
INSERT INTO svc_catalog.metadata_object VALUES ('opentelemetry:', 'opentelemetry', '{"status":"disabled","data_types":["metrics","traces"],"exporter_otlp":{"otlp_traces_endpoint":"http://localhost:1/v1/traces","otlp_metrics_endpoint":"http://localhost:1/v1/metrics","protocol":"http/protobuf","headers":[{"name":"x-key","value_from_env":"SVC_TEST_OTHER_URL"}],"resource_attributes":[{"name":"service.name","value":"shop"}],"traces_propagators":["tracecontext"]},"batch_span_processor":{"max_export_batch_size":100}}', 3);
INSERT INTO svc_catalog.metadata_object VALUES ('remote_schema:crm', 'remote_schema', '{"name":"crm","definition":{"url":"https://remote.example/graphql","timeout_seconds":10,"customization":{"root_fields_namespace":"crm","type_names":{"prefix":"Crm","mapping":{"User":"Person"}},"field_names":[{"parent_type":"User","prefix":"user_","mapping":{"name":"title"}}]},"headers":[{"name":"x-who","value":"the provider"}],"forward_client_headers":true},"comment":"Who buys"}', 4);
INSERT INTO svc_catalog.metadata_object VALUES ('source:main/table:public.artist', 'table', '{"table":{"name":"artist","schema":"public"}}', 5);
INSERT INTO svc_catalog.metadata_object VALUES ('source:main/table:public.track', 'table', '{"table":{"name":"track","schema":"public"}}', 5);
INSERT INTO svc_catalog.metadata_object VALUES ('source:main/table:public.album', 'table', '{"table":{"name":"album","schema":"public"}}', 5);
INSERT INTO svc_catalog.metadata_object VALUES ('source:main/table:shop.album', 'table', '{"table":{"name":"album","schema":"shop"},"configuration":{"column_config":{},"comment":"A kind of music","custom_column_names":{},"custom_name":"shop_album","custom_root_fields":{"select":"kinds","select_by_pk":{"name":"kind","comment":"One kind"}}}}', 5);
INSERT INTO svc_catalog.metadata_object VALUES ('source:main/function:public.search_albums', 'function', '{"function":{"name":"search_albums","schema":"public"},"configuration":{"session_argument":"session","exposed_as":"query","custom_name":"find_albums","custom_root_fields":{"function":"found_albums"}},"comment":"By a word"}', 5);
INSERT INTO svc_catalog.metadata_object VALUES ('source:main/function:shop.search_albums', 'function', '{"function":{"name":"search_albums","schema":"shop"},"configuration":{"custom_name":"shop_search"}}', 5);
INSERT INTO svc_catalog.metadata_object VALUES ('source:main/logical_model:top_album', 'logical_model', '{"name":"top_album","fields":[{"name":"id","type":{"scalar":"integer","nullable":false},"description":"Its key"},{"name":"titles","type":{"array":{"scalar":"text","nullable":false},"nullable":true}}],"description":"An album and its titles"}', 5);
INSERT INTO svc_catalog.metadata_object VALUES ('source:main/logical_model:low_album', 'logical_model', '{"name":"low_album","fields":[{"name":"id","type":{"scalar":"integer","nullable":false}},{"name":"titles","type":{"array":{"scalar":"text","nullable":false},"nullable":true}}]}', 5);
INSERT INTO svc_catalog.metadata_object VALUES ('source:twin/table:public.album', 'table', '{"table":{"name":"album","schema":"public"}}', 5);
INSERT INTO svc_catalog.metadata_object VALUES ('source:twin/table:public.artist', 'table', '{"table":{"name":"artist","schema":"public"}}', 5);
INSERT INTO svc_catalog.metadata_object VALUES ('source:twin/table:public.track', 'table', '{"table":{"name":"track","schema":"public"}}', 6);
INSERT INTO svc_catalog.metadata_object VALUES ('source:twin/function:shop.search_albums', 'function', '{"function":{"name":"search_albums","schema":"shop"}}', 6);
INSERT INTO svc_catalog.metadata_object VALUES ('source:twin/logical_model:twin_album', 'logical_model', '{"name":"twin_album","fields":[{"name":"id","type":{"scalar":"integer","nullable":false}},{"name":"titles","type":{"array":{"scalar":"text","nullable":false},"nullable":true}}]}', 7);
INSERT INTO svc_catalog.metadata_object VALUES ('remote_schema:support/remote_schema_remote_relationship:User/client', 'remote_schema_remote_relationship', '{"type_name":"User","name":"client","definition":{"to_remote_schema":{"remote_schema":"crm","lhs_fields":["id"],"remote_field":{"user":{"arguments":{"id":"$id"}}}}}}', 7);
INSERT INTO svc_catalog.metadata_object VALUES ('remote_schema:crm/remote_schema_permission:user', 'remote_schema_permission', '{"role":"user","definition":{"schema":"# what a user sees\ntype Query { user(id: Int! @preset(value: \"x-svc-user-id\"), lang: String): User  users(by: Search): [User!]! }\ntype User { id: Int!  name: String }\ninput Search { name: String  owner: Int @preset(value: 7) }\n"},"comment":"Themselves"}', 7);
INSERT INTO svc_catalog.metadata_object VALUES ('remote_schema:crm/remote_schema_remote_relationship:Employer/boss', 'remote_schema_remote_relationship', '{"type_name":"Employer","name":"boss","definition":{"to_remote_schema":{"remote_schema":"crm","lhs_fields":["id"],"remote_field":{"user":{"arguments":{"id":"$id"}}}}}}', 7);
INSERT INTO svc_catalog.metadata_object VALUES ('source:main/table:public.artist/select_permission:user', 'select_permission', '{"role":"user","permission":{"columns":["id","name"],"filter":{"_or":[{"id":{"_gt":1}}],"owner":{"_eq":"X-Svc-User-Id"}},"limit":100,"allow_aggregations":true,"query_root_fields":["select","select_by_pk"],"subscription_root_fields":["select"]},"comment":"Their own"}', 8);
INSERT INTO svc_catalog.metadata_object VALUES ('source:main/table:public.artist/update_permission:user', 'update_permission', '{"role":"user","permission":{"columns":["id","name"],"filter":{"_or":[{"id":{"_gt":1}}],"owner":{"_eq":"X-Svc-User-Id"}},"check":{"name":{"_is_null":false}},"set":{"owner":"X-Svc-User-Id"},"backend_only":true,"validate_input":{"type":"http","definition":{"url":"http://localhost:1/check","headers":[],"timeout":5,"forward_client_headers":true}}},"comment":"Their own"}', 8);
INSERT INTO svc_catalog.metadata_object VALUES ('source:main/native_query:top_albums', 'native_query', '{"root_field_name":"top_albums","code":"SELECT id, ARRAY[title] AS titles FROM album LIMIT {{most}}","arguments":{"most":{"type":"integer","nullable":false,"description":"How many"}},"returns":"top_album","description":"The best","object_relationships":[{"name":"album","using":{"manual_configuration":{"remote_table":{"name":"album","schema":"public"},"column_mapping":{"id":"id"},"insertion_order":null}},"comment":"All of it"}],"array_relationships":[{"name":"tracks","using":{"manual_configuration":{"remote_table":{"name":"track","schema":"public"},"column_mapping":{"id":"album_id"},"insertion_order":null}}}]}', 8);
INSERT INTO svc_catalog.metadata_object VALUES ('source:main/logical_model:top_album/logical_model_select_permission:user', 'logical_model_select_permission', '{"role":"user","permission":{"columns":["id"],"filter":{"id":{"_gt":1}}},"comment":"Not the first"}', 8);
INSERT INTO svc_catalog.metadata_object VALUES ('source:twin/table:public.artist/remote_relationship:sold_elsewhere', 'remote_relationship', '{"name":"sold_elsewhere","definition":{"to_source":{"relationship_type":"array","source":"main","table":{"name":"album","schema":"shop"},"field_mapping":{"id":"artist_id"}}}}', 8);
INSERT INTO svc_catalog.metadata_object VALUES ('remote_schema:crm/remote_schema_remote_relationship:User/artist', 'remote_schema_remote_relationship', '{"type_name":"User","name":"artist","definition":{"to_source":{"relationship_type":"array","source":"main","table":{"name":"artist","schema":"public"},"field_mapping":{"id":"id"}}}}', 8);
INSERT INTO svc_catalog.metadata_object VALUES ('source:main/table:public.artist/array_relation:sold', 'array_relation', '{"name":"sold","using":{"manual_configuration":{"remote_table":{"name":"album","schema":"shop"},"column_mapping":{"id":"artist_id"},"insertion_order":null}}}', 9);
INSERT INTO svc_catalog.metadata_object VALUES ('source:main/table:public.artist/array_relation:albums', 'array_relation', '{"name":"albums","using":{"foreign_key_constraint_on":{"table":{"name":"album","schema":"public"},"columns":["artist_id","artist_name"]}},"comment":"What they made"}', 9);
INSERT INTO svc_catalog.metadata_object VALUES ('source:main/table:public.artist/computed_field:label', 'computed_field', '{"name":"label","definition":{"function":{"name":"artist_label","schema":"public"},"table_argument":"own","session_argument":"session"},"comment":"What to show"}', 9);
INSERT INTO svc_catalog.metadata_object VALUES ('source:main/table:public.artist/remote_relationship:client', 'remote_relationship', '{"name":"client","definition":{"to_remote_schema":{"remote_schema":"crm","lhs_fields":["id"],"remote_field":{"user":{"arguments":{"id":"$id"}}}}}}', 10);
INSERT INTO svc_catalog.metadata_object VALUES ('source:main/table:public.artist/insert_permission:user', 'insert_permission', '{"role":"user","permission":{"check":{"_or":[{"id":{"_gt":1}}],"owner":{"_eq":"X-Svc-User-Id"}},"set":{"owner":"X-Svc-User-Id"},"columns":["id","name"],"backend_only":true,"validate_input":{"type":"http","definition":{"url":"http://localhost:1/check","headers":[],"timeout":5,"forward_client_headers":true}}},"comment":"Their own"}', 11);
INSERT INTO svc_catalog.metadata_object VALUES ('source:main/table:public.artist/delete_permission:user', 'delete_permission', '{"role":"user","permission":{"filter":{"_or":[{"id":{"_gt":1}}],"owner":{"_eq":"X-Svc-User-Id"}},"backend_only":true,"validate_input":{"type":"http","definition":{"url":"http://localhost:1/check","headers":[],"timeout":5,"forward_client_headers":true}}},"comment":"Their own"}', 11);
INSERT INTO svc_catalog.metadata_object VALUES ('source:main/table:public.artist/event_trigger:on_artist', 'event_trigger', '{"name":"on_artist","definition":{"enable_manual":true,"insert":{"columns":"*"},"update":{"columns":["name","owner"],"payload":["id","name"]}},"retry_conf":{"num_retries":3,"interval_sec":20,"timeout_sec":30},"webhook":"http://localhost:1/artist","headers":[{"name":"x-who","value":"the provider"}],"request_transform":{"version":2,"template_engine":"Kriti","method":"PUT","url":"{{$base_url}}/all","query_params":{"all":null,"of":"{{$body.table.name}}"},"request_headers":{"remove_headers":["x-old"]},"body":{"action":"transform","template":"{{$body.event}}"}},"response_transform":{"version":2,"template_engine":"Kriti","body":{"action":"remove"}},"cleanup_config":{"schedule":"0 3 * * *","clear_older_than":168,"batch_size":500,"timeout":30,"clean_invocation_logs":true,"paused":false},"trigger_on_replication":true,"comment":"For the shop"}', 11);
INSERT INTO svc_catalog.metadata_object VALUES ('source:main/table:public.album/select_permission:user', 'select_permission', '{"role":"user","permission":{"columns":"*","filter":{}}}', 11);
INSERT INTO svc_catalog.metadata_object VALUES ('source:main/table:public.album/select_permission:guest', 'select_permission', '{"role":"guest","permission":{"columns":"*","filter":{}}}', 11);
INSERT INTO svc_catalog.metadata_object VALUES ('source:twin/table:public.album/select_permission:user', 'select_permission', '{"role":"user","permission":{"columns":"*","filter":{}}}', 11);
INSERT INTO svc_catalog.metadata_object VALUES ('query_collection:others', 'query_collection', '{"name":"others","definition":{"queries":[{"name":"titles","query":"query titles { album { title } }"}]}}', 11);
INSERT INTO svc_catalog.metadata_object VALUES ('query_collection:albums', 'query_collection', '{"name":"albums","definition":{"queries":[{"name":"titles","query":"query titles { album { title } }"},{"name":"by_id","query":"query by_id($id: Int!) { album(where: { id: { _eq: $id } }) { title } }"}]},"comment":"For the shop"}', 11);
INSERT INTO svc_catalog.metadata_object VALUES ('source:main/table:public.album/object_relation:artist', 'object_relation', '{"name":"artist","using":{"foreign_key_constraint_on":["artist_id","artist_name"]},"comment":"Who made it"}', 12);
INSERT INTO svc_catalog.metadata_object VALUES ('source:main/table:shop.album/remote_relationship:client', 'remote_relationship', '{"name":"client","definition":{"to_remote_schema":{"remote_schema":"crm","lhs_fields":["id"],"remote_field":{"user":{"arguments":{"id":"$id"}}}}}}', 12);
INSERT INTO svc_catalog.metadata_object VALUES ('source:main/table:shop.album/select_permission:clerk', 'select_permission', '{"role":"clerk","permission":{"columns":"*","filter":{}}}', 13);
INSERT INTO svc_catalog.metadata_object VALUES ('source:main/table:shop.album/event_trigger:on_sale', 'event_trigger', '{"name":"on_sale","definition":{"enable_manual":false,"insert":{"columns":"*"}},"retry_conf":{"num_retries":0,"interval_sec":10,"timeout_sec":60},"webhook":"http://localhost:1/sale"}', 14);
INSERT INTO svc_catalog.metadata_object VALUES ('remote_schema:support/remote_schema_remote_relationship:User/sold', 'remote_schema_remote_relationship', '{"type_name":"User","name":"sold","definition":{"to_source":{"relationship_type":"array","source":"main","table":{"name":"album","schema":"shop"},"field_mapping":{"id":"artist_id"}}}}', 15);
INSERT INTO svc_catalog.metadata_object VALUES ('source:main/function:public.search_albums/function_permission:user', 'function_permission', '{"role":"user"}', 17);
INSERT INTO svc_catalog.metadata_object VALUES ('custom_types:', 'custom_types', '{"input_objects":[{"name":"Item","fields":[{"name":"sku","type":"String!"}]}],"objects":[{"name":"Receipt","description":"What was paid","fields":[{"name":"number","type":"Int!","description":"Of the receipt"},{"name":"artist_id","type":"Int!"}],"relationships":[{"name":"artist","type":"object","source":"main","remote_table":{"name":"artist","schema":"public"},"field_mapping":{"artist_id":"id"}}]},{"name":"Parcel","fields":[{"name":"artist_id","type":"Int!"},{"name":"receipts","type":"[Receipt!]"}],"relationships":[{"name":"sold","type":"array","source":"main","remote_table":{"name":"album","schema":"shop"},"field_mapping":{"artist_id":"artist_id"}}]}]}', 15);
INSERT INTO svc_catalog.metadata_object VALUES ('allowlist:albums', 'allowlist', '{"collection":"albums","scope":{"global":false,"roles":["guest","user"]}}', 16);
INSERT INTO svc_catalog.metadata_object VALUES ('action:shout', 'action', '{"name":"shout","definition":{"handler":"{{SVC_TEST_OTHER_URL}}/shout","output_type":"[Receipt!]!","forward_client_headers":true,"ignored_client_headers":["Cookie"],"headers":[{"name":"x-who","value":"the provider"}],"arguments":[{"name":"item","type":"Item"},{"name":"items","type":"[Item!]!"}],"request_transform":{"version":2,"template_engine":"Kriti","method":"PUT"},"response_transform":{"version":2,"template_engine":"Kriti","body":{"action":"transform","template":"{{$body}}"}},"type":"mutation","kind":"asynchronous","timeout":5},"comment":"Says it aloud"}', 16);
INSERT INTO svc_catalog.metadata_object VALUES ('rest_endpoint:album_titles', 'rest_endpoint', '{"name":"album_titles","url":"albums/titles","methods":["GET","POST"],"definition":{"query":{"collection_name":"albums","query_name":"titles"}},"comment":"For the shop"}', 16);
INSERT INTO svc_catalog.metadata_object VALUES ('inherited_role:editor', 'inherited_role', '{"role_name":"editor","role_set":["guest","user"]}', 16);
INSERT INTO svc_catalog.metadata_object VALUES ('inherited_role:boss', 'inherited_role', '{"role_name":"boss","role_set":["clerk"]}', 16);
INSERT INTO svc_catalog.metadata_object VALUES ('action:sing', 'action', '{"name":"sing","definition":{"handler":"http://localhost:1/sing","output_type":"Parcel","ignored_client_headers":["Content-Length","Content-MD5","User-Agent","Host","Origin","Referer","Accept","Accept-Encoding","Accept-Language","Accept-Datetime","Cache-Control","Connection","DNT","Content-Type"],"arguments":[{"name":"items","type":"[Item!]!"}],"type":"mutation","kind":"synchronous"}}', 18);
INSERT INTO svc_catalog.metadata_object VALUES ('action:shout/action_permission:user', 'action_permission', '{"role":"user","comment":"Everybody may"}', 19);


--
-- Data for Name: pending_source_change; Type: TABLE DATA; Schema: svc_catalog; Owner: -
--



--
-- Data for Name: svc_action_log; Type: TABLE DATA; Schema: svc_catalog; Owner: -
--



--
-- Data for Name: svc_cron_event_invocation_logs; Type: TABLE DATA; Schema: svc_catalog; Owner: -
--



--
-- Data for Name: svc_cron_events; Type: TABLE DATA; Schema: svc_catalog; Owner: -
--

INSERT INTO svc_catalog.svc_cron_events VALUES ('105f4361-bd99-42f2-b23c-22d0d2fc5e9f', 'daily_report', '2026-11-24 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('6a38a968-974d-41a0-ac9e-11c754811cec', 'daily_report', '2026-11-25 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('46173356-9fa5-4a0c-979e-128d5ab29b9f', 'daily_report', '2026-11-26 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('7a8b0b76-7e20-4659-b7ca-f610b0f44fb1', 'daily_report', '2026-11-27 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('780e23c7-3bda-4593-9fb7-818be2192ed6', 'daily_report', '2026-11-28 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('c9858e32-d173-46e9-af9d-5f81c854ff09', 'daily_report', '2026-11-29 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('c5f7989b-310f-43a5-9f88-9147c980c82f', 'daily_report', '2026-11-30 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('4139d8e6-9d39-42bf-afa7-a34534ca0a68', 'daily_report', '2026-12-01 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('8bae7ac8-4e9f-449f-921b-7258b4f5f704', 'daily_report', '2026-12-02 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('b2a5055e-b088-4ae7-a51d-5085ffb72518', 'daily_report', '2026-12-03 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('69c7b11a-0752-4a0d-a569-e3e182f96a6e', 'daily_report', '2026-12-04 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('5b24a1cb-c2ad-467f-b6b9-4cb1c6694e69', 'daily_report', '2026-12-05 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('2595d834-f805-443c-ad44-65005c624563', 'daily_report', '2026-12-06 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('4bb88bdb-211d-45b2-824e-dce99d83ce16', 'daily_report', '2026-12-07 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('5ce30693-726d-4312-9757-ab93d7212375', 'daily_report', '2026-12-08 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('9efc0835-19e0-41f3-a8ad-539b74e702be', 'daily_report', '2026-12-09 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('63fc7c39-7bad-4032-b91a-a7431f8ebde6', 'daily_report', '2026-12-10 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('64d24e80-3552-48a8-ae46-643c0fb3c2cb', 'daily_report', '2026-12-11 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('496183cc-e7c3-4fb0-a7fd-bc35a875f073', 'daily_report', '2026-12-12 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('480166b3-47b4-4002-b21f-387a45f6dba6', 'daily_report', '2026-12-13 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('6215f3d6-1bc1-4a12-a789-57f1e9a23002', 'daily_report', '2026-12-14 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('85be4bbb-239e-4a3d-a4a4-435a53448c65', 'daily_report', '2026-12-15 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('9225a13c-47bd-459e-9479-ba41f568de88', 'daily_report', '2026-12-16 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('f64ef1ac-fc21-4a72-8017-2d539a29aa79', 'daily_report', '2026-12-17 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('0d93cfc1-47f0-4deb-a6a8-e0630b0a84ba', 'daily_report', '2026-12-18 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('a069c86a-8e91-4f3f-a2e4-651e2b5086d4', 'daily_report', '2026-12-19 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('583ae240-2ad3-4aa1-a4a6-0571bc50c960', 'daily_report', '2026-12-20 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('3f1ac6f0-2894-4995-a382-6a54ecdfcb8e', 'daily_report', '2026-12-21 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('7a02ff35-f84c-4ab5-ae15-f120c93b7e55', 'daily_report', '2026-12-22 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('30047ab1-9af1-4d83-bbdf-6be4bdcb0a71', 'daily_report', '2026-12-23 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('ab843817-9e35-4cc1-b8ae-8538ab4e7fcc', 'daily_report', '2026-12-24 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('a30a2f8a-bcaa-4db2-9934-7a9efbd796ba', 'daily_report', '2026-12-25 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('e5a511ee-e3d2-47b0-9a85-e24b84cd99f6', 'daily_report', '2026-12-26 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('b1d32ee6-957f-4278-abed-4a65eb3e786b', 'daily_report', '2026-12-27 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('4ab6aa51-2dad-4ce1-aeb7-df15916936f0', 'daily_report', '2026-12-28 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('b123af97-3e0b-4c0f-9322-d8bb6021b206', 'daily_report', '2026-12-29 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('f66716ee-bae2-4f07-be1a-6de5ae47548b', 'daily_report', '2026-12-30 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('bd4fe425-040b-4f18-bdf7-135eac4fb9dc', 'daily_report', '2026-12-31 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('ada14143-5e3c-49bc-9aab-53f41992ec2e', 'daily_report', '2027-01-01 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('0c0bda11-0b9a-46fd-9c84-4f6d68465851', 'daily_report', '2027-01-02 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('8d0d4bee-d350-45a2-ad56-f85a1e173b6a', 'daily_report', '2027-01-03 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('ef121a49-dbdb-4c0c-99a5-e9c71c3d1718', 'daily_report', '2027-01-04 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('c73235a7-c3b6-4261-b5c2-0aa2ad3b99d2', 'daily_report', '2027-01-05 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('730948a2-7c3d-4bc4-9e35-52abeaee71bc', 'daily_report', '2027-01-06 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('270fa316-025b-40ca-864e-490a0dfc0aca', 'daily_report', '2027-01-07 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('2f86d865-92ba-4fcb-9ce8-8e95ea2c0822', 'daily_report', '2027-01-08 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('f7575156-d49e-4f61-b1b3-a64ba616d4fc', 'daily_report', '2027-01-09 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('ae60bf31-7c92-4a77-a7d6-d1ae625b5b9c', 'daily_report', '2027-01-10 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('fd20fdc8-0d1d-46c1-bcb9-e0df76ccb986', 'daily_report', '2027-01-11 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('7213ed51-2081-4404-b9cc-5d04904c733b', 'daily_report', '2027-01-12 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('dc3afd22-5c10-4c96-bf9e-9f93ca024eab', 'daily_report', '2027-01-13 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('79021353-d477-4b72-9846-f6608cfaec3f', 'daily_report', '2027-01-14 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('69d3a5bb-f64a-4acd-9a80-8996b3442b3d', 'daily_report', '2027-01-15 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('a9ed5f8f-e991-44ee-a2d0-1bc3fa19addf', 'daily_report', '2027-01-16 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('f34b8d48-5dd7-4700-9bcb-bc44f9c24388', 'daily_report', '2027-01-17 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('f972e25a-b9a9-4c97-8aae-9b21476866a3', 'daily_report', '2027-01-18 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('56ccbd03-ea53-4079-afec-b0918aa5eb8f', 'daily_report', '2027-01-19 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('f825f1c5-c102-48a5-b71f-5517060e875b', 'daily_report', '2027-01-20 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('0db710ab-42eb-440b-b0cb-135d17024e56', 'daily_report', '2027-01-21 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('e1270fac-5e1a-447f-98bf-354399588151', 'daily_report', '2027-01-22 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('a08faf7c-14d0-4e40-989b-a9911d1ba5c5', 'daily_report', '2027-01-23 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('238423ed-bd80-4d86-9341-3dcd998b9d62', 'daily_report', '2027-01-24 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('a25ec0e0-13fc-4553-80f6-7e927f8ff19b', 'daily_report', '2027-01-25 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('8c1d83b2-f52b-4035-a7ac-380c577d1046', 'daily_report', '2027-01-26 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('c7294ebc-6227-4888-ab19-1dca7eb7f873', 'daily_report', '2027-01-27 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('e42989ae-6285-446c-a4f4-82c337f26b4b', 'daily_report', '2027-01-28 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('092ccaac-7f56-4562-bf3c-5ada5552d653', 'daily_report', '2027-01-29 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('6b3cda5a-faa0-4986-aae3-292fa3161d91', 'daily_report', '2027-01-30 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('92e4e64a-db86-4922-832b-0ee1685704ea', 'daily_report', '2027-01-31 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('ff25242f-a3f6-43d0-ab55-4a6a08e0fbaf', 'daily_report', '2027-02-01 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('07a0df56-8066-4567-b96d-3b07cffaa4a5', 'daily_report', '2027-02-02 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('787d17d7-df70-43ec-8856-2bba5ecdaffc', 'daily_report', '2027-02-03 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('e2a2e0f1-bf29-485c-bcef-81d56898548c', 'daily_report', '2027-02-04 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('5aba702d-2d9a-4080-9367-87dc27bfba35', 'daily_report', '2027-02-05 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('02029dd0-70d8-4901-9414-9cd6da480ea1', 'daily_report', '2027-02-06 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('144b06b9-7eab-4efc-bf06-c4e80fb75c5d', 'daily_report', '2027-02-07 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('596930ce-426a-48a4-9b95-18e5f69b97c9', 'daily_report', '2027-02-08 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('d2fd1892-d613-4a02-8bf6-54eec678f71b', 'daily_report', '2027-02-09 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('51f646ea-660b-4128-9a86-66565ab5cef9', 'daily_report', '2027-02-10 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('ed2726a0-fac6-48b2-bbb9-64412f5a5b13', 'daily_report', '2027-02-11 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('894fd429-d870-418a-94d1-0fe631ef0109', 'daily_report', '2027-02-12 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('f59579d5-dc3e-4ee8-8e50-8236dcffb178', 'daily_report', '2027-02-13 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('ee8a194b-c6a3-42b1-88d8-013e4d4ac848', 'daily_report', '2027-02-14 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('cbe0d964-e671-4810-8437-6155d0bbc09c', 'daily_report', '2027-02-15 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('2128417a-6c5a-4418-a573-a190c2a75c82', 'daily_report', '2027-02-16 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('ca9cb0df-e7b0-461e-a397-56fc908e8575', 'daily_report', '2027-02-17 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('ad8c9a88-0c0f-4b92-8250-508eb7eb7a29', 'daily_report', '2027-02-18 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('cbd93ec2-e20c-4c74-9d06-43a77ba0ce95', 'daily_report', '2027-02-19 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('bb928279-6d8c-4bce-b52e-9d4459ec8e13', 'daily_report', '2027-02-20 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('80d6e387-ea4d-437e-a574-afadfe715a35', 'daily_report', '2027-02-21 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('1a75a730-bf68-49e7-9976-80353f23178b', 'daily_report', '2027-02-22 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('03b705d8-c2a8-401c-880d-7df3c6cff353', 'daily_report', '2027-02-23 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('32ad46ba-8daf-45f6-ac6e-db8ea58ff645', 'daily_report', '2027-02-24 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('b24b163c-40a9-4167-978e-b142cc5b6901', 'daily_report', '2027-02-25 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('d086e2f1-cd08-4c32-803a-c73706fee7c3', 'daily_report', '2027-02-26 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('56460fce-6e29-455b-b6d3-5c9bffb364c1', 'daily_report', '2027-02-27 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('ed068e46-336c-4542-a3f8-99f63248b153', 'daily_report', '2027-02-28 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('ee2626b0-f47e-4381-a189-6030d1fda3ea', 'daily_report', '2027-03-01 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('94e9ddca-67ab-4899-bc0e-6b95848a40c3', 'daily_report', '2027-03-02 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);
INSERT INTO svc_catalog.svc_cron_events VALUES ('9ac7208e-884a-462f-bdd7-77aed9077d21', 'daily_report', '2027-03-03 05:00:00+00', 'scheduled', 0, '2026-11-24 02:12:28.404255+00', NULL, NULL);


--
-- Data for Name: svc_event_instances; Type: TABLE DATA; Schema: svc_catalog; Owner: -
--



--
-- Data for Name: svc_event_log_cleanups; Type: TABLE DATA; Schema: svc_catalog; Owner: -
--

INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('2e12dff6-63c1-4572-b0d3-15bad459b7c3', 'on_artist', '2026-11-24 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('43af4502-fa9c-4dbe-a0ca-3c348eb77a8b', 'on_artist', '2026-11-25 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('9b823e26-c4a7-4abd-9b27-137d5d03b726', 'on_artist', '2026-11-26 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('6d7238eb-8eea-4366-a4d4-36a70d7e5d5b', 'on_artist', '2026-11-27 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('56074556-81f4-4f90-840e-8a310bd7985a', 'on_artist', '2026-11-28 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('cf8961c1-6c48-4e58-b480-ed42496e9fb9', 'on_artist', '2026-11-29 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('aa5b64bc-4772-43b9-af73-7da69c23c4bd', 'on_artist', '2026-11-30 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('9cb5baeb-e938-441c-9c0b-bd966a9150bf', 'on_artist', '2026-12-01 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('445bbdab-e70f-4d08-9247-7de943c1def1', 'on_artist', '2026-12-02 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('c701abed-0e55-4661-92d3-1493a45c40c8', 'on_artist', '2026-12-03 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('d8e85142-1b77-4af4-a3cd-9ab3dec5973d', 'on_artist', '2026-12-04 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('722d86ed-7b9d-4e3d-b3e2-d66a23813592', 'on_artist', '2026-12-05 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('1dba0379-87dc-425a-ac54-e9058dd4567c', 'on_artist', '2026-12-06 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('aa7ef213-b122-4dd9-85af-8db7fba99caa', 'on_artist', '2026-12-07 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('701eb2a8-2712-4d62-ad7d-99c2b8dc8313', 'on_artist', '2026-12-08 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('5c0e6292-83b9-44f1-af21-e179e13e62f6', 'on_artist', '2026-12-09 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('a10268c0-7da2-4819-af3e-17c14595289a', 'on_artist', '2026-12-10 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('cd0cff9d-8daf-4a1d-aeea-cdaabfcb81b8', 'on_artist', '2026-12-11 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('64e11ef5-9292-4e79-9e57-f9baf80e2e52', 'on_artist', '2026-12-12 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('cc681517-ddb5-489e-b2f9-a7b71db872e8', 'on_artist', '2026-12-13 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('b8a67c1f-7832-4c9b-8702-f463abdfb101', 'on_artist', '2026-12-14 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('fa7637b0-00de-4c4f-8ddd-d79f2f40169e', 'on_artist', '2026-12-15 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('23bc213b-1613-4160-92d5-f08b96727519', 'on_artist', '2026-12-16 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('bc67222d-cbbb-4e66-a319-99c63b57db35', 'on_artist', '2026-12-17 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('e0132d23-999b-4309-8faa-2070fd446235', 'on_artist', '2026-12-18 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('402f9ad8-7e28-46ad-9b54-aa5b04240ea8', 'on_artist', '2026-12-19 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('882707fd-9711-475b-88dd-f68ce64d1e3f', 'on_artist', '2026-12-20 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('55974255-737a-4300-bb9d-f8925c5c1743', 'on_artist', '2026-12-21 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('9cf46eac-a76c-43b4-9731-e52c02d0a57a', 'on_artist', '2026-12-22 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('08b63032-24cd-43ef-a012-6343720c20b7', 'on_artist', '2026-12-23 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('74ce328b-c8c3-47db-8141-dbc4f8ac3cc8', 'on_artist', '2026-12-24 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('8a0ca108-6083-4513-8e76-ce339c93a88e', 'on_artist', '2026-12-25 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('7ee3b271-9d94-4a79-bc0f-53598cba630e', 'on_artist', '2026-12-26 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('b1d32750-42cb-456f-a6d2-9035d09ad6bc', 'on_artist', '2026-12-27 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('9e2e0bc5-88f9-4585-b431-ea5cc8163dcb', 'on_artist', '2026-12-28 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('7599f85a-7248-411e-8547-72be5677bc54', 'on_artist', '2026-12-29 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('4f28037b-0037-4c84-b180-2b59a80a2d04', 'on_artist', '2026-12-30 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('91ea62fd-2836-477e-9cd1-936966ea4fbf', 'on_artist', '2026-12-31 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('8e5c6cdb-0317-463a-83b3-17839cbbc95e', 'on_artist', '2027-01-01 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('0327dd51-ffbf-48d8-91eb-27dc17b8af5c', 'on_artist', '2027-01-02 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('327e02e2-6bff-4738-8d03-389e352e50a9', 'on_artist', '2027-01-03 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('4bb76985-76a3-4d0e-b131-7acd7fa3f28d', 'on_artist', '2027-01-04 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('832b38af-5d75-41be-94af-de3c6fdfb960', 'on_artist', '2027-01-05 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('6a447213-62bf-46dd-9c2f-7d011ad1aa1e', 'on_artist', '2027-01-06 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('29e55b3b-e59b-46ca-b7a1-96d28e6f4f39', 'on_artist', '2027-01-07 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('e8071056-baaf-4128-a2b6-5beec423aa42', 'on_artist', '2027-01-08 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('9684a63e-2276-4d45-a0b8-8b552d68ec24', 'on_artist', '2027-01-09 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('573477a4-d09b-4c93-875d-6daf58a4c6dc', 'on_artist', '2027-01-10 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('d3716643-4752-4d8f-900f-124b8811f74a', 'on_artist', '2027-01-11 03:00:00', NULL, NULL, 'scheduled');
INSERT INTO svc_catalog.svc_event_log_cleanups VALUES ('1702d1dc-42ea-4fda-9542-951a54ba6d14', 'on_artist', '2027-01-12 03:00:00', NULL, NULL, 'scheduled');


--
-- Data for Name: svc_schedule_instances; Type: TABLE DATA; Schema: svc_catalog; Owner: -
--



--
-- Data for Name: svc_scheduled_event_invocation_logs; Type: TABLE DATA; Schema: svc_catalog; Owner: -
--



--
-- Data for Name: svc_scheduled_events; Type: TABLE DATA; Schema: svc_catalog; Owner: -
--

INSERT INTO svc_catalog.svc_scheduled_events VALUES ('69502603-d760-4918-8830-b3bb84b8cd3b', '"http://127.0.0.1:1/remind"', '2990-01-01 09:00:00+00', '{"num_retries":0,"retry_interval_seconds":10,"timeout_seconds":60,"tolerance_seconds":21600}', NULL, '[]', 'scheduled', 0, '2026-11-24 02:12:28.304399+00', NULL, NULL, NULL, NULL, NULL);
INSERT INTO svc_catalog.svc_scheduled_events VALUES ('d063370e-9f16-4fb1-9355-c3394a1e05e9', '"http://127.0.0.1:1/remind"', '2990-01-01 09:00:00+00', '{"num_retries":0,"retry_interval_seconds":10,"timeout_seconds":60,"tolerance_seconds":21600}', NULL, '[]', 'scheduled', 0, '2026-11-24 02:12:30.683475+00', NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: svc_source_catalog_version; Type: TABLE DATA; Schema: svc_catalog; Owner: -
--

INSERT INTO svc_catalog.svc_source_catalog_version VALUES ('1', '2026-11-24 02:12:28.733609+00');


--
-- Data for Name: svc_version; Type: TABLE DATA; Schema: svc_catalog; Owner: -
--

INSERT INTO svc_catalog.svc_version VALUES ('e86f5abb-7a08-4e61-b983-9eff953d3c95', '4', '2026-11-24 02:12:25.510266+00', '{}', '{}');


--
-- Name: album album_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.album
    ADD CONSTRAINT album_pkey PRIMARY KEY (id);


--
-- Name: album album_producer_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.album
    ADD CONSTRAINT album_producer_id_key UNIQUE (producer_id);


--
-- Name: artist artist_id_name_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.artist
    ADD CONSTRAINT artist_id_name_key UNIQUE (id, name);


--
-- Name: artist artist_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.artist
    ADD CONSTRAINT artist_pkey PRIMARY KEY (id);


--
-- Name: genre genre_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.genre
    ADD CONSTRAINT genre_pkey PRIMARY KEY (value);


--
-- Name: track track_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.track
    ADD CONSTRAINT track_pkey PRIMARY KEY (id);


--
-- Name: album album_pkey; Type: CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.album
    ADD CONSTRAINT album_pkey PRIMARY KEY (id);


--
-- Name: song song_pkey; Type: CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.song
    ADD CONSTRAINT song_pkey PRIMARY KEY (id);


--
-- Name: change_log change_log_pkey; Type: CONSTRAINT; Schema: svc_catalog; Owner: -
--

ALTER TABLE ONLY svc_catalog.change_log
    ADD CONSTRAINT change_log_pkey PRIMARY KEY (resource_version, "position");


--
-- Name: event_invocation_logs event_invocation_logs_pkey; Type: CONSTRAINT; Schema: svc_catalog; Owner: -
--

ALTER TABLE ONLY svc_catalog.event_invocation_logs
    ADD CONSTRAINT event_invocation_logs_pkey PRIMARY KEY (id);


--
-- Name: event_log event_log_pkey; Type: CONSTRAINT; Schema: svc_catalog; Owner: -
--

ALTER TABLE ONLY svc_catalog.event_log
    ADD CONSTRAINT event_log_pkey PRIMARY KEY (id);


--
-- Name: metadata_object metadata_object_pkey; Type: CONSTRAINT; Schema: svc_catalog; Owner: -
--

ALTER TABLE ONLY svc_catalog.metadata_object
    ADD CONSTRAINT metadata_object_pkey PRIMARY KEY (address);


--
-- Name: metadata metadata_pkey; Type: CONSTRAINT; Schema: svc_catalog; Owner: -
--

ALTER TABLE ONLY svc_catalog.metadata
    ADD CONSTRAINT metadata_pkey PRIMARY KEY (id);


--
-- Name: pending_source_change pending_source_change_pkey; Type: CONSTRAINT; Schema: svc_catalog; Owner: -
--

ALTER TABLE ONLY svc_catalog.pending_source_change
    ADD CONSTRAINT pending_source_change_pkey PRIMARY KEY (request_id);


--
-- Name: svc_action_log svc_action_log_pkey; Type: CONSTRAINT; Schema: svc_catalog; Owner: -
--

ALTER TABLE ONLY svc_catalog.svc_action_log
    ADD CONSTRAINT svc_action_log_pkey PRIMARY KEY (id);


--
-- Name: svc_cron_event_invocation_logs svc_cron_event_invocation_logs_pkey; Type: CONSTRAINT; Schema: svc_catalog; Owner: -
--

ALTER TABLE ONLY svc_catalog.svc_cron_event_invocation_logs
    ADD CONSTRAINT svc_cron_event_invocation_logs_pkey PRIMARY KEY (id);


--
-- Name: svc_cron_events svc_cron_events_pkey; Type: CONSTRAINT; Schema: svc_catalog; Owner: -
--

ALTER TABLE ONLY svc_catalog.svc_cron_events
    ADD CONSTRAINT svc_cron_events_pkey PRIMARY KEY (id);


--
-- Name: svc_event_instances svc_event_instances_pkey; Type: CONSTRAINT; Schema: svc_catalog; Owner: -
--

ALTER TABLE ONLY svc_catalog.svc_event_instances
    ADD CONSTRAINT svc_event_instances_pkey PRIMARY KEY (id);


--
-- Name: svc_event_log_cleanups svc_event_log_cleanups_pkey; Type: CONSTRAINT; Schema: svc_catalog; Owner: -
--

ALTER TABLE ONLY svc_catalog.svc_event_log_cleanups
    ADD CONSTRAINT svc_event_log_cleanups_pkey PRIMARY KEY (id);


--
-- Name: svc_event_log_cleanups svc_event_log_cleanups_trigger_name_scheduled_at_key; Type: CONSTRAINT; Schema: svc_catalog; Owner: -
--

ALTER TABLE ONLY svc_catalog.svc_event_log_cleanups
    ADD CONSTRAINT svc_event_log_cleanups_trigger_name_scheduled_at_key UNIQUE (trigger_name, scheduled_at);


--
-- Name: svc_schedule_instances svc_schedule_instances_pkey; Type: CONSTRAINT; Schema: svc_catalog; Owner: -
--

ALTER TABLE ONLY svc_catalog.svc_schedule_instances
    ADD CONSTRAINT svc_schedule_instances_pkey PRIMARY KEY (id);


--
-- Name: svc_scheduled_event_invocation_logs svc_scheduled_event_invocation_logs_pkey; Type: CONSTRAINT; Schema: svc_catalog; Owner: -
--

ALTER TABLE ONLY svc_catalog.svc_scheduled_event_invocation_logs
    ADD CONSTRAINT svc_scheduled_event_invocation_logs_pkey PRIMARY KEY (id);


--
-- Name: svc_scheduled_events svc_scheduled_events_pkey; Type: CONSTRAINT; Schema: svc_catalog; Owner: -
--

ALTER TABLE ONLY svc_catalog.svc_scheduled_events
    ADD CONSTRAINT svc_scheduled_events_pkey PRIMARY KEY (id);


--
-- Name: svc_version svc_version_pkey; Type: CONSTRAINT; Schema: svc_catalog; Owner: -
--

ALTER TABLE ONLY svc_catalog.svc_version
    ADD CONSTRAINT svc_version_pkey PRIMARY KEY (svc_uuid);


--
-- Name: event_invocation_logs_event; Type: INDEX; Schema: svc_catalog; Owner: -
--

CREATE INDEX event_invocation_logs_event ON svc_catalog.event_invocation_logs USING btree (event_id);


--
-- Name: event_invocation_logs_trigger; Type: INDEX; Schema: svc_catalog; Owner: -
--

CREATE INDEX event_invocation_logs_trigger ON svc_catalog.event_invocation_logs USING btree (trigger_name, created_at);


--
-- Name: event_log_locked; Type: INDEX; Schema: svc_catalog; Owner: -
--

CREATE INDEX event_log_locked ON svc_catalog.event_log USING btree (locked_by) WHERE (locked IS NOT NULL);


--
-- Name: event_log_trigger; Type: INDEX; Schema: svc_catalog; Owner: -
--

CREATE INDEX event_log_trigger ON svc_catalog.event_log USING btree (trigger_name, created_at);


--
-- Name: event_log_waiting; Type: INDEX; Schema: svc_catalog; Owner: -
--

CREATE INDEX event_log_waiting ON svc_catalog.event_log USING btree (next_retry_at NULLS FIRST, created_at) WHERE ((NOT delivered) AND (NOT error) AND (NOT archived) AND (locked IS NULL));


--
-- Name: metadata_object_changed; Type: INDEX; Schema: svc_catalog; Owner: -
--

CREATE INDEX metadata_object_changed ON svc_catalog.metadata_object USING btree (changed);


--
-- Name: svc_action_log_action; Type: INDEX; Schema: svc_catalog; Owner: -
--

CREATE INDEX svc_action_log_action ON svc_catalog.svc_action_log USING btree (action_name);


--
-- Name: svc_action_log_open; Type: INDEX; Schema: svc_catalog; Owner: -
--

CREATE INDEX svc_action_log_open ON svc_catalog.svc_action_log USING btree (created_at) WHERE (status = ANY (ARRAY['created'::text, 'processing'::text]));


--
-- Name: svc_cron_event_invocation_logs_event; Type: INDEX; Schema: svc_catalog; Owner: -
--

CREATE INDEX svc_cron_event_invocation_logs_event ON svc_catalog.svc_cron_event_invocation_logs USING btree (event_id);


--
-- Name: svc_cron_events_due; Type: INDEX; Schema: svc_catalog; Owner: -
--

CREATE INDEX svc_cron_events_due ON svc_catalog.svc_cron_events USING btree (COALESCE(next_retry_at, scheduled_time)) WHERE (status = 'scheduled'::text);


--
-- Name: svc_cron_events_locked; Type: INDEX; Schema: svc_catalog; Owner: -
--

CREATE INDEX svc_cron_events_locked ON svc_catalog.svc_cron_events USING btree (locked_by) WHERE (status = 'locked'::text);


--
-- Name: svc_cron_events_scheduled; Type: INDEX; Schema: svc_catalog; Owner: -
--

CREATE UNIQUE INDEX svc_cron_events_scheduled ON svc_catalog.svc_cron_events USING btree (trigger_name, scheduled_time) WHERE (status = 'scheduled'::text);


--
-- Name: svc_cron_events_trigger; Type: INDEX; Schema: svc_catalog; Owner: -
--

CREATE INDEX svc_cron_events_trigger ON svc_catalog.svc_cron_events USING btree (trigger_name, scheduled_time);


--
-- Name: svc_scheduled_event_invocation_logs_event; Type: INDEX; Schema: svc_catalog; Owner: -
--

CREATE INDEX svc_scheduled_event_invocation_logs_event ON svc_catalog.svc_scheduled_event_invocation_logs USING btree (event_id);


--
-- Name: svc_scheduled_events_due; Type: INDEX; Schema: svc_catalog; Owner: -
--

CREATE INDEX svc_scheduled_events_due ON svc_catalog.svc_scheduled_events USING btree (COALESCE(next_retry_at, scheduled_time)) WHERE (status = 'scheduled'::text);


--
-- Name: svc_scheduled_events_locked; Type: INDEX; Schema: svc_catalog; Owner: -
--

CREATE INDEX svc_scheduled_events_locked ON svc_catalog.svc_scheduled_events USING btree (locked_by) WHERE (status = 'locked'::text);


--
-- Name: svc_version_one_row; Type: INDEX; Schema: svc_catalog; Owner: -
--

CREATE UNIQUE INDEX svc_version_one_row ON svc_catalog.svc_version USING btree ((true));


--
-- Name: artist notify_svc_on_artist_INSERT; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER "notify_svc_on_artist_INSERT" AFTER INSERT ON public.artist FOR EACH ROW EXECUTE FUNCTION svc_catalog."notify_svc_on_artist_INSERT"();

ALTER TABLE public.artist ENABLE ALWAYS TRIGGER "notify_svc_on_artist_INSERT";


--
-- Name: artist notify_svc_on_artist_UPDATE; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER "notify_svc_on_artist_UPDATE" AFTER UPDATE ON public.artist FOR EACH ROW EXECUTE FUNCTION svc_catalog."notify_svc_on_artist_UPDATE"();

ALTER TABLE public.artist ENABLE ALWAYS TRIGGER "notify_svc_on_artist_UPDATE";


--
-- Name: album notify_svc_on_sale_INSERT; Type: TRIGGER; Schema: shop; Owner: -
--

CREATE TRIGGER "notify_svc_on_sale_INSERT" AFTER INSERT ON shop.album FOR EACH ROW EXECUTE FUNCTION svc_catalog."notify_svc_on_sale_INSERT"();


--
-- Name: album album_artist_id_artist_name_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.album
    ADD CONSTRAINT album_artist_id_artist_name_fkey FOREIGN KEY (artist_id, artist_name) REFERENCES public.artist(id, name);


--
-- Name: album album_artist_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.album
    ADD CONSTRAINT album_artist_id_fkey FOREIGN KEY (artist_id) REFERENCES public.artist(id);


--
-- Name: album album_producer_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.album
    ADD CONSTRAINT album_producer_id_fkey FOREIGN KEY (producer_id) REFERENCES public.artist(id);


--
-- Name: track track_album_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.track
    ADD CONSTRAINT track_album_id_fkey FOREIGN KEY (album_id) REFERENCES public.album(id);


--
-- Name: svc_cron_event_invocation_logs svc_cron_event_invocation_logs_event_id_fkey; Type: FK CONSTRAINT; Schema: svc_catalog; Owner: -
--

ALTER TABLE ONLY svc_catalog.svc_cron_event_invocation_logs
    ADD CONSTRAINT svc_cron_event_invocation_logs_event_id_fkey FOREIGN KEY (event_id) REFERENCES svc_catalog.svc_cron_events(id) ON UPDATE CASCADE ON DELETE CASCADE;


--
-- Name: svc_scheduled_event_invocation_logs svc_scheduled_event_invocation_logs_event_id_fkey; Type: FK CONSTRAINT; Schema: svc_catalog; Owner: -
--

ALTER TABLE ONLY svc_catalog.svc_scheduled_event_invocation_logs
    ADD CONSTRAINT svc_scheduled_event_invocation_logs_event_id_fkey FOREIGN KEY (event_id) REFERENCES svc_catalog.svc_scheduled_events(id) ON UPDATE CASCADE ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--


