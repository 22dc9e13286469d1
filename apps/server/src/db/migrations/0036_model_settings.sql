ALTER TABLE "chain_steps" ADD COLUMN "settings" json;--> statement-breakpoint
ALTER TABLE "prompt_versions" ADD COLUMN "settings" json;--> statement-breakpoint
ALTER TABLE "prompts" ADD COLUMN "settings" json;--> statement-breakpoint
ALTER TABLE "execution_steps" ADD COLUMN "messages" jsonb;--> statement-breakpoint
ALTER TABLE "execution_steps" ADD COLUMN "settings" json;--> statement-breakpoint
ALTER TABLE "execution_steps" ADD COLUMN "attachments" jsonb;--> statement-breakpoint
ALTER TABLE "execution_steps" ADD COLUMN "structured" jsonb;--> statement-breakpoint
ALTER TABLE "execution_steps" ADD COLUMN "limit_wait_ms" integer;--> statement-breakpoint
-- Settings count among a person's texts, as 0014 counts the others.
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
			('prompts', 'prompts', 'owner_id', 'octet_length(title) + octet_length(content) + coalesce(octet_length(settings::text), 0)'),
			('prompt_versions', 'versions', '(SELECT owner_id FROM prompts WHERE prompts.id = prompt_id)', 'octet_length(title) + octet_length(content) + coalesce(octet_length(settings::text), 0)'),
			('chain_steps', 'steps', '(SELECT owner_id FROM chains WHERE chains.id = chain_id)', 'octet_length(title) + octet_length(content) + coalesce(octet_length(system_prompt), 0) + coalesce(octet_length(settings::text), 0)')
		) AS sources (name, kind, owner, bytes)
	LOOP
		plus := format('SELECT %s AS person, 1 AS n, %s AS bytes FROM added', source.owner, source.bytes);
		minus := format('SELECT %s, -1, -(%s) FROM removed', source.owner, source.bytes);
		counted := format(
			'UPDATE usages SET %1$I = %1$I + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (%%s) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0)',
			source.kind);
		FOREACH event IN ARRAY '{insert,update,delete}'::text[] LOOP
			EXECUTE format(
				'CREATE OR REPLACE FUNCTION %I() RETURNS trigger LANGUAGE plpgsql AS $count$ BEGIN %s; RETURN NULL; END $count$',
				'count_' || source.name || '_' || event,
				format(counted, CASE event WHEN 'insert' THEN plus WHEN 'delete' THEN minus ELSE plus || ' UNION ALL ' || minus END));
		END LOOP;
	END LOOP;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "count_versions_gone"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE usages SET versions = versions - n, text = text - bytes
	FROM (SELECT count(*) AS n, sum(octet_length(title) + octet_length(content) + coalesce(octet_length(settings::text), 0)) AS bytes FROM prompt_versions WHERE prompt_id = OLD.id) AS gone
	WHERE user_id = OLD.owner_id AND n > 0;
	RETURN OLD;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "count_steps_gone"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE usages SET steps = steps - n, text = text - bytes
	FROM (SELECT count(*) AS n, sum(octet_length(title) + octet_length(content) + coalesce(octet_length(system_prompt), 0) + coalesce(octet_length(settings::text), 0)) AS bytes FROM chain_steps WHERE chain_id = OLD.id) AS gone
	WHERE user_id = OLD.owner_id AND n > 0;
	RETURN OLD;
END $$;
