ALTER TABLE "execution_steps" ADD COLUMN "cached_tokens" integer;--> statement-breakpoint
ALTER TABLE "execution_steps" ADD COLUMN "saved_nanos" bigint;--> statement-breakpoint
ALTER TABLE "usage_calls" ADD COLUMN "cached_tokens" integer;--> statement-breakpoint
ALTER TABLE "usage_calls" ADD COLUMN "saved_nanos" bigint;--> statement-breakpoint
ALTER TABLE "usage_slots" ADD COLUMN "cached_tokens" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_slots" ADD COLUMN "saved_nanos" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
-- As 0022: a reader of the sums finds all that it needs in the index.
ALTER TABLE "usage_slots" DROP CONSTRAINT "usage_slots_user_id_at_pk",
	ADD CONSTRAINT "usage_slots_user_id_at_pk" PRIMARY KEY ("user_id", "at")
	INCLUDE ("completed", "failed", "cancelled", "input_tokens", "output_tokens", "cached_tokens", "cost_nanos", "saved_nanos", "uncounted");--> statement-breakpoint
CREATE OR REPLACE FUNCTION "note_step_usage"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO usage_calls (at, user_id, prompt_id, chain_id, source, model, outcome, reason, input_tokens, output_tokens, cached_tokens,
		cost_nanos, saved_nanos, duration_ms, first_text_ms)
	SELECT now(), user_id, CASE WHEN trigger <> 'evaluation' THEN prompt_id END, CASE WHEN trigger <> 'evaluation' THEN chain_id END,
		CASE WHEN trigger = 'evaluation' THEN 'evaluation' END, NEW.model_id, CASE WHEN kind = 'prompt' THEN NEW.status END, NEW.error_code,
		NEW.input_tokens, NEW.output_tokens, NEW.cached_tokens, NEW.cost_nanos, NEW.saved_nanos, NEW.duration_ms, NEW.first_token_ms
	FROM executions WHERE id = NEW.execution_id AND (kind = 'prompt' OR NEW.model_id IS NOT NULL);
	RETURN NULL;
END $$;
