CREATE TABLE "tool_calls" (
	"execution_id" integer NOT NULL,
	"position" integer NOT NULL,
	"item" integer NOT NULL,
	"attempt" integer NOT NULL,
	"key" uuid NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tool_calls_execution_id_position_item_pk" PRIMARY KEY("execution_id","position","item")
);
--> statement-breakpoint
ALTER TABLE "chains" ADD COLUMN "written_by_others" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "prompts" ADD COLUMN "written_by_others" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_calls" ADD CONSTRAINT "tool_calls_run" FOREIGN KEY ("execution_id","attempt") REFERENCES "public"."executions"("id","attempt") ON DELETE cascade ON UPDATE cascade;
--> statement-breakpoint
-- As before, and the texts of what a step calls.
CREATE OR REPLACE FUNCTION step_texts(texts text, settings json)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
DECLARE
	asked json := settings -> 'onlyIf';
	ends text := settings -> 'stop' ->> 'text';
	shown text := settings -> 'ask' ->> 'text';
	tool json := settings -> 'tool';
	list text := settings -> 'forEach' ->> 'list';
	own text[] := CASE WHEN list IS NULL THEN '{}' ELSE ARRAY[settings -> 'forEach' ->> 'as', 'index'] END;
BEGIN
	IF asked IS NULL AND ends IS NULL AND shown IS NULL AND tool IS NULL AND list IS NULL THEN RETURN texts; END IF;
	RETURN concat_ws(chr(10), texts, ends, shown, tool ->> 'url', tool -> 'body' ->> 'content', (
		SELECT string_agg(part ->> 'value', chr(10))
		FROM (
			SELECT json_array_elements(tool -> 'query') AS part UNION ALL SELECT json_array_elements(tool -> 'headers')
		) AS parts
	),
		CASE WHEN list NOT IN ('input', 'input_context') THEN '$<' || list || '>' END, (
		SELECT string_agg('$<' || (each ->> 'ref') || '>', chr(10))
		FROM json_array_elements(coalesce(asked -> 'all', asked -> 'any')) AS part
		CROSS JOIN LATERAL (
			SELECT part AS each UNION ALL SELECT json_array_elements(coalesce(part -> 'all', part -> 'any'))
		) AS compared
		WHERE (each ->> 'ref') NOT IN ('input', 'input_context') AND (each ->> 'ref') <> ALL (own)
	));
END
$function$;
