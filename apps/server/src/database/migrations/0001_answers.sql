CREATE TYPE "public"."stops_when_cut" AS ENUM('unwatched', 'always', 'never');--> statement-breakpoint
ALTER TABLE "chain_versions" ADD COLUMN "stops_when_cut" "stops_when_cut" DEFAULT 'unwatched' NOT NULL;--> statement-breakpoint
ALTER TABLE "chains" ADD COLUMN "stops_when_cut" "stops_when_cut" DEFAULT 'unwatched' NOT NULL;--> statement-breakpoint
-- Addresses of OpenAI's API are used as they are written now, but for a bare origin (D72): these were asked under /v1.
UPDATE "model_providers" SET "base_url" = rtrim("base_url", '/') || '/v1'
WHERE "kind" IN ('openai', 'compatible') AND "base_url" ~ '^https?://[^/]+/+[^/]' AND "base_url" !~ '/v[0-9]+[a-z]*/*$';
