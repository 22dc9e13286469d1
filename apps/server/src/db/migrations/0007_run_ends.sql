CREATE TABLE "jobs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "jobs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"queue" text NOT NULL,
	"key" text NOT NULL,
	"payload" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"run_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"next_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"is_held" boolean DEFAULT false NOT NULL,
	"last_error" text,
	CONSTRAINT "jobs_key" UNIQUE("queue","key")
);
--> statement-breakpoint
ALTER TABLE "executions" ADD COLUMN "subscribers" jsonb;--> statement-breakpoint
CREATE INDEX "jobs_next" ON "jobs" USING btree ("queue","next_at");--> statement-breakpoint
CREATE INDEX "scheduled_occurrences_execution" ON "scheduled_occurrences" USING btree ("execution_id");--> statement-breakpoint
CREATE FUNCTION "tell_of_jobs"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_notify('catenary_jobs', '');
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "jobs_added" AFTER INSERT ON "jobs" FOR EACH STATEMENT EXECUTE FUNCTION "tell_of_jobs"();--> statement-breakpoint
-- However a run ends, its subscribers are sent a job in the same transaction; one that is resumed ends again, as another attempt.
CREATE FUNCTION "tell_of_run_end"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	run executions := coalesce(NEW, OLD);
BEGIN
	INSERT INTO jobs (queue, key, payload)
	SELECT 'run-ended:' || subscriber, run.id || ':' || run.attempt, jsonb_build_object(
		'executionId', run.id, 'reference', reference,
		'status', CASE WHEN TG_OP = 'DELETE' THEN 'deleted' ELSE run.status::text END
	) FROM jsonb_each_text(run.subscribers) AS told(subscriber, reference)
	ON CONFLICT DO NOTHING;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "executions_created_ended" AFTER INSERT ON "executions"
	FOR EACH ROW WHEN (NEW.subscribers IS NOT NULL AND NEW.status <> 'running') EXECUTE FUNCTION "tell_of_run_end"();--> statement-breakpoint
CREATE TRIGGER "executions_ended" AFTER UPDATE OF "status" ON "executions"
	FOR EACH ROW WHEN (NEW.subscribers IS NOT NULL AND NEW.status <> 'running' AND (NEW.status, NEW.attempt) IS DISTINCT FROM (OLD.status, OLD.attempt))
	EXECUTE FUNCTION "tell_of_run_end"();--> statement-breakpoint
CREATE TRIGGER "executions_deleted_unended" AFTER DELETE ON "executions"
	FOR EACH ROW WHEN (OLD.subscribers IS NOT NULL AND OLD.status = 'running') EXECUTE FUNCTION "tell_of_run_end"();--> statement-breakpoint
-- Whatever deletes a run under way, or its prompt, stops it: the database itself tells who runs it.
CREATE FUNCTION "stop_run"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_notify('catenary_runs', json_build_object('type', 'stop', 'id', OLD.id)::text);
	IF TG_OP = 'UPDATE' THEN
		-- For who did not hear it.
		NEW.cancel_requested_at := now();
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "executions_deleted" AFTER DELETE ON "executions"
	FOR EACH ROW WHEN (OLD.status = 'running') EXECUTE FUNCTION "stop_run"();--> statement-breakpoint
CREATE TRIGGER "executions_prompt_deleted" BEFORE UPDATE OF "prompt_id" ON "executions"
	FOR EACH ROW WHEN (OLD.status = 'running' AND OLD.prompt_id IS NOT NULL AND NEW.prompt_id IS NULL) EXECUTE FUNCTION "stop_run"();--> statement-breakpoint
-- The queue of before held upkeep and probes alone. In a database that is shared its schema may be another program's.
DO $$ BEGIN
	IF to_regclass('pgboss.queue') IS NOT NULL THEN
		IF NOT EXISTS (SELECT FROM pgboss.queue WHERE name NOT IN ('upkeep', 'probe') AND name NOT LIKE '\_\_pgboss\_\_%') THEN
			DROP SCHEMA pgboss CASCADE;
		END IF;
	END IF;
END $$;
