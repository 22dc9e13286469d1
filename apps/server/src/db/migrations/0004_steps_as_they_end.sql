ALTER TABLE "executions" ADD COLUMN "chain_name" text;--> statement-breakpoint
ALTER TABLE "executions" ADD COLUMN "plan" json;--> statement-breakpoint
ALTER TABLE "executions" ADD COLUMN "step_count" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "executions" ADD COLUMN "lost_workers" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "executions" ADD COLUMN "lost_at" integer;--> statement-breakpoint
UPDATE "executions" SET "chain_name" = "snapshot"->>'name', "plan" = "planned"."plan", "step_count" = "planned"."step_count"
FROM (
	SELECT "execution_id", count(*) AS "step_count", json_agg(json_build_object(
		'id', "snapshot"->'steps'->"position"->'id', 'position', "position", 'title', "title", 'model', "model", 'promptId', "execution_steps"."prompt_id",
		'promptVersion', "prompt_version", 'template', coalesce("template", ''), 'systemPrompt', "system_prompt",
		'outputVariableName', coalesce("output_variable_name", ''), 'temperature', "snapshot"->'steps'->"position"->'temperature',
		'maxTokens', "snapshot"->'steps'->"position"->'maxTokens'
	) ORDER BY "position") AS "plan"
	FROM "execution_steps" JOIN "executions" ON "executions"."id" = "execution_id"
	WHERE "kind" = 'chain' GROUP BY "execution_id"
) AS "planned" WHERE "executions"."id" = "planned"."execution_id";--> statement-breakpoint
UPDATE "executions" SET "lost_workers" = "lost"."lost_workers", "lost_at" = "lost"."position"
FROM (
	SELECT DISTINCT ON ("execution_id") "execution_id", "position", "lost_workers" FROM "execution_steps"
	WHERE "status" <> 'completed' ORDER BY "execution_id", "position"
) AS "lost" WHERE "executions"."id" = "lost"."execution_id" AND "kind" = 'chain' AND "lost"."lost_workers" > 0;--> statement-breakpoint
DELETE FROM "execution_steps" WHERE "status" = 'waiting';--> statement-breakpoint
UPDATE "execution_steps" SET "template" = NULL FROM "executions" WHERE "executions"."id" = "execution_id" AND "kind" = 'chain';--> statement-breakpoint
ALTER TABLE "execution_steps" ALTER COLUMN "status" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "execution_steps" ALTER COLUMN "status" SET DATA TYPE "public"."execution_status" USING "status"::text::"public"."execution_status";--> statement-breakpoint
DROP TYPE "public"."execution_step_status";--> statement-breakpoint
ALTER TABLE "execution_steps" DROP COLUMN "id";--> statement-breakpoint
ALTER TABLE "execution_steps" DROP COLUMN "lost_workers";--> statement-breakpoint
ALTER TABLE "executions" DROP COLUMN "snapshot";--> statement-breakpoint
ALTER TABLE "executions" ADD CONSTRAINT "executions_attempt" UNIQUE("id","attempt");--> statement-breakpoint
ALTER TABLE "execution_steps" DROP CONSTRAINT "execution_steps_execution_id_executions_id_fk";--> statement-breakpoint
ALTER TABLE "execution_steps" DROP CONSTRAINT "execution_steps_prompt_id_prompts_id_fk";--> statement-breakpoint
ALTER TABLE "execution_steps" ADD CONSTRAINT "execution_steps_run" FOREIGN KEY ("execution_id","attempt") REFERENCES "public"."executions"("id","attempt") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
-- Rows that are written once leave no room beside them.
ALTER TABLE "execution_steps" RESET (fillfactor);
