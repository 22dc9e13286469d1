ALTER TABLE "chain_steps" ALTER COLUMN "model" SET DATA TYPE text;--> statement-breakpoint
ALTER TABLE "execution_steps" ALTER COLUMN "model" SET DATA TYPE text;--> statement-breakpoint
ALTER TABLE "execution_steps" ADD COLUMN "finish_reason" text;--> statement-breakpoint
DROP TYPE "public"."model_alias";