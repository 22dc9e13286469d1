CREATE TABLE "chain_acceptances" (
	"user_id" integer NOT NULL,
	"chain_id" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chain_acceptances_user_id_chain_id_pk" PRIMARY KEY("user_id","chain_id")
);
--> statement-breakpoint
ALTER TABLE "best_chain_selections" DROP CONSTRAINT "best_chain_selections_api_token_id_api_tokens_id_fk";
--> statement-breakpoint
ALTER TABLE "best_chain_selections" ALTER COLUMN "api_token_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "dropped_chain_ids" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "best_chain_selections" ADD COLUMN "user_id" integer;--> statement-breakpoint
ALTER TABLE "best_chain_selections" ADD COLUMN "token_name" text;--> statement-breakpoint
UPDATE "best_chain_selections" SET "user_id" = t."created_by", "token_name" = t."name"
FROM "api_tokens" t WHERE t."id" = "best_chain_selections"."api_token_id";--> statement-breakpoint
ALTER TABLE "best_chain_selections" ALTER COLUMN "user_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "best_chain_selections" ALTER COLUMN "token_name" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "best_chain_selections" ADD COLUMN "best_score" double precision;--> statement-breakpoint
ALTER TABLE "chain_acceptances" ADD CONSTRAINT "chain_acceptances_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chain_acceptances" ADD CONSTRAINT "chain_acceptances_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chain_acceptances_chain" ON "chain_acceptances" USING btree ("chain_id");--> statement-breakpoint
ALTER TABLE "best_chain_selections" ADD CONSTRAINT "best_chain_selections_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "best_chain_selections" ADD CONSTRAINT "best_chain_selections_api_token_id_api_tokens_id_fk" FOREIGN KEY ("api_token_id") REFERENCES "public"."api_tokens"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "best_chain_selections_user" ON "best_chain_selections" USING btree ("user_id","id" DESC NULLS LAST);--> statement-breakpoint
-- Until now 'all' held whatever its person could see. What a token ran of it stays; the rest is offered, and told.
CREATE TEMPORARY TABLE "reached" ON COMMIT DROP AS
SELECT DISTINCT t."created_by" AS user_id, c."id" AS chain_id
FROM "api_tokens" t JOIN "chains" c ON c."owner_id" <> t."created_by"
WHERE t."kind" = 'best' AND t."includes_all_chains" AND (c."shared_level" = 'public' OR c."shared_level" = 'shared'
	AND EXISTS (SELECT 1 FROM "chain_shares" s WHERE s."chain_id" = c."id" AND s."user_id" = t."created_by"));--> statement-breakpoint
INSERT INTO "chain_acceptances" ("user_id", "chain_id")
SELECT r.user_id, r.chain_id FROM reached r
JOIN (
	SELECT "api_token_id", "chain_id" FROM "executions" WHERE "api_token_id" IS NOT NULL
	UNION
	SELECT "api_token_id", "chain_id" FROM "best_chain_selections" WHERE "execution_id" IS NOT NULL
) ran ON ran."chain_id" = r.chain_id
JOIN "api_tokens" t ON t."id" = ran."api_token_id" AND t."created_by" = r.user_id
WHERE t."kind" = 'best' AND t."includes_all_chains"
GROUP BY r.user_id, r.chain_id;--> statement-breakpoint
UPDATE "api_tokens" SET "dropped_chain_ids" = array(
	SELECT r.chain_id FROM reached r
	WHERE r.user_id = "api_tokens"."created_by"
		AND EXISTS (SELECT 1 FROM "chain_steps" s WHERE s."chain_id" = r.chain_id)
		AND NOT EXISTS (SELECT 1 FROM "chain_acceptances" a WHERE a."user_id" = r.user_id AND a."chain_id" = r.chain_id)
	ORDER BY r.chain_id
)
WHERE "kind" = 'best' AND "includes_all_chains";
