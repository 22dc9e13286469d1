CREATE TYPE "public"."runs_visible_to" AS ENUM('editors', 'runner');--> statement-breakpoint
ALTER TABLE "chain_steps" ADD COLUMN "fallback_model" text;--> statement-breakpoint
ALTER TABLE "chains" ADD COLUMN "runs_visible_to" "runs_visible_to" DEFAULT 'editors' NOT NULL;--> statement-breakpoint
ALTER TABLE "chains" ADD COLUMN "runs_opening" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "execution_steps" ADD COLUMN "fallback" jsonb;--> statement-breakpoint
ALTER TABLE "executions" ADD COLUMN "runs_opening" integer;