-- safe beside the version before: it looks through the rows meanwhile
DROP INDEX "prompts_public_title";
--> statement-breakpoint
-- safe beside the version before: it looks through the rows meanwhile
DROP INDEX "prompts_public_search";
--> statement-breakpoint
-- safe beside the version before: it looks through the rows meanwhile
DROP INDEX "prompts_private_title";
--> statement-breakpoint
-- safe beside the version before: it looks through the rows meanwhile
DROP INDEX "prompts_private_search";
--> statement-breakpoint
ALTER TABLE "chains" ADD COLUMN "search_name" text collate "C";
--> statement-breakpoint
ALTER TABLE "chains" ADD COLUMN "search_description" text collate "C";
--> statement-breakpoint
ALTER TABLE "prompts" ADD COLUMN "search_text" text collate "C";
--> statement-breakpoint
ALTER TABLE "prompts" ADD COLUMN "search_title" text collate "C";
--> statement-breakpoint
ALTER TABLE "prompts" ADD COLUMN "order_title" text collate "C";
--> statement-breakpoint
ALTER TABLE "variables" ADD COLUMN "search_text" text collate "C";
--> statement-breakpoint
CREATE INDEX "chains_without_words" ON "chains" USING btree ("id") WHERE "chains"."search_name" is null or "chains"."search_description" is null;
--> statement-breakpoint
CREATE INDEX "prompts_public_order" ON "prompts" USING btree (coalesce("order_title", "title_order"),"id") WHERE is_public;
--> statement-breakpoint
CREATE INDEX "prompts_public_words" ON "prompts" USING gin (coalesce("search_text", "searched" collate "C") gin_trgm_ops) WITH (fastupdate=false) WHERE is_public;
--> statement-breakpoint
CREATE INDEX "prompts_private_order" ON "prompts" USING btree ("owner_id",coalesce("order_title", "title_order"),"id") WHERE not is_public;
--> statement-breakpoint
CREATE INDEX "prompts_private_words" ON "prompts" USING gin (coalesce("search_text", "searched" collate "C") gin_trgm_ops) WITH (fastupdate=false) WHERE not is_public;
--> statement-breakpoint
CREATE INDEX "prompts_without_words" ON "prompts" USING btree ("id") WHERE "prompts"."search_text" is null;
--> statement-breakpoint
CREATE INDEX "variables_without_words" ON "variables" USING btree ("id") WHERE "variables"."search_text" is null;
--> statement-breakpoint
-- What came without the program's mark is not of these texts, and read anew.
CREATE FUNCTION keep_prompt_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF left(NEW.search_text, 1) = chr(2) THEN
		NEW.search_text := substr(NEW.search_text, 2);
		NEW.search_title := substr(NEW.search_title, 2);
		NEW.order_title := substr(NEW.order_title, 2);
	ELSIF TG_OP = 'INSERT' OR NEW.title IS DISTINCT FROM OLD.title OR NEW.content IS DISTINCT FROM OLD.content
		OR NEW.settings::text IS DISTINCT FROM OLD.settings::text THEN
		NEW.search_text := NULL;
		NEW.search_title := NULL;
		NEW.order_title := NULL;
	END IF;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER keep_prompt_words BEFORE INSERT OR UPDATE OF title, content, settings, search_text ON prompts
	FOR EACH ROW EXECUTE FUNCTION keep_prompt_words();
--> statement-breakpoint
CREATE FUNCTION keep_chain_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF left(NEW.search_name, 1) = chr(2) THEN
		NEW.search_name := substr(NEW.search_name, 2);
	ELSIF TG_OP = 'INSERT' OR NEW.name IS DISTINCT FROM OLD.name THEN
		NEW.search_name := NULL;
	END IF;
	IF left(NEW.search_description, 1) = chr(2) THEN
		NEW.search_description := substr(NEW.search_description, 2);
	ELSIF TG_OP = 'INSERT' OR NEW.description IS DISTINCT FROM OLD.description THEN
		NEW.search_description := NULL;
	END IF;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER keep_chain_words BEFORE INSERT OR UPDATE OF name, description, search_name, search_description ON chains
	FOR EACH ROW EXECUTE FUNCTION keep_chain_words();
--> statement-breakpoint
CREATE FUNCTION keep_variable_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.search_text := NULL;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER keep_variable_words BEFORE INSERT OR UPDATE OF name, type, content, api_url, google_drive_file_name ON variables
	FOR EACH ROW EXECUTE FUNCTION keep_variable_words();
