CREATE TABLE "prompt_shares" (
	"prompt_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"role" "share_role" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "prompt_shares_prompt_id_user_id_pk" PRIMARY KEY("prompt_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "prompt_shares" ADD CONSTRAINT "prompt_shares_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompt_shares" ADD CONSTRAINT "prompt_shares_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "prompt_shares_user" ON "prompt_shares" USING btree ("user_id","prompt_id");--> statement-breakpoint
-- As of chains: whom a prompt is shared with is part of the prompt. Always: also where rows come by replication.
DO $$
DECLARE
	event text;
BEGIN
	FOREACH event IN ARRAY '{insert,update,delete}'::text[] LOOP
		EXECUTE format(
			'CREATE TRIGGER %I AFTER %s ON prompt_shares REFERENCING %s TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes(''prompts'', ''prompt_id'')',
			'tell_' || event, event, CASE event WHEN 'insert' THEN 'NEW' ELSE 'OLD' END);
		EXECUTE format('ALTER TABLE prompt_shares ENABLE ALWAYS TRIGGER %I', 'tell_' || event);
	END LOOP;
END $$;
