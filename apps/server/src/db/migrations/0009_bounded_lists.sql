CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE TABLE "prompt_tallies" (
	"scope" integer NOT NULL,
	"category_id" integer NOT NULL,
	"slot" integer NOT NULL,
	"prompts" integer NOT NULL,
	"changes" bigint NOT NULL,
	CONSTRAINT "prompt_tallies_scope_category_id_slot_pk" PRIMARY KEY("scope","category_id","slot")
);
--> statement-breakpoint
DROP INDEX "prompts_updated";--> statement-breakpoint
ALTER TABLE "chain_steps" ADD COLUMN "content_length" integer GENERATED ALWAYS AS (char_length("content")) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "chain_steps" ADD COLUMN "system_prompt_length" integer GENERATED ALWAYS AS (char_length("system_prompt")) STORED;--> statement-breakpoint
ALTER TABLE "prompt_versions" ADD COLUMN "content_length" integer GENERATED ALWAYS AS (char_length("content")) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "prompts" ADD COLUMN "content_length" integer GENERATED ALWAYS AS (char_length("content")) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "prompts" ADD COLUMN "searched" text GENERATED ALWAYS AS (lower("title" || chr(31) || left("content", 20000))) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "prompts" ADD COLUMN "title_order" text collate "C" GENERATED ALWAYS AS (regexp_replace(regexp_replace(regexp_replace(lower(normalize("title", NFD)), '[\u0300-\u036f]', '', 'g'), '(\d+)', '0000000000\1', 'g'), '\d*(\d{10})', '\1', 'g')) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "variables" ADD COLUMN "content_length" integer GENERATED ALWAYS AS (char_length("content")) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "chains_updated" ON "chains" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX "prompts_public_updated" ON "prompts" USING btree ("updated_at","id") WHERE is_public;--> statement-breakpoint
CREATE INDEX "prompts_public_created" ON "prompts" USING btree ("id") WHERE is_public;--> statement-breakpoint
CREATE INDEX "prompts_public_title" ON "prompts" USING btree ("title_order","id") WHERE is_public;--> statement-breakpoint
CREATE INDEX "prompts_public_search" ON "prompts" USING gin ("searched" gin_trgm_ops) WITH (fastupdate=false) WHERE is_public;--> statement-breakpoint
CREATE INDEX "prompts_private_updated" ON "prompts" USING btree ("owner_id","updated_at","id") WHERE not is_public;--> statement-breakpoint
CREATE INDEX "prompts_private_created" ON "prompts" USING btree ("owner_id","id") WHERE not is_public;--> statement-breakpoint
CREATE INDEX "prompts_private_title" ON "prompts" USING btree ("owner_id","title_order","id") WHERE not is_public;--> statement-breakpoint
CREATE INDEX "prompts_private_search" ON "prompts" USING gin ("searched" gin_trgm_ops) WITH (fastupdate=false) WHERE not is_public;--> statement-breakpoint
CREATE INDEX "variables_name" ON "variables" USING btree (lower("name"),"id");--> statement-breakpoint
CREATE FUNCTION tally(of_scope integer, of_category integer, difference integer) RETURNS void LANGUAGE sql AS $$
	INSERT INTO prompt_tallies AS kept (scope, category_id, slot, prompts, changes)
	-- By chance, so that a restored database never counts the same way twice.
	VALUES (of_scope, of_category, pg_backend_pid() & 15, difference, 1 + floor(random() * 1000000)::bigint)
	ON CONFLICT (scope, category_id, slot) DO UPDATE
	SET prompts = kept.prompts + excluded.prompts, changes = kept.changes + excluded.changes
$$;--> statement-breakpoint
CREATE FUNCTION tally_prompts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP <> 'INSERT' THEN
		PERFORM tally(scope, category_id, -prompts)
		FROM (
			SELECT CASE WHEN is_public THEN 0 ELSE owner_id END AS scope, category_id, count(*)::integer AS prompts
			FROM before GROUP BY 1, 2
		) AS gone;
	END IF;
	IF TG_OP <> 'DELETE' THEN
		PERFORM tally(scope, category_id, prompts)
		FROM (
			SELECT CASE WHEN is_public THEN 0 ELSE owner_id END AS scope, category_id, count(*)::integer AS prompts
			FROM after GROUP BY 1, 2
		) AS added;
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION tally_names() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM tally(-1, 0, 0);
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER tally_added AFTER INSERT ON "prompts" REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION tally_prompts();--> statement-breakpoint
CREATE TRIGGER tally_changed AFTER UPDATE ON "prompts" REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION tally_prompts();--> statement-breakpoint
CREATE TRIGGER tally_gone AFTER DELETE ON "prompts" REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION tally_prompts();--> statement-breakpoint
CREATE TRIGGER tally_names AFTER INSERT OR UPDATE OR DELETE ON "tags" FOR EACH STATEMENT EXECUTE FUNCTION tally_names();--> statement-breakpoint
CREATE TRIGGER tally_names AFTER INSERT OR UPDATE OR DELETE ON "categories" FOR EACH STATEMENT EXECUTE FUNCTION tally_names();--> statement-breakpoint
CREATE TRIGGER tally_names AFTER UPDATE OF "display_username" OR DELETE ON "users" FOR EACH STATEMENT EXECUTE FUNCTION tally_names();--> statement-breakpoint
INSERT INTO "prompt_tallies" ("scope", "category_id", "slot", "prompts", "changes")
SELECT CASE WHEN is_public THEN 0 ELSE owner_id END, category_id, 0, count(*), 1 FROM "prompts" GROUP BY 1, 2;
