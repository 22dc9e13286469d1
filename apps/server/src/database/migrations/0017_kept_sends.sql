ALTER TABLE "api_tokens" ADD COLUMN "sends" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "chain_acceptances" ADD COLUMN "sends" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "scheduled_runs" ADD COLUMN "sends" jsonb DEFAULT '[]'::jsonb NOT NULL;