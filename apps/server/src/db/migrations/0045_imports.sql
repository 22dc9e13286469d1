CREATE TABLE "imported_prompts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "imported_prompts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"import_id" integer NOT NULL,
	"prompt_id" integer NOT NULL,
	"hash" text NOT NULL,
	"made" text NOT NULL,
	"revision" integer NOT NULL,
	"version" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "imports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"owner_id" integer NOT NULL,
	"files" jsonb NOT NULL,
	"losses" jsonb NOT NULL,
	"bytes" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"undone_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "imported_prompts" ADD CONSTRAINT "imported_prompts_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imported_prompts" ADD CONSTRAINT "imported_prompts_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "imported_prompts_import" ON "imported_prompts" USING btree ("import_id");--> statement-breakpoint
CREATE INDEX "imported_prompts_prompt" ON "imported_prompts" USING btree ("prompt_id");--> statement-breakpoint
CREATE INDEX "imported_prompts_hash" ON "imported_prompts" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "imports_owner" ON "imports" USING btree ("owner_id","id");--> statement-breakpoint
-- Counts what imports keep of files as text of their person.
DO $$
DECLARE
	event text;
BEGIN
	FOREACH event IN ARRAY '{insert,delete}'::text[] LOOP
		EXECUTE format(
			'CREATE FUNCTION %1$I() RETURNS trigger LANGUAGE plpgsql AS $count$ BEGIN
				UPDATE usages SET text = text %2$s change.bytes
				FROM (SELECT owner_id AS person, sum(bytes) AS bytes FROM %3$s GROUP BY owner_id) AS change
				WHERE user_id = person;
				RETURN NULL;
			END $count$',
			'count_imports_' || event,
			CASE event WHEN 'insert' THEN '+' ELSE '-' END,
			CASE event WHEN 'insert' THEN 'added' ELSE 'removed' END);
		EXECUTE format(
			'CREATE TRIGGER %I AFTER %s ON imports REFERENCING %s FOR EACH STATEMENT EXECUTE FUNCTION %I()',
			'count_' || event, event,
			CASE event WHEN 'insert' THEN 'NEW TABLE AS added' ELSE 'OLD TABLE AS removed' END,
			'count_imports_' || event);
	END LOOP;
END $$;
