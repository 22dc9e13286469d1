-- safe beside the version before: it reads the few variables that there are one by one meanwhile
DROP INDEX "variables_public_name";
--> statement-breakpoint
-- safe beside the version before: it reads the few variables that there are one by one meanwhile
DROP INDEX "variables_limited";
--> statement-breakpoint
-- safe beside the version before: it reads the few variables that there are one by one meanwhile
DROP INDEX "variables_name";
--> statement-breakpoint
ALTER TABLE "categories" ADD COLUMN "name_key" text collate "C";
--> statement-breakpoint
ALTER TABLE "tags" ADD COLUMN "name_key" text collate "C";
--> statement-breakpoint
-- safe beside the version before: it leaves the column null
CREATE UNIQUE INDEX "categories_name_key" ON "categories" USING btree ("name_key");
--> statement-breakpoint
CREATE INDEX "categories_without_key" ON "categories" USING btree ("id") WHERE "categories"."name_key" is null;
--> statement-breakpoint
-- safe beside the version before: it leaves the column null
CREATE UNIQUE INDEX "tags_kind_name_key" ON "tags" USING btree ("kind","name_key");
--> statement-breakpoint
CREATE INDEX "tags_without_key" ON "tags" USING btree ("id") WHERE "tags"."name_key" is null;
--> statement-breakpoint
CREATE INDEX "variables_public_key" ON "variables" USING btree (lower("name" collate "C")) WHERE "variables"."is_public";
--> statement-breakpoint
CREATE INDEX "variables_limited_key" ON "variables" USING btree (lower("name" collate "C")) WHERE "variables"."allowed_values" <> '{}';
--> statement-breakpoint
CREATE INDEX "variables_key" ON "variables" USING btree (lower("name" collate "C"),"id");
--> statement-breakpoint
-- Their names have ASCII letters alone, whose lower case is the same everywhere under "C". Of those that a database in
-- Turkish took for different ones the older keeps the name; the others stay, outside of the index.
DO $$
DECLARE
	named record;
	others text;
BEGIN
	FOR named IN
		SELECT * FROM (VALUES
			('variables_owner_key', 'variables', 'owner_id', 'name'),
			('chain_steps_output_key', 'chain_steps', 'chain_id', 'output_variable_name')
		) AS indexes (index, of_table, scope, name)
	LOOP
		EXECUTE format($find$
			SELECT string_agg(id::text, ',') FROM (
				SELECT id, row_number() OVER (PARTITION BY %1$I, lower(%2$I COLLATE "C") ORDER BY id) AS place FROM %3$I
			) AS all_of WHERE place > 1
		$find$, named.scope, named.name, named.of_table) INTO others;
		EXECUTE format('CREATE UNIQUE INDEX %1$I ON %2$I USING btree (%3$I, lower(%4$I COLLATE "C"))%5$s',
			named.index, named.of_table, named.scope, named.name,
			CASE WHEN others IS NULL THEN '' ELSE format(' WHERE id <> ALL (%L::integer[])', '{' || others || '}') END);
	END LOOP;
END $$;
--> statement-breakpoint
-- A key that came without the program's mark is not of this name, and made anew once it is seen.
CREATE FUNCTION keep_name_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF left(NEW.name_key, 1) = chr(2) THEN
		NEW.name_key := substr(NEW.name_key, 2);
	ELSIF TG_OP = 'INSERT' OR NEW.name IS DISTINCT FROM OLD.name THEN
		NEW.name_key := NULL;
	END IF;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER keep_name_key BEFORE INSERT OR UPDATE OF name, name_key ON tags FOR EACH ROW EXECUTE FUNCTION keep_name_key();
--> statement-breakpoint
CREATE TRIGGER keep_name_key BEFORE INSERT OR UPDATE OF name, name_key ON categories FOR EACH ROW EXECUTE FUNCTION keep_name_key();
--> statement-breakpoint
-- What follows lowered letters as the database's locale does, and so another way in Turkish, or none but ASCII in "C".
DO $$
DECLARE
	source text;
BEGIN
	source := pg_get_functiondef('reference_names(text)'::regprocedure);
	EXECUTE replace(source, 'lower(name)', 'lower(name COLLATE "C")');
	source := pg_get_functiondef('slug_of(text, text)'::regprocedure);
	EXECUTE replace(source, $was$replace(lower(normalize(name, NFD)), 'ß', 'ss')$was$,
		$is$lower(replace(replace(normalize(name, NFD), 'ß', 'ss'), 'ẞ', 'ss') COLLATE "C")$is$);
	IF lower('I') <> 'i' THEN
		UPDATE prompts SET content = content WHERE content LIKE '%$<%' OR settings IS NOT NULL;
		UPDATE chain_steps SET content = content;
	END IF;
END $$;
