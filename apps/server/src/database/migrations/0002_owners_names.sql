CREATE TABLE "chain_names" (
	"name" text collate "C" NOT NULL,
	"owner_id" integer NOT NULL,
	"chain_id" integer NOT NULL,
	CONSTRAINT "chain_names_name_owner_id_pk" PRIMARY KEY("name","owner_id")
);
--> statement-breakpoint
CREATE TABLE "prompt_names" (
	"name" text collate "C" NOT NULL,
	"owner_id" integer NOT NULL,
	"prompt_id" integer NOT NULL,
	"is_alias" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "prompt_names_name_owner_id_pk" PRIMARY KEY("name","owner_id")
);
--> statement-breakpoint
ALTER TABLE "chain_names" ADD CONSTRAINT "chain_names_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompt_names" ADD CONSTRAINT "prompt_names_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chain_names_chain" ON "chain_names" USING btree ("chain_id");--> statement-breakpoint
CREATE INDEX "prompt_names_prompt" ON "prompt_names" USING btree ("prompt_id");
--> statement-breakpoint
-- A slug is taken before its row is there.
ALTER TABLE "prompt_names" ALTER CONSTRAINT "prompt_names_prompt_id_prompts_id_fk" DEFERRABLE INITIALLY DEFERRED;--> statement-breakpoint
ALTER TABLE "chain_names" ALTER CONSTRAINT "chain_names_chain_id_chains_id_fk" DEFERRABLE INITIALLY DEFERRED;--> statement-breakpoint
-- Names are unique among their owner's: each row takes one of its title, with its id where that is taken.
DO $$
DECLARE
	kind record;
BEGIN
	FOR kind IN
		SELECT * FROM (VALUES ('prompt', 'title', 'prompt'), ('chain', 'name', 'flow')) AS kinds (name, named, otherwise)
	LOOP
		EXECUTE format($make$
			CREATE FUNCTION %1$I(record_id integer, of_owner integer, named text) RETURNS text LANGUAGE plpgsql AS $take$
			DECLARE
				base text := slug_of(named, %2$L);
				taken text := base;
				tries integer := 0;
			BEGIN
				LOOP
					INSERT INTO %3$I (name, owner_id, %4$I) VALUES (taken, of_owner, record_id) ON CONFLICT DO NOTHING;
					EXIT WHEN FOUND;
					tries := tries + 1;
					taken := base || '-' || record_id || CASE WHEN tries > 1 THEN '-' || tries ELSE '' END;
				END LOOP;
				RETURN taken;
			END $take$
		$make$, 'take_' || kind.name || '_name', kind.otherwise, kind.name || '_names', kind.name || '_id');
		EXECUTE format(
			'CREATE OR REPLACE FUNCTION %1$I() RETURNS trigger LANGUAGE plpgsql AS $set$ BEGIN NEW.slug := %2$I(NEW.id, NEW.owner_id, NEW.%3$I); RETURN NEW; END $set$',
			'set_' || kind.name || '_slug', 'take_' || kind.name || '_name', kind.named);
		-- As the version before calls it.
		EXECUTE format(
			'CREATE OR REPLACE FUNCTION %1$I(record_id integer, named text) RETURNS text LANGUAGE sql AS $take$ SELECT %2$I(record_id, (SELECT owner_id FROM %3$I WHERE id = record_id), named) $take$',
			'take_' || kind.name || '_slug', 'take_' || kind.name || '_name', kind.name || 's');
		EXECUTE format('INSERT INTO %1$I (name, owner_id, %2$I) SELECT %3$I.slug, owner_id, %2$I FROM %3$I JOIN %4$I ON id = %2$I',
			kind.name || '_names', kind.name || '_id', kind.name || '_slugs', kind.name || 's');
	END LOOP;
END $$;--> statement-breakpoint
INSERT INTO prompt_names (name, owner_id, prompt_id, is_alias, created_at)
SELECT alias, owner_id, prompt_id, true, prompt_aliases.created_at FROM prompt_aliases JOIN prompts ON prompts.id = prompt_id
ON CONFLICT DO NOTHING;--> statement-breakpoint
-- While the version before runs beside this one, each finds what the other names; of two people's same name it has the first.
DO $$
DECLARE
	pair record;
