ALTER TABLE "executions" ADD COLUMN "ends_with_process" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "executions" SET "ends_with_process" = true WHERE "kind" = 'prompt' AND "status" = 'running';
