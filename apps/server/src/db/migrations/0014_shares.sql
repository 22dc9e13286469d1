CREATE TABLE "usages" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"text" bigint DEFAULT 0 NOT NULL,
	"prompts" bigint DEFAULT 0 NOT NULL,
	"versions" bigint DEFAULT 0 NOT NULL,
	"variables" bigint DEFAULT 0 NOT NULL,
	"files" bigint DEFAULT 0 NOT NULL,
	"uploads" bigint DEFAULT 0 NOT NULL,
	"chains" bigint DEFAULT 0 NOT NULL,
	"steps" bigint DEFAULT 0 NOT NULL,
	"tags" bigint DEFAULT 0 NOT NULL,
	"categories" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "quotas" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
INSERT INTO "usages" ("user_id") SELECT "id" FROM "users";--> statement-breakpoint
CREATE FUNCTION "begin_usage"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO usages (user_id) VALUES (NEW.id);
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "begin_usage" AFTER INSERT ON "users" FOR EACH ROW EXECUTE FUNCTION "begin_usage"();--> statement-breakpoint
CREATE FUNCTION "end_usage"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM usages WHERE user_id = OLD.id;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "end_usage" AFTER DELETE ON "users" FOR EACH ROW EXECUTE FUNCTION "end_usage"();--> statement-breakpoint
-- Counts what each statement adds and takes away, once a person: whose rows they are, what each is counted as, its bytes.
DO $$
DECLARE
	source record;
	event text;
	plus text;
	minus text;
	counted text;
BEGIN
	FOR source IN
		SELECT * FROM (VALUES
			('prompts', 'prompts', 'text', 'owner_id', 'octet_length(title) + octet_length(content)'),
			('prompt_versions', 'versions', 'text', '(SELECT owner_id FROM prompts WHERE prompts.id = prompt_id)', 'octet_length(title) + octet_length(content)'),
			('chains', 'chains', 'text', 'owner_id', 'octet_length(name) + octet_length(description) + octet_length(array_to_string(example_requests, ''''))'),
			('chain_steps', 'steps', 'text', '(SELECT owner_id FROM chains WHERE chains.id = chain_id)', 'octet_length(title) + octet_length(content) + coalesce(octet_length(system_prompt), 0)'),
			('variables', 'variables', 'text', 'owner_id', 'octet_length(name) + octet_length(content) + octet_length(api_url) + coalesce(octet_length(nullif(api_headers, ''{}'')::text), 0)'),
			('files', 'files', 'uploads', 'owner_id', 'octet_length(content)'),
			('tags', 'tags', 'text', 'created_by', 'octet_length(name)'),
			('categories', 'categories', 'text', 'created_by', 'octet_length(name)')
		) AS sources (name, kind, sized, owner, bytes)
	LOOP
		plus := format('SELECT %s AS person, 1 AS n, %s AS bytes FROM %%I', source.owner, source.bytes);
		minus := format('SELECT %s, -1, -(%s) FROM removed', source.owner, source.bytes);
		counted := format(
			'UPDATE usages SET %1$I = %1$I + n, %2$I = %2$I + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (%%s) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0)',
			source.kind, source.sized);
		EXECUTE format(counted, format(plus, source.name));
		plus := format(plus, 'added');
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
END $$;--> statement-breakpoint
-- What goes with a prompt or a chain is counted before it: afterwards nobody knows whose it was.
CREATE FUNCTION "count_versions_gone"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE usages SET versions = versions - n, text = text - bytes
	FROM (SELECT count(*) AS n, sum(octet_length(title) + octet_length(content)) AS bytes FROM prompt_versions WHERE prompt_id = OLD.id) AS gone
	WHERE user_id = OLD.owner_id AND n > 0;
	RETURN OLD;
END $$;--> statement-breakpoint
CREATE TRIGGER "count_versions_gone" BEFORE DELETE ON "prompts" FOR EACH ROW EXECUTE FUNCTION "count_versions_gone"();--> statement-breakpoint
CREATE FUNCTION "count_steps_gone"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE usages SET steps = steps - n, text = text - bytes
	FROM (SELECT count(*) AS n, sum(octet_length(title) + octet_length(content) + coalesce(octet_length(system_prompt), 0)) AS bytes FROM chain_steps WHERE chain_id = OLD.id) AS gone
	WHERE user_id = OLD.owner_id AND n > 0;
	RETURN OLD;
END $$;--> statement-breakpoint
CREATE TRIGGER "count_steps_gone" BEFORE DELETE ON "chains" FOR EACH ROW EXECUTE FUNCTION "count_steps_gone"();--> statement-breakpoint
-- Refuses what takes a person beyond a bound, their own or everyone's; who is beyond it already may only have less.
CREATE FUNCTION "refuse_over_quota"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	used jsonb := to_jsonb(NEW);
	before jsonb := to_jsonb(OLD);
	passed record;
BEGIN
	SELECT quota, bound INTO passed
	FROM jsonb_each_text(
		coalesce((SELECT value FROM settings WHERE key = 'quotas'), '{}') || (SELECT quotas FROM users WHERE id = NEW.user_id)
	) AS bounds (quota, bound)
	WHERE (used ->> quota)::bigint > greatest(bound::bigint, (before ->> quota)::bigint)
	LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION 'more than a person may have' USING ERRCODE = 'CTQ01', DETAIL = json_build_object(
			'quota', passed.quota, 'bound', passed.bound::bigint, 'userId', NEW.user_id);
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "refuse_over_quota" AFTER UPDATE ON "usages" FOR EACH ROW EXECUTE FUNCTION "refuse_over_quota"();
