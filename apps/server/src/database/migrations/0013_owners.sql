CREATE TABLE "hand_overs" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "hand_overs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"prompt_id" integer,
	"chain_id" integer,
	"variable_id" integer,
	"owner_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"keep" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "hand_overs_of_one" CHECK (num_nonnulls("hand_overs"."prompt_id", "hand_overs"."chain_id", "hand_overs"."variable_id") = 1)
);
--> statement-breakpoint
ALTER TABLE "hand_overs" ADD CONSTRAINT "hand_overs_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hand_overs" ADD CONSTRAINT "hand_overs_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hand_overs" ADD CONSTRAINT "hand_overs_variable_id_variables_id_fk" FOREIGN KEY ("variable_id") REFERENCES "public"."variables"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hand_overs" ADD CONSTRAINT "hand_overs_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hand_overs" ADD CONSTRAINT "hand_overs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "hand_overs_prompt" ON "hand_overs" USING btree ("prompt_id");--> statement-breakpoint
CREATE UNIQUE INDEX "hand_overs_chain" ON "hand_overs" USING btree ("chain_id");--> statement-breakpoint
CREATE UNIQUE INDEX "hand_overs_variable" ON "hand_overs" USING btree ("variable_id");--> statement-breakpoint
CREATE INDEX "hand_overs_owner" ON "hand_overs" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "hand_overs_user" ON "hand_overs" USING btree ("user_id");
--> statement-breakpoint
-- As before, and what is in another record goes with it to another owner, too.
CREATE OR REPLACE FUNCTION count_rows_of(
	kept text,
	counter text DEFAULT NULL,
	bytes text DEFAULT '0',
	bytes_in text DEFAULT 'text',
	person text DEFAULT 'owner_id',
	parent text DEFAULT NULL,
	reference text DEFAULT NULL,
	events text[] DEFAULT '{insert,update,delete}'
)
RETURNS void
LANGUAGE plpgsql
AS $make$
DECLARE
	counts text := concat_ws(', ',
		CASE WHEN counter IS NOT NULL THEN format('%1$I = %1$I + change.n', counter) END,
		CASE WHEN bytes <> '0' THEN format('%1$I = %1$I + change.bytes', bytes_in) END);
	whose text := CASE WHEN parent IS NULL THEN person ELSE format('(SELECT owner_id FROM %1$I WHERE %1$I.id = %2$I)', parent, reference) END;
	added text := format('SELECT %s AS person, 1 AS n, %s AS bytes FROM added', whose, bytes);
	removed text := format('SELECT %s AS person, -1 AS n, -(%s) AS bytes FROM removed', whose, bytes);
	event text;
BEGIN
	FOREACH event IN ARRAY events LOOP
		EXECUTE format($trigger$
			CREATE OR REPLACE FUNCTION %1$I() RETURNS trigger LANGUAGE plpgsql AS $count$
			BEGIN
				UPDATE usages SET %2$s
				FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (%3$s) AS written GROUP BY person) AS change
				WHERE user_id = person AND (change.n <> 0 OR change.bytes <> 0);
				RETURN NULL;
			END $count$;
			CREATE OR REPLACE TRIGGER %4$I AFTER %5$s ON %6$I REFERENCING %7$s FOR EACH STATEMENT EXECUTE FUNCTION %1$I();
		$trigger$,
			format('count_%s_%s', kept, event), counts,
			CASE event WHEN 'insert' THEN added WHEN 'delete' THEN removed ELSE added || ' UNION ALL ' || removed END,
			'count_' || event, event, kept,
			CASE event WHEN 'insert' THEN 'NEW TABLE AS added' WHEN 'delete' THEN 'OLD TABLE AS removed' ELSE 'NEW TABLE AS added OLD TABLE AS removed' END);
	END LOOP;
	IF parent IS NOT NULL THEN
		EXECUTE format($trigger$
			CREATE OR REPLACE FUNCTION %1$I() RETURNS trigger LANGUAGE plpgsql AS $count$
			BEGIN
				UPDATE usages SET %2$s
				FROM (SELECT -count(*) AS n, -sum(%3$s) AS bytes FROM %4$I WHERE %5$I = OLD.id) AS change
				WHERE user_id = OLD.owner_id AND change.n <> 0;
				RETURN OLD;
			END $count$;
			CREATE OR REPLACE TRIGGER %1$I BEFORE DELETE ON %6$I FOR EACH ROW EXECUTE FUNCTION %1$I();
		$trigger$, format('count_%s_gone', kept), counts, bytes, kept, reference, parent);
		EXECUTE format($trigger$
			CREATE OR REPLACE FUNCTION %1$I() RETURNS trigger LANGUAGE plpgsql AS $count$
			BEGIN
				UPDATE usages SET %2$s
				FROM (
					SELECT side.person, side.sign * count(*) AS n, side.sign * sum(%3$s) AS bytes
					FROM %4$I, (VALUES (OLD.owner_id, -1), (NEW.owner_id, 1)) AS side (person, sign)
					WHERE %5$I = NEW.id GROUP BY side.person, side.sign
				) AS change
				WHERE user_id = change.person;
				RETURN NULL;
			END $count$;
			CREATE OR REPLACE TRIGGER %1$I AFTER UPDATE OF owner_id ON %6$I FOR EACH ROW
				WHEN (OLD.owner_id <> NEW.owner_id) EXECUTE FUNCTION %1$I();
		$trigger$, format('count_%s_moved', kept), counts, bytes, kept, reference, parent);
	END IF;
END $make$;
--> statement-breakpoint
SELECT
	count_rows_of('prompt_versions', parent => 'prompts', reference => 'prompt_id', counter => 'versions',
		bytes => 'octet_length(title) + octet_length(content) + coalesce(octet_length(settings::text), 0)'),
	count_rows_of('chain_steps', parent => 'chains', reference => 'chain_id', counter => 'steps',
		bytes => 'octet_length(title) + octet_length(content) + coalesce(octet_length(system_prompt), 0) + coalesce(octet_length(settings::text), 0)'),
	count_rows_of('chain_versions', parent => 'chains', reference => 'chain_id', counter => 'versions', bytes => 'bytes', events => '{insert,delete}');
