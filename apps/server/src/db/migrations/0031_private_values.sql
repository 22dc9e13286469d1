CREATE TABLE "run_shares" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "run_shares_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"chain_id" integer,
	"prompt_id" integer,
	"names" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "run_shares_of_one" CHECK (num_nonnulls("run_shares"."chain_id", "run_shares"."prompt_id") = 1)
);
--> statement-breakpoint
ALTER TABLE "executions" ADD COLUMN "private_values" boolean;--> statement-breakpoint
ALTER TABLE "executions" ADD COLUMN "shared_attempt" integer;--> statement-breakpoint
ALTER TABLE "run_shares" ADD CONSTRAINT "run_shares_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_shares" ADD CONSTRAINT "run_shares_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_shares" ADD CONSTRAINT "run_shares_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "run_shares_chain" ON "run_shares" USING btree ("chain_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "run_shares_prompt" ON "run_shares" USING btree ("prompt_id","user_id");--> statement-breakpoint
CREATE INDEX "run_shares_user" ON "run_shares" USING btree ("user_id");
--> statement-breakpoint
UPDATE "executions" SET "private_values" = false WHERE "status" <> 'running' AND NOT "texts_deleted"
	AND EXISTS (SELECT FROM "execution_steps" WHERE "execution_id" = "executions"."id")
	AND NOT EXISTS (
		SELECT FROM "execution_steps" "step" WHERE "step"."execution_id" = "executions"."id" AND (
			"step"."resolved" IS NULL OR "step"."input_segments" IS NULL
			OR EXISTS (
				SELECT FROM jsonb_each("step"."resolved") AS "origin"
				WHERE "origin"."value" ->> 'type' NOT IN ('typed', 'none')
					AND "origin"."value" -> 'isPrivate' IS DISTINCT FROM 'false'::jsonb
			)
			OR ("executions"."kind" = 'prompt' AND "step"."resolved" = '{}'::jsonb AND "step"."input_content" IS DISTINCT FROM coalesce(
				"step"."template",
				(SELECT "content" FROM "prompt_versions" "version"
					WHERE "version"."prompt_id" = "step"."prompt_id" AND "version"."number" = "step"."prompt_version")
			))
		)
	);
--> statement-breakpoint
INSERT INTO "settings" ("key", "value")
SELECT 'evaluationsClosed', jsonb_build_object('count', count(*)) FROM "evaluations" "evaluation"
LEFT JOIN "prompts" "prompt" ON "prompt"."id" = "evaluation"."prompt_id"
LEFT JOIN "chains" "chain" ON "chain"."id" = "evaluation"."chain_id"
WHERE EXISTS (
	SELECT FROM "evaluation_cells" "cell" LEFT JOIN "executions" ON "executions"."id" = "cell"."execution_id"
	WHERE "cell"."evaluation_id" = "evaluation"."id" AND "cell"."status" NOT IN ('waiting', 'running')
		AND "executions"."private_values" IS DISTINCT FROM false
) AND (
	coalesce("prompt"."owner_id", "chain"."owner_id") <> "evaluation"."started_by"
	OR "prompt"."is_public" OR "chain"."shared_level" = 'public'
	OR EXISTS (SELECT FROM "prompt_shares" "share" WHERE "share"."prompt_id" = "prompt"."id")
	OR ("chain"."shared_level" = 'shared' AND EXISTS (SELECT FROM "chain_shares" "share" WHERE "share"."chain_id" = "chain"."id"))
)
HAVING count(*) > 0
ON CONFLICT ("key") DO NOTHING;
