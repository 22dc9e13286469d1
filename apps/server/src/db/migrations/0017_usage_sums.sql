CREATE TABLE "usage_calls" (
	"at" timestamp (3) with time zone NOT NULL,
	"user_id" integer NOT NULL,
	"prompt_id" integer,
	"chain_id" integer,
	"model" text,
	"outcome" "execution_status",
	"reason" text,
	"input_tokens" integer,
	"output_tokens" integer,
	"cost_nanos" bigint,
	"duration_ms" integer,
	"first_text_ms" integer
);
--> statement-breakpoint
CREATE TABLE "usage_items" (
	"user_id" integer NOT NULL,
	"grain" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"dimension" text NOT NULL,
	"key" text NOT NULL,
	"runs" integer NOT NULL,
	"cost_nanos" bigint DEFAULT 0 NOT NULL,
	"uncounted" integer NOT NULL,
	CONSTRAINT "usage_items_user_id_grain_at_dimension_key_pk" PRIMARY KEY("user_id","grain","at","dimension","key")
);
--> statement-breakpoint
CREATE TABLE "usage_slots" (
	"user_id" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"completed" integer NOT NULL,
	"failed" integer NOT NULL,
	"cancelled" integer NOT NULL,
	"input_tokens" bigint DEFAULT 0 NOT NULL,
	"output_tokens" bigint DEFAULT 0 NOT NULL,
	"cost_nanos" bigint DEFAULT 0 NOT NULL,
	"uncounted" integer NOT NULL,
	CONSTRAINT "usage_slots_user_id_at_pk" PRIMARY KEY("user_id","at")
);
--> statement-breakpoint
CREATE TABLE "usage_times" (
	"user_id" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"measure" text NOT NULL,
	"bucket" smallint NOT NULL,
	"runs" integer NOT NULL,
	CONSTRAINT "usage_times_user_id_at_measure_bucket_pk" PRIMARY KEY("user_id","at","measure","bucket")
);
--> statement-breakpoint
CREATE INDEX "usage_calls_user" ON "usage_calls" USING btree ("user_id");--> statement-breakpoint
CREATE FUNCTION "note_step_usage"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO usage_calls (at, user_id, prompt_id, chain_id, model, outcome, reason, input_tokens, output_tokens, cost_nanos, duration_ms, first_text_ms)
	SELECT now(), user_id, prompt_id, chain_id, NEW.model_id, CASE WHEN kind = 'prompt' THEN NEW.status END, NEW.error_code,
		NEW.input_tokens, NEW.output_tokens, NEW.cost_nanos, NEW.duration_ms, NEW.first_token_ms
	FROM executions WHERE id = NEW.execution_id AND (kind = 'prompt' OR NEW.model_id IS NOT NULL);
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "note_usage_insert" AFTER INSERT ON "execution_steps" FOR EACH ROW
	WHEN (NEW.status <> 'running') EXECUTE FUNCTION "note_step_usage"();--> statement-breakpoint
CREATE TRIGGER "note_usage_update" AFTER UPDATE ON "execution_steps" FOR EACH ROW
	WHEN (OLD.status = 'running' AND NEW.status <> 'running') EXECUTE FUNCTION "note_step_usage"();--> statement-breakpoint
CREATE FUNCTION "note_chain_usage"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO usage_calls (at, user_id, chain_id, outcome, reason, duration_ms)
	VALUES (now(), NEW.user_id, NEW.chain_id, NEW.status, NEW.error_code,
		(SELECT sum(duration_ms) FROM execution_steps WHERE execution_id = NEW.id));
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "note_usage_insert" AFTER INSERT ON "executions" FOR EACH ROW
	WHEN (NEW.kind = 'chain' AND NEW.status <> 'running') EXECUTE FUNCTION "note_chain_usage"();--> statement-breakpoint
CREATE TRIGGER "note_usage_update" AFTER UPDATE ON "executions" FOR EACH ROW
	WHEN (NEW.kind = 'chain' AND OLD.status = 'running' AND NEW.status <> 'running') EXECUTE FUNCTION "note_chain_usage"();--> statement-breakpoint
CREATE FUNCTION "note_judge_usage"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO usage_calls (at, user_id, model, cost_nanos)
	SELECT now(), created_by, 'judge', NEW.cost_nanos FROM api_tokens WHERE id = NEW.api_token_id;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "note_usage" AFTER INSERT ON "best_chain_selections" FOR EACH ROW
	WHEN (NEW.cost_nanos IS NOT NULL) EXECUTE FUNCTION "note_judge_usage"();--> statement-breakpoint
INSERT INTO usage_calls (at, user_id, prompt_id, chain_id, model, outcome, reason, input_tokens, output_tokens, cost_nanos, duration_ms, first_text_ms)
SELECT coalesce(step.finished_at, run.finished_at, run.executed_at), run.user_id, run.prompt_id, run.chain_id, step.model_id,
	CASE WHEN run.kind = 'prompt' THEN step.status END, step.error_code, step.input_tokens, step.output_tokens, step.cost_nanos,
	step.duration_ms, step.first_token_ms
FROM executions AS run JOIN execution_steps AS step ON step.execution_id = run.id
WHERE step.status <> 'running' AND (run.kind = 'prompt' OR step.model_id IS NOT NULL);--> statement-breakpoint
INSERT INTO usage_calls (at, user_id, chain_id, outcome, reason, duration_ms)
SELECT coalesce(finished_at, executed_at), user_id, chain_id, status, error_code,
	(SELECT sum(duration_ms) FROM execution_steps WHERE execution_id = executions.id)
FROM executions WHERE kind = 'chain' AND status <> 'running';--> statement-breakpoint
INSERT INTO usage_calls (at, user_id, model, cost_nanos)
SELECT selection.created_at, created_by, 'judge', selection.cost_nanos
FROM best_chain_selections AS selection JOIN api_tokens ON api_tokens.id = api_token_id
WHERE selection.cost_nanos IS NOT NULL;
