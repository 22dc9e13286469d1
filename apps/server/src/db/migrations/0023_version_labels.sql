CREATE TABLE "chain_versions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "chain_versions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"chain_id" integer NOT NULL,
	"number" integer NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"stops_without_value" "stops_without_value" NOT NULL,
	"steps" jsonb NOT NULL,
	"step_count" integer NOT NULL,
	"bytes" integer NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"author_id" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chain_slugs" (
	"slug" text PRIMARY KEY NOT NULL,
	"chain_id" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "prompt_slugs" (
	"slug" text PRIMARY KEY NOT NULL,
	"prompt_id" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chain_labels" (
	"chain_id" integer NOT NULL,
	"label" text collate "C" NOT NULL,
	"version" integer NOT NULL,
	"moved_by" integer,
	"moved_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "chain_labels_chain_id_label_pk" PRIMARY KEY("chain_id","label")
);
--> statement-breakpoint
CREATE TABLE "label_moves" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "label_moves_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"prompt_id" integer,
	"chain_id" integer,
	"label" text collate "C" NOT NULL,
	"from_version" integer,
	"to_version" integer,
	"moved_by" integer,
	"moved_at" timestamp (3) with time zone NOT NULL,
	"reason" text NOT NULL,
	"override" boolean NOT NULL,
	"evaluation_id" integer,
	CONSTRAINT "label_moves_one_record" CHECK (num_nonnulls("label_moves"."prompt_id", "label_moves"."chain_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "prompt_labels" (
	"prompt_id" integer NOT NULL,
	"label" text collate "C" NOT NULL,
	"version" integer NOT NULL,
	"moved_by" integer,
	"moved_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "prompt_labels_prompt_id_label_pk" PRIMARY KEY("prompt_id","label")
);
--> statement-breakpoint
CREATE TABLE "protected_labels" (
	"label" text collate "C" PRIMARY KEY NOT NULL,
	"who_may_move" text NOT NULL,
	"needs_suite" boolean NOT NULL
);
--> statement-breakpoint
ALTER TABLE "chains" ADD COLUMN "slug" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "chains" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "prompts" ADD COLUMN "slug" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "chain_versions" ADD CONSTRAINT "chain_versions_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chain_versions" ADD CONSTRAINT "chain_versions_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chain_slugs" ADD CONSTRAINT "chain_slugs_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompt_slugs" ADD CONSTRAINT "prompt_slugs_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chain_labels" ADD CONSTRAINT "chain_labels_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chain_labels" ADD CONSTRAINT "chain_labels_moved_by_users_id_fk" FOREIGN KEY ("moved_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "label_moves" ADD CONSTRAINT "label_moves_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "label_moves" ADD CONSTRAINT "label_moves_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "label_moves" ADD CONSTRAINT "label_moves_moved_by_users_id_fk" FOREIGN KEY ("moved_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompt_labels" ADD CONSTRAINT "prompt_labels_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompt_labels" ADD CONSTRAINT "prompt_labels_moved_by_users_id_fk" FOREIGN KEY ("moved_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompt_labels" ADD CONSTRAINT "prompt_labels_version" FOREIGN KEY ("prompt_id","version") REFERENCES "public"."prompt_versions"("prompt_id","number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "chain_versions_number" ON "chain_versions" USING btree ("chain_id","number");--> statement-breakpoint
CREATE INDEX "chain_slugs_chain" ON "chain_slugs" USING btree ("chain_id");--> statement-breakpoint
CREATE INDEX "prompt_slugs_prompt" ON "prompt_slugs" USING btree ("prompt_id");--> statement-breakpoint
CREATE INDEX "label_moves_prompt" ON "label_moves" USING btree ("prompt_id","label","id");--> statement-breakpoint
CREATE INDEX "label_moves_chain" ON "label_moves" USING btree ("chain_id","label","id");--> statement-breakpoint
ALTER TABLE "chain_labels" ADD CONSTRAINT "chain_labels_version" FOREIGN KEY ("chain_id","version") REFERENCES "public"."chain_versions"("chain_id","number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- A name in the letters of slugs; what would name a model, or begin with a digit, is led by another word.
CREATE FUNCTION "slug_of"("name" text, "otherwise" text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	plain text := regexp_replace(replace(lower(normalize(name, NFD)), 'ß', 'ss'), '[\u0300-\u036f]', '', 'g');
	slug text := rtrim(left(ltrim(regexp_replace(plain, '[^a-z0-9]+', '-', 'g'), '-'), 45), '-');
BEGIN
	IF slug = '' THEN
		RETURN otherwise;
	ELSIF slug ~ '^([0-9]|(claude-)?chain(-|$)|(claude|openai|gemini|custom)$)' THEN
		RETURN 'the-' || slug;
	END IF;
	RETURN slug;
END $$;--> statement-breakpoint
-- Each row takes a slug of its name, with its id where that is taken, in the statement that makes it.
DO $$
DECLARE
	kind record;
BEGIN
	FOR kind IN
		SELECT * FROM (VALUES ('prompt', 'title', 'prompt'), ('chain', 'name', 'flow')) AS kinds (name, named, otherwise)
	LOOP
		EXECUTE format($make$
			CREATE FUNCTION %1$I(record_id integer, named text) RETURNS text LANGUAGE plpgsql AS $take$
			DECLARE
				base text := slug_of(named, %2$L);
				taken text := base;
				tries integer := 0;
			BEGIN
				LOOP
					INSERT INTO %3$I (slug, %4$I) VALUES (taken, record_id) ON CONFLICT DO NOTHING;
					EXIT WHEN FOUND;
					tries := tries + 1;
					taken := base || '-' || record_id || CASE WHEN tries > 1 THEN '-' || tries ELSE '' END;
				END LOOP;
				RETURN taken;
			END $take$
		$make$, 'take_' || kind.name || '_slug', kind.otherwise, kind.name || '_slugs', kind.name || '_id');
		EXECUTE format('SELECT %I(id, %I) FROM (SELECT * FROM %I ORDER BY id) AS rows',
			'take_' || kind.name || '_slug', kind.named, kind.name || 's');
		EXECUTE format('UPDATE %1$I SET slug = %2$I.slug FROM %2$I WHERE %3$I = id',
			kind.name || 's', kind.name || '_slugs', kind.name || '_id');
		EXECUTE format(
			'CREATE FUNCTION %1$I() RETURNS trigger LANGUAGE plpgsql AS $set$ BEGIN NEW.slug := %2$I(NEW.id, NEW.%3$I); RETURN NEW; END $set$',
			'set_' || kind.name || '_slug', 'take_' || kind.name || '_slug', kind.named);
		EXECUTE format(
			'CREATE TRIGGER "set_slug" BEFORE INSERT ON %I FOR EACH ROW EXECUTE FUNCTION %I()',
			kind.name || 's', 'set_' || kind.name || '_slug');
		-- A slug is taken before its row is there.
		EXECUTE format('ALTER TABLE %I ALTER CONSTRAINT %I DEFERRABLE INITIALLY DEFERRED',
			kind.name || '_slugs', kind.name || '_slugs_' || kind.name || '_id_' || kind.name || 's_id_fk');
	END LOOP;
END $$;--> statement-breakpoint
INSERT INTO "chain_versions" ("chain_id", "number", "name", "description", "stops_without_value", "steps", "step_count", "bytes", "author_id", "created_at")
SELECT chains.id, 1, name, description, stops_without_value, kept.steps, counted.steps,
	octet_length(name) + octet_length(description) + counted.bytes, owner_id, updated_at
FROM chains
CROSS JOIN LATERAL (
	SELECT count(*) AS steps,
		coalesce(sum(octet_length(title) + octet_length(content) + coalesce(octet_length(system_prompt), 0)), 0) AS bytes
	FROM chain_steps WHERE chain_id = chains.id
) AS counted
CROSS JOIN LATERAL (
	SELECT coalesce(jsonb_agg(jsonb_build_object(
		'id', id, 'position', position, 'title', title, 'content', content, 'model', model, 'fallbackModel', fallback_model,
		'outputVariableName', output_variable_name, 'promptId', prompt_id, 'systemPrompt', system_prompt, 'temperature', temperature,
		'maxTokens', max_tokens
	) ORDER BY position, id), '[]') AS steps
	FROM chain_steps WHERE chain_id = chains.id
) AS kept
WHERE counted.bytes <= 20000000;--> statement-breakpoint
-- Versions of chains count among those of prompts. Who has more than a bound by that keeps it, and adds nothing.
ALTER TABLE "usages" DISABLE TRIGGER "refuse_over_quota";--> statement-breakpoint
UPDATE usages SET versions = versions + n, text = text + kept.bytes
FROM (
	SELECT owner_id, count(*) AS n, sum(bytes) AS bytes FROM chain_versions JOIN chains ON chains.id = chain_id GROUP BY owner_id
) AS kept
WHERE user_id = owner_id;--> statement-breakpoint
ALTER TABLE "usages" ENABLE TRIGGER "refuse_over_quota";--> statement-breakpoint
DO $$
DECLARE
	event text;
BEGIN
	FOREACH event IN ARRAY '{insert,delete}'::text[] LOOP
		EXECUTE format($make$
			CREATE FUNCTION %1$I() RETURNS trigger LANGUAGE plpgsql AS $count$
			BEGIN
				UPDATE usages SET versions = versions %2$s n, text = text %2$s change.bytes
				FROM (
					SELECT owner_id, count(*) AS n, sum(bytes) AS bytes FROM written JOIN chains ON chains.id = chain_id GROUP BY owner_id
				) AS change
				WHERE user_id = owner_id;
				RETURN NULL;
			END $count$
		$make$, 'count_chain_versions_' || event, CASE event WHEN 'insert' THEN '+' ELSE '-' END);
		EXECUTE format(
			'CREATE TRIGGER %I AFTER %s ON chain_versions REFERENCING %s TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION %I()',
			'count_' || event, event, CASE event WHEN 'insert' THEN 'NEW' ELSE 'OLD' END, 'count_chain_versions_' || event);
	END LOOP;
END $$;--> statement-breakpoint
-- As of prompts: what goes with a chain is counted before it.
CREATE FUNCTION "count_chain_versions_gone"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE usages SET versions = versions - n, text = text - gone.bytes
	FROM (SELECT count(*) AS n, sum(bytes) AS bytes FROM chain_versions WHERE chain_id = OLD.id) AS gone
	WHERE user_id = OLD.owner_id AND n > 0;
	RETURN OLD;
END $$;--> statement-breakpoint
CREATE TRIGGER "count_chain_versions_gone" BEFORE DELETE ON "chains" FOR EACH ROW EXECUTE FUNCTION "count_chain_versions_gone"();--> statement-breakpoint
-- Labels are part of their record. Always: also where rows come by replication.
DO $$
DECLARE
	kind text;
	event text;
BEGIN
	FOREACH kind IN ARRAY '{prompt,chain}'::text[] LOOP
		FOREACH event IN ARRAY '{insert,update,delete}'::text[] LOOP
			EXECUTE format(
				'CREATE TRIGGER %I AFTER %s ON %I REFERENCING %s TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes(%L, %L)',
				'tell_' || event, event, kind || '_labels', CASE event WHEN 'insert' THEN 'NEW' ELSE 'OLD' END, kind || 's', kind || '_id');
			EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER %I', kind || '_labels', 'tell_' || event);
		END LOOP;
	END LOOP;
END $$;
