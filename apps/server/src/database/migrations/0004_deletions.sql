CREATE TABLE "deletions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "deletions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"key" jsonb NOT NULL,
	"deleted_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "mail_recipients" ADD COLUMN "message_id" text DEFAULT gen_random_uuid()::text NOT NULL;--> statement-breakpoint
CREATE INDEX "deletions_deleted" ON "deletions" USING btree ("deleted_at");--> statement-breakpoint
-- What is deleted for good is noted in the same transaction, whoever deletes it; not what is only too old.
CREATE FUNCTION "note_deleted"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	noted integer;
BEGIN
	IF current_setting('catenary.unnoted', true) = 'on' THEN
		RETURN NULL;
	END IF;
	EXECUTE 'INSERT INTO deletions (kind, key) SELECT $1, jsonb_build_object('
		|| (SELECT string_agg(format('%L, %I', name, name), ', ') FROM unnest(TG_ARGV) AS name)
		|| ') FROM gone' USING TG_TABLE_NAME;
	GET DIAGNOSTICS noted = ROW_COUNT;
	IF noted > 0 THEN
		PERFORM pg_notify('catenary_rows', 'deletions *');
		RAISE INFO 'catenary_rows deletions *';
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
DO $$
DECLARE
	kind record;
BEGIN
	FOR kind IN
		SELECT * FROM (VALUES
			('execution_ratings', '{execution_id,user_id,rated_at}'), ('executions', '{id,executed_at}'),
			('evaluations', '{id,created_at}'), ('test_cases', '{id,suite_id}'), ('test_suites', '{id,created_at}'),
			('scheduled_runs', '{id,created_at}'), ('api_tokens', '{id,created_at}'), ('run_shares', '{id,created_at}'),
			('webhooks', '{id,created_at}'), ('chain_versions', '{id,created_at}'), ('chains', '{id,created_at}'),
			('prompt_versions', '{id,created_at}'), ('prompts', '{id,created_at}'), ('variables', '{id,created_at}'),
			('categories', '{id,created_at}'), ('tags', '{id,created_at}'), ('models', '{id,created_at}'),
			('model_providers', '{id,created_at}'), ('accounts', '{id,created_at}'), ('users', '{id,created_at}')
		) AS kinds (name, key)
	LOOP
		EXECUTE format(
			'CREATE TRIGGER note_deleted AFTER DELETE ON %I REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION note_deleted(%s)',
			kind.name, (SELECT string_agg(quote_literal(part), ', ') FROM unnest(kind.key::text[]) AS part));
	END LOOP;
END $$;
