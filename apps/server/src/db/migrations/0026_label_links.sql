ALTER TABLE "chain_steps" ADD COLUMN "prompt_label" text collate "C";--> statement-breakpoint
ALTER TABLE "chain_steps" ADD COLUMN "prompt_version" integer;--> statement-breakpoint
ALTER TABLE "executions" ADD COLUMN "chain_version" integer;--> statement-breakpoint
ALTER TABLE "executions" ADD COLUMN "chain_label" text;--> statement-breakpoint
ALTER TABLE "scheduled_runs" ADD COLUMN "chain_label" text collate "C";--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "chain_label" text collate "C";--> statement-breakpoint
ALTER TABLE "chain_steps" ADD CONSTRAINT "chain_steps_prompt_version" FOREIGN KEY ("prompt_id","prompt_version") REFERENCES "public"."prompt_versions"("prompt_id","number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scheduled_runs" ADD CONSTRAINT "scheduled_runs_label" FOREIGN KEY ("chain_id","chain_label") REFERENCES "public"."chain_labels"("chain_id","label") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_label" FOREIGN KEY ("chain_id","chain_label") REFERENCES "public"."chain_labels"("chain_id","label") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chain_steps" ADD CONSTRAINT "chain_steps_one_link" CHECK (num_nonnulls("chain_steps"."prompt_label", "chain_steps"."prompt_version") <= 1);--> statement-breakpoint
ALTER TABLE "chain_steps" ADD CONSTRAINT "chain_steps_prompt_label" FOREIGN KEY ("prompt_id","prompt_label") REFERENCES "public"."prompt_labels"("prompt_id","label");--> statement-breakpoint
-- A step whose link ends, be it with its prompt, has neither label nor version.
CREATE FUNCTION "end_prompt_link"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.prompt_label := NULL;
	NEW.prompt_version := NULL;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "end_prompt_link" BEFORE INSERT OR UPDATE ON "chain_steps" FOR EACH ROW WHEN (NEW.prompt_id IS NULL) EXECUTE FUNCTION "end_prompt_link"();--> statement-breakpoint
-- Versions keep what a step is: without it the next save of whatever would make another.
UPDATE "chain_versions" SET "steps" = (
	SELECT jsonb_agg('{"promptLabel": null, "promptVersion": null}'::jsonb || step ORDER BY place)
	FROM jsonb_array_elements("steps") WITH ORDINALITY AS kept (step, place)
) WHERE "step_count" > 0;
