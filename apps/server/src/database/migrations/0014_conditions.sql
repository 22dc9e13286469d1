ALTER TABLE "chain_steps" ALTER COLUMN "model" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "execution_steps" ADD COLUMN "skip_reason" text;--> statement-breakpoint
-- What of a step may name variables: its texts, the text that it ends the run with, and the names that its condition looks
-- at. The input of a run is an output. Which other names are outputs, the other steps know.
CREATE FUNCTION step_texts(texts text, settings json)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
DECLARE
	asked json := settings -> 'onlyIf';
	ends text := settings -> 'stop' ->> 'text';
BEGIN
	IF asked IS NULL AND ends IS NULL THEN RETURN texts; END IF;
	RETURN concat_ws(chr(10), texts, ends, (
		SELECT string_agg('$<' || (each ->> 'ref') || '>', chr(10))
		FROM json_array_elements(coalesce(asked -> 'all', asked -> 'any')) AS part
		CROSS JOIN LATERAL (
			SELECT part AS each UNION ALL SELECT json_array_elements(coalesce(part -> 'all', part -> 'any'))
		) AS compared
		WHERE (each ->> 'ref') NOT IN ('input', 'input_context')
	));
END
$function$;
--> statement-breakpoint
-- safe beside the version before: the column is there again, of its name and type, when it next looks
ALTER TABLE "chain_steps" DROP COLUMN "reference_names";--> statement-breakpoint
ALTER TABLE "chain_steps" ADD COLUMN "reference_names" text[] GENERATED ALWAYS AS (reference_names(step_texts(template_texts("content", "system_prompt", "settings" -> 'messages'), "settings"))) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "chain_steps_references" ON "chain_steps" USING gin ("reference_names");--> statement-breakpoint
-- Steps that end the run may have no output, so several of a chain have none. What a database left outside stays there.
DO $$
DECLARE
	named text;
	made text;
BEGIN
	FOREACH named IN ARRAY ARRAY['chain_steps_output_key', 'chain_steps_output'] LOOP
		made := pg_get_indexdef(named::regclass);
		EXECUTE format('DROP INDEX %I', named);
		EXECUTE made || CASE WHEN made LIKE '% WHERE %' THEN ' AND ' ELSE ' WHERE ' END || $where$output_variable_name <> ''$where$;
	END LOOP;
END $$;
