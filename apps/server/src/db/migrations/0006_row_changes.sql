-- Tells which rows were written: the connection that writes by a message, which INFO sends whatever it wants to see,
-- and all who listen by a notification once the rows are committed.
CREATE FUNCTION "tell_row_changes"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	ids integer[];
	told text;
BEGIN
	CASE TG_ARGV[1]
		WHEN 'id' THEN SELECT array_agg(DISTINCT id) INTO ids FROM changed;
		WHEN 'prompt_id' THEN SELECT array_agg(DISTINCT prompt_id) INTO ids FROM changed;
		WHEN 'chain_id' THEN SELECT array_agg(DISTINCT chain_id) INTO ids FROM changed;
	END CASE;
	IF ids IS NOT NULL THEN
		told := TG_ARGV[0] || ' ' || CASE WHEN cardinality(ids) > 100 THEN '*' ELSE array_to_string(ids, ',') END;
		PERFORM pg_notify('catenary_rows', told);
		RAISE INFO 'catenary_rows %', told;
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
-- A new row was part of nothing, unless it belongs to another. Always: also where rows come by replication.
DO $$
DECLARE
	source record;
	event text;
BEGIN
	FOR source IN
		SELECT * FROM (VALUES
			('users', 'users', 'id', '{update,delete}'::text[]),
			('sessions', 'sessions', 'id', '{update,delete}'),
			('categories', 'categories', 'id', '{update,delete}'),
			('tags', 'tags', 'id', '{update,delete}'),
			('prompts', 'prompts', 'id', '{update,delete}'),
			('prompt_tags', 'prompts', 'prompt_id', '{insert,update,delete}'),
			('chains', 'chains', 'id', '{update,delete}'),
			('chain_steps', 'chains', 'chain_id', '{insert,update,delete}'),
			('chain_shares', 'chains', 'chain_id', '{insert,update,delete}')
		) AS sources (name, told_as, told_by, events)
	LOOP
		FOREACH event IN ARRAY source.events LOOP
			EXECUTE format(
				'CREATE TRIGGER %I AFTER %s ON %I REFERENCING %s TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes(%L, %L)',
				'tell_' || event, event, source.name, CASE event WHEN 'insert' THEN 'NEW' ELSE 'OLD' END, source.told_as, source.told_by);
			EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER %I', source.name, 'tell_' || event);
		END LOOP;
	END LOOP;
END $$;
