ALTER TYPE "public"."api_token_kind" ADD VALUE 'mcp';--> statement-breakpoint
CREATE TABLE "prompt_acceptances" (
	"user_id" integer NOT NULL,
	"prompt_id" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "prompt_acceptances_user_id_prompt_id_pk" PRIMARY KEY("user_id","prompt_id")
);
--> statement-breakpoint
CREATE TABLE "prompt_skills" (
	"prompt_id" integer PRIMARY KEY NOT NULL,
	"description" text NOT NULL,
	"parts" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "prompt_fetches" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "prompt_fetches_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"api_token_id" integer,
	"token_name" text NOT NULL,
	"prompt_id" integer NOT NULL,
	"kind" text NOT NULL,
	"version" integer NOT NULL,
	"label" text NOT NULL,
	"client" text NOT NULL,
	"count" integer NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "chains" ADD COLUMN "asks_first" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "api_token_uses" ADD COLUMN "last_client" text;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "includes_all_prompts" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "labels" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "prompt_acceptances" ADD CONSTRAINT "prompt_acceptances_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompt_acceptances" ADD CONSTRAINT "prompt_acceptances_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompt_skills" ADD CONSTRAINT "prompt_skills_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompt_fetches" ADD CONSTRAINT "prompt_fetches_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompt_fetches" ADD CONSTRAINT "prompt_fetches_api_token_id_api_tokens_id_fk" FOREIGN KEY ("api_token_id") REFERENCES "public"."api_tokens"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompt_fetches" ADD CONSTRAINT "prompt_fetches_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "prompt_acceptances_prompt" ON "prompt_acceptances" USING btree ("prompt_id");--> statement-breakpoint
CREATE UNIQUE INDEX "prompt_fetches_one" ON "prompt_fetches" USING btree ("api_token_id","prompt_id","kind","version","label","client");--> statement-breakpoint
CREATE INDEX "prompt_fetches_user" ON "prompt_fetches" USING btree ("user_id","last_at","id");--> statement-breakpoint
CREATE INDEX "prompt_fetches_prompt" ON "prompt_fetches" USING btree ("prompt_id","last_at","id");--> statement-breakpoint
CREATE INDEX "prompt_fetches_last" ON "prompt_fetches" USING btree ("last_at");--> statement-breakpoint
-- Tells what changes the lists of agents: see 0006.
DO $$
DECLARE
	source record;
	event text;
BEGIN
	FOR source IN
		SELECT * FROM (VALUES
			('prompt_skills', 'prompts', 'prompt_id', '{insert,update,delete}'::text[]),
			('prompt_acceptances', 'prompts', 'prompt_id', '{insert,delete}'),
			('chain_acceptances', 'chains', 'chain_id', '{insert,delete}')
		) AS sources (name, told_as, told_by, events)
	LOOP
		FOREACH event IN ARRAY source.events LOOP
			EXECUTE format(
				'CREATE TRIGGER %I AFTER %s ON %I REFERENCING %s TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes(%L, %L)',
				'tell_' || event, event, source.name, CASE event WHEN 'insert' THEN 'NEW' ELSE 'OLD' END, source.told_as, source.told_by);
			EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER %I', source.name, 'tell_' || event);
		END LOOP;
	END LOOP;
END $$;
