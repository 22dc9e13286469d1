-- The cases that an evaluation froze count as its starter's text, until it is deleted.
CREATE FUNCTION "count_evaluations"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE usages SET text = text + change.bytes
	FROM (
		SELECT started_by, sum(octet_length(cases::text)) * CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END AS bytes
		FROM written GROUP BY started_by
	) AS change
	WHERE user_id = started_by;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "count_insert" AFTER INSERT ON "evaluations" REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION "count_evaluations"();--> statement-breakpoint
CREATE TRIGGER "count_delete" AFTER DELETE ON "evaluations" REFERENCING OLD TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION "count_evaluations"();--> statement-breakpoint
UPDATE usages SET text = text + kept.bytes
FROM (SELECT started_by, sum(octet_length(cases::text)) AS bytes FROM evaluations GROUP BY started_by) AS kept
WHERE user_id = started_by;
