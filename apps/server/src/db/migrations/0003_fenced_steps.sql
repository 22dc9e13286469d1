DROP INDEX "execution_steps_position";--> statement-breakpoint
DROP INDEX "executions_prompt";--> statement-breakpoint
DROP INDEX "executions_chain";--> statement-breakpoint
DROP INDEX "executions_lease";--> statement-breakpoint
ALTER TABLE "execution_steps" DROP CONSTRAINT "execution_steps_pkey";--> statement-breakpoint
ALTER TABLE "execution_steps" ADD CONSTRAINT "execution_steps_execution_id_position_pk" PRIMARY KEY("execution_id","position");--> statement-breakpoint
ALTER TABLE "execution_steps" ADD COLUMN "attempt" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "execution_steps" SET "attempt" = "executions"."attempt" FROM "executions" WHERE "executions"."id" = "execution_id";--> statement-breakpoint
CREATE INDEX "executions_prompt" ON "executions" USING btree ("prompt_id","user_id","id" DESC NULLS LAST) WHERE "executions"."prompt_id" is not null;--> statement-breakpoint
CREATE INDEX "executions_chain" ON "executions" USING btree ("chain_id","id" DESC NULLS LAST) WHERE "executions"."chain_id" is not null;--> statement-breakpoint
CREATE INDEX "executions_lease" ON "executions" USING btree ("lease_until") WHERE "executions"."status" = 'running';--> statement-breakpoint
-- A step grows when it ends: its second version finds room beside the first, and no index is touched.
ALTER TABLE "execution_steps" SET (fillfactor = 30);
