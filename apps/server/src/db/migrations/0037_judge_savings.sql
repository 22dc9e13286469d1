ALTER TABLE "evaluation_cells" ADD COLUMN "judge_saved_nanos" bigint;--> statement-breakpoint
ALTER TABLE "best_chain_selections" ADD COLUMN "saved_nanos" bigint;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "note_judge_usage"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO usage_calls (at, user_id, model, cost_nanos, saved_nanos)
	SELECT now(), created_by, 'judge', NEW.cost_nanos, NEW.saved_nanos FROM api_tokens WHERE id = NEW.api_token_id;
	RETURN NULL;
END $$;--> statement-breakpoint
-- As 0027: each judge of a cell counts what it adds.
CREATE OR REPLACE FUNCTION "note_cell_usage"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO usage_calls (at, user_id, source, model, cost_nanos, saved_nanos)
	SELECT now(), started_by, 'evaluation', 'judge', NEW.judge_cost_nanos - coalesce(OLD.judge_cost_nanos, 0),
		NEW.judge_saved_nanos - coalesce(OLD.judge_saved_nanos, 0)
	FROM evaluations WHERE id = NEW.evaluation_id;
	RETURN NULL;
END $$;
