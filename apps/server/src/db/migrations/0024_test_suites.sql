CREATE TABLE "test_cases" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "test_cases_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"suite_id" integer NOT NULL,
	"owner_id" integer NOT NULL,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"input" text DEFAULT '' NOT NULL,
	"values" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"assertions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"threshold" double precision,
	"skips_defaults" boolean DEFAULT false NOT NULL,
	"not_run" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"bytes" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "test_suites" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "test_suites_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"prompt_id" integer,
	"chain_id" integer,
	"owner_id" integer NOT NULL,
	"name" text NOT NULL,
	"default_values" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"default_assertions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"default_threshold" double precision,
	"default_not_run" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"imported" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"bytes" integer DEFAULT 0 NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "test_suites_record" CHECK (num_nonnulls("test_suites"."prompt_id", "test_suites"."chain_id") = 1)
);
--> statement-breakpoint
ALTER TABLE "usages" ADD COLUMN "suites" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "usages" ADD COLUMN "cases" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "test_cases" ADD CONSTRAINT "test_cases_suite_id_test_suites_id_fk" FOREIGN KEY ("suite_id") REFERENCES "public"."test_suites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "test_cases" ADD CONSTRAINT "test_cases_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "test_suites" ADD CONSTRAINT "test_suites_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "test_suites" ADD CONSTRAINT "test_suites_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "test_suites" ADD CONSTRAINT "test_suites_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "test_cases_order" ON "test_cases" USING btree ("suite_id","position","id");--> statement-breakpoint
CREATE INDEX "test_cases_owner" ON "test_cases" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "test_suites_owner" ON "test_suites" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "test_suites_prompt" ON "test_suites" USING btree ("prompt_id") WHERE "test_suites"."prompt_id" is not null;--> statement-breakpoint
CREATE INDEX "test_suites_chain" ON "test_suites" USING btree ("chain_id") WHERE "test_suites"."chain_id" is not null;--> statement-breakpoint
-- Counts what each statement adds and takes away, once a person; what goes with a prompt or a chain knows whose it was.
DO $$
DECLARE
	source record;
	event text;
	plus text;
	minus text;
	counted text;
BEGIN
	FOR source IN SELECT * FROM (VALUES ('test_suites', 'suites'), ('test_cases', 'cases')) AS sources (name, kind) LOOP
		plus := 'SELECT owner_id AS person, 1 AS n, bytes FROM added';
		minus := 'SELECT owner_id, -1, -bytes FROM removed';
		counted := format(
			'UPDATE usages SET %1$I = %1$I + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (%%s) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0)',
			source.kind);
		FOREACH event IN ARRAY '{insert,update,delete}'::text[] LOOP
			EXECUTE format(
				'CREATE FUNCTION %I() RETURNS trigger LANGUAGE plpgsql AS $count$ BEGIN %s; RETURN NULL; END $count$',
				'count_' || source.name || '_' || event,
				format(counted, CASE event WHEN 'insert' THEN plus WHEN 'delete' THEN minus ELSE plus || ' UNION ALL ' || minus END));
			EXECUTE format(
				'CREATE TRIGGER %I AFTER %s ON %I REFERENCING %s FOR EACH STATEMENT EXECUTE FUNCTION %I()',
				'count_' || event, event, source.name,
				CASE event WHEN 'insert' THEN 'NEW TABLE AS added' WHEN 'delete' THEN 'OLD TABLE AS removed' ELSE 'NEW TABLE AS added OLD TABLE AS removed' END,
				'count_' || source.name || '_' || event);
		END LOOP;
	END LOOP;
END $$;
