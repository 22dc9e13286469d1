ALTER TYPE "public"."api_token_kind" ADD VALUE 'read';--> statement-breakpoint
CREATE TABLE "prompt_aliases" (
	"alias" text PRIMARY KEY NOT NULL,
	"prompt_id" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_token_prompts" (
	"api_token_id" integer NOT NULL,
	"prompt_id" integer NOT NULL,
	CONSTRAINT "api_token_prompts_api_token_id_prompt_id_pk" PRIMARY KEY("api_token_id","prompt_id")
);
--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "may_run" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "prompt_aliases" ADD CONSTRAINT "prompt_aliases_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_token_prompts" ADD CONSTRAINT "api_token_prompts_api_token_id_api_tokens_id_fk" FOREIGN KEY ("api_token_id") REFERENCES "public"."api_tokens"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_token_prompts" ADD CONSTRAINT "api_token_prompts_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "prompt_aliases_prompt" ON "prompt_aliases" USING btree ("prompt_id");--> statement-breakpoint
CREATE INDEX "api_token_prompts_prompt" ON "api_token_prompts" USING btree ("prompt_id");--> statement-breakpoint
-- As of a token's chains; and a name that is given to another prompt, or to none, is part of the prompt.
DO $$
DECLARE
	source record;
	event text;
BEGIN
	FOR source IN
		SELECT * FROM (VALUES
			('api_token_prompts', 'api_tokens', 'api_token_id', '{insert,update,delete}'::text[]),
			('prompt_aliases', 'prompts', 'prompt_id', '{update,delete}')
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