BEGIN
	FOR pair IN
		SELECT * FROM (VALUES
			('prompt_names', 'prompt_slugs', 'slug', 'prompt', 'NOT %s.is_alias', '', ''),
			('prompt_names', 'prompt_aliases', 'alias', 'prompt', '%s.is_alias', ', is_alias', ', true'),
			('chain_names', 'chain_slugs', 'slug', 'chain', 'true', '', '')
		) AS pairs (new_table, old_table, named, record, which, flag, flagged)
	LOOP
		EXECUTE format($make$
			CREATE FUNCTION %1$I() RETURNS trigger LANGUAGE plpgsql AS $keep$
			BEGIN
				INSERT INTO %2$I (%3$I, %4$I) VALUES (NEW.name, NEW.%4$I) ON CONFLICT DO NOTHING;
				RETURN NULL;
			END $keep$
		$make$, 'keep_new_' || pair.old_table, pair.old_table, pair.named, pair.record || '_id');
		EXECUTE format($make$
			CREATE FUNCTION %1$I() RETURNS trigger LANGUAGE plpgsql AS $keep$
			BEGIN
				DELETE FROM %2$I WHERE %3$I = OLD.name AND %4$I = OLD.%4$I;
				RETURN NULL;
			END $keep$
		$make$, 'drop_old_' || pair.old_table, pair.old_table, pair.named, pair.record || '_id');
		EXECUTE format($make$
			CREATE FUNCTION %1$I() RETURNS trigger LANGUAGE plpgsql AS $keep$
			BEGIN
				INSERT INTO %2$I (name, owner_id, %4$I%6$s)
				SELECT NEW.%3$I, owner_id, id%7$s FROM %5$I WHERE id = NEW.%4$I
				ON CONFLICT DO NOTHING;
				RETURN NULL;
			END $keep$
		$make$, 'keep_old_' || pair.old_table, pair.new_table, pair.named, pair.record || '_id', pair.record || 's', pair.flag,
			pair.flagged);
		EXECUTE format($make$
			CREATE FUNCTION %1$I() RETURNS trigger LANGUAGE plpgsql AS $keep$
			BEGIN
				DELETE FROM %2$I AS kept WHERE kept.name = OLD.%3$I AND kept.%4$I = OLD.%4$I AND %5$s;
				RETURN NULL;
			END $keep$
		$make$, 'drop_new_' || pair.old_table, pair.new_table, pair.named, pair.record || '_id', format(pair.which, 'kept'));
		EXECUTE format('CREATE TRIGGER %1$I AFTER INSERT ON %2$I FOR EACH ROW WHEN (%3$s) EXECUTE FUNCTION %1$I()',
			'keep_new_' || pair.old_table, pair.new_table, format(pair.which, 'NEW'));
		EXECUTE format('CREATE TRIGGER %1$I AFTER DELETE ON %2$I FOR EACH ROW WHEN (%3$s) EXECUTE FUNCTION %1$I()',
			'drop_old_' || pair.old_table, pair.new_table, format(pair.which, 'OLD'));
		EXECUTE format('CREATE TRIGGER %1$I AFTER INSERT ON %2$I FOR EACH ROW EXECUTE FUNCTION %1$I()',
			'keep_old_' || pair.old_table, pair.old_table);
		EXECUTE format('CREATE TRIGGER %1$I AFTER DELETE ON %2$I FOR EACH ROW EXECUTE FUNCTION %1$I()',
			'drop_new_' || pair.old_table, pair.old_table);
	END LOOP;
END $$;--> statement-breakpoint
-- Aliases are part of their prompt. Always: also where rows come by replication.
CREATE FUNCTION "tell_alias_changes"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	ids integer[];
	told text;
BEGIN
	SELECT array_agg(DISTINCT prompt_id) INTO ids FROM changed WHERE is_alias;
	IF ids IS NOT NULL THEN
		told := 'prompts ' || CASE WHEN cardinality(ids) > 100 THEN '*' ELSE array_to_string(ids, ',') END;
		PERFORM pg_notify('catenary_rows', told);
		RAISE INFO 'catenary_rows %', told;
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
-- What was filled in above waits for the end of the transaction; the table can't be altered before it is looked at.
SET CONSTRAINTS ALL IMMEDIATE;--> statement-breakpoint
SET CONSTRAINTS ALL DEFERRED;--> statement-breakpoint
DO $$
DECLARE
	event text;
BEGIN
	FOREACH event IN ARRAY '{insert,update,delete}'::text[] LOOP
		-- What is written there comes here.
		EXECUTE format('DROP TRIGGER IF EXISTS %I ON prompt_aliases', 'tell_' || event);
		EXECUTE format(
			'CREATE TRIGGER %I AFTER %s ON prompt_names REFERENCING %s TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_alias_changes()',
			'tell_' || event, event, CASE event WHEN 'insert' THEN 'NEW' ELSE 'OLD' END);
		EXECUTE format('ALTER TABLE prompt_names ENABLE ALWAYS TRIGGER %I', 'tell_' || event);
	END LOOP;
END $$;
