-- A plan that is kept in memory may hold the text of a version: it is forgotten with it. Always: also where rows come by replication.
DO $$
DECLARE
	kind text;
BEGIN
	FOREACH kind IN ARRAY '{prompt,chain}'::text[] LOOP
		EXECUTE format(
			'CREATE TRIGGER "tell_delete" AFTER DELETE ON %I REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes(%L, %L)',
			kind || '_versions', kind || 's', kind || '_id');
		EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER "tell_delete"', kind || '_versions');
	END LOOP;
END $$;
