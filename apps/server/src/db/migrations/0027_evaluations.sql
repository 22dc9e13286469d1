ALTER TYPE "public"."execution_trigger" ADD VALUE 'evaluation';--> statement-breakpoint
CREATE TABLE "evaluation_cells" (
	"evaluation_id" integer NOT NULL,
	"case_position" integer NOT NULL,
	"target_position" integer NOT NULL,
	"hash" text NOT NULL,
	"status" text DEFAULT 'waiting' NOT NULL,
	"execution_id" integer,
	"grade" jsonb,
	"reason" text,
	"duration_ms" integer,
	"model_id" text,
	"cost_nanos" bigint,
	"judge_cost_nanos" bigint,
	"reused_from" integer,
	CONSTRAINT "evaluation_cells_evaluation_id_case_position_target_position_pk" PRIMARY KEY("evaluation_id","case_position","target_position")
);
--> statement-breakpoint
CREATE TABLE "evaluations" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "evaluations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"prompt_id" integer,
	"chain_id" integer,
	"suite_id" integer,
	"suite_name" text NOT NULL,
	"started_by" integer NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"stop_reason" text,
	"attempt" integer DEFAULT 0 NOT NULL,
	"ceiling_nanos" bigint NOT NULL,
	"estimate" jsonb NOT NULL,
	"cases" jsonb NOT NULL,
	"cases_hash" text NOT NULL,
	"targets" jsonb NOT NULL,
	"baseline" integer DEFAULT 0 NOT NULL,
	"judge_model" text,
	"reuse" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "evaluations_of_one" CHECK (num_nonnulls("evaluations"."prompt_id", "evaluations"."chain_id") = 1)
);
--> statement-breakpoint
ALTER TABLE "usage_calls" ADD COLUMN "source" text;--> statement-breakpoint
ALTER TABLE "evaluation_cells" ADD CONSTRAINT "evaluation_cells_evaluation" FOREIGN KEY ("evaluation_id") REFERENCES "public"."evaluations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evaluations" ADD CONSTRAINT "evaluations_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evaluations" ADD CONSTRAINT "evaluations_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evaluations" ADD CONSTRAINT "evaluations_suite_id_test_suites_id_fk" FOREIGN KEY ("suite_id") REFERENCES "public"."test_suites"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evaluations" ADD CONSTRAINT "evaluations_started_by_users_id_fk" FOREIGN KEY ("started_by") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "evaluation_cells_hash" ON "evaluation_cells" USING btree ("hash") WHERE "evaluation_cells"."status" in ('passed', 'failed');--> statement-breakpoint
CREATE INDEX "evaluation_cells_execution" ON "evaluation_cells" USING btree ("execution_id");--> statement-breakpoint
CREATE INDEX "evaluations_prompt" ON "evaluations" USING btree ("prompt_id","id" DESC NULLS LAST) WHERE "evaluations"."prompt_id" is not null;--> statement-breakpoint
CREATE INDEX "evaluations_chain" ON "evaluations" USING btree ("chain_id","id" DESC NULLS LAST) WHERE "evaluations"."chain_id" is not null;--> statement-breakpoint
CREATE INDEX "evaluations_suite" ON "evaluations" USING btree ("suite_id","id" DESC NULLS LAST) WHERE "evaluations"."suite_id" is not null;--> statement-breakpoint
CREATE INDEX "evaluations_starter" ON "evaluations" USING btree ("started_by","id" DESC NULLS LAST);--> statement-breakpoint
-- What the cells of evaluations cost counts for their starter, as a source of its own beside prompts and chains.
CREATE OR REPLACE FUNCTION "note_step_usage"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO usage_calls (at, user_id, prompt_id, chain_id, source, model, outcome, reason, input_tokens, output_tokens, cost_nanos, duration_ms, first_text_ms)
	SELECT now(), user_id, CASE WHEN trigger <> 'evaluation' THEN prompt_id END, CASE WHEN trigger <> 'evaluation' THEN chain_id END,
		CASE WHEN trigger = 'evaluation' THEN 'evaluation' END, NEW.model_id, CASE WHEN kind = 'prompt' THEN NEW.status END, NEW.error_code,
		NEW.input_tokens, NEW.output_tokens, NEW.cost_nanos, NEW.duration_ms, NEW.first_token_ms
	FROM executions WHERE id = NEW.execution_id AND (kind = 'prompt' OR NEW.model_id IS NOT NULL);
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "note_chain_usage"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO usage_calls (at, user_id, chain_id, source, outcome, reason, duration_ms)
	VALUES (now(), NEW.user_id, CASE WHEN NEW.trigger <> 'evaluation' THEN NEW.chain_id END,
		CASE WHEN NEW.trigger = 'evaluation' THEN 'evaluation' END, NEW.status, NEW.error_code,
		(SELECT sum(duration_ms) FROM execution_steps WHERE execution_id = NEW.id));
	RETURN NULL;
END $$;--> statement-breakpoint
-- Two judges may grade a cell one after the other: each counts what it adds.
CREATE FUNCTION "note_cell_usage"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO usage_calls (at, user_id, source, model, cost_nanos)
	SELECT now(), started_by, 'evaluation', 'judge', NEW.judge_cost_nanos - coalesce(OLD.judge_cost_nanos, 0)
	FROM evaluations WHERE id = NEW.evaluation_id;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "note_usage" AFTER UPDATE OF "judge_cost_nanos" ON "evaluation_cells" FOR EACH ROW
	WHEN (NEW.judge_cost_nanos IS NOT NULL AND NEW.judge_cost_nanos IS DISTINCT FROM OLD.judge_cost_nanos) EXECUTE FUNCTION "note_cell_usage"();
