CREATE INDEX "variables_limited" ON "variables" USING btree (lower("name")) WHERE "variables"."allowed_values" <> '{}';--> statement-breakpoint
DO $$
DECLARE
	event text;
BEGIN
	FOREACH event IN ARRAY '{insert,update,delete}'::text[] LOOP
		EXECUTE format(
			'CREATE TRIGGER %I AFTER %s ON variables REFERENCING %s TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes(%L, %L)',
			'tell_' || event, event, CASE event WHEN 'insert' THEN 'NEW' ELSE 'OLD' END, 'variables', 'id');
		EXECUTE format('ALTER TABLE variables ENABLE ALWAYS TRIGGER %I', 'tell_' || event);
	END LOOP;
END $$;
