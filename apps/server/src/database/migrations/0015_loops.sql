CREATE TABLE "execution_items" (
	"execution_id" integer NOT NULL,
	"position" integer NOT NULL,
	"index" integer NOT NULL,
	"attempt" integer NOT NULL,
	"status" "execution_status",
	"item" text NOT NULL,
	"is_json" boolean NOT NULL,
	"resolved" jsonb NOT NULL,
	"provider" text,
	"model_id" text,
	"fallback" jsonb,
	"finish_reason" text,
	"system_prompt" text,
	"messages" jsonb,
	"input_content" text,
	"input_segments" jsonb,
	"ai_response" text,
	"structured" jsonb,
	"error" text,
	"error_code" text,
	"skip_reason" text,
	"retries" integer DEFAULT 0 NOT NULL,
	"limit_wait_ms" integer,
	"input_tokens" integer,
	"output_tokens" integer,
	"cached_tokens" integer,
	"cost_nanos" bigint,
	"saved_nanos" bigint,
	"first_token_ms" integer,
	"duration_ms" integer,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"retried_at" timestamp (3) with time zone,
	CONSTRAINT "execution_items_execution_id_position_index_pk" PRIMARY KEY("execution_id","position","index")
);
--> statement-breakpoint
ALTER TABLE "execution_items" ADD CONSTRAINT "execution_items_run" FOREIGN KEY ("execution_id","attempt") REFERENCES "public"."executions"("id","attempt") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
-- An item is paid as it ends, whatever becomes of its step: the step's row has no model, so that it counts for nothing.
CREATE FUNCTION note_item_usage()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	INSERT INTO usage_calls (at, user_id, chain_id, source, model, reason, input_tokens, output_tokens, cached_tokens,
		cost_nanos, saved_nanos, duration_ms, first_text_ms)
	SELECT now(), user_id, CASE WHEN trigger <> 'evaluation' THEN chain_id END,
		CASE WHEN trigger = 'evaluation' THEN 'evaluation' END, NEW.model_id, NEW.error_code,
		NEW.input_tokens, NEW.output_tokens, NEW.cached_tokens, NEW.cost_nanos, NEW.saved_nanos, NEW.duration_ms, NEW.first_token_ms
	FROM executions WHERE id = NEW.execution_id;
	RETURN NULL;
END $function$;
--> statement-breakpoint
CREATE TRIGGER note_usage_update AFTER UPDATE ON execution_items FOR EACH ROW WHEN (((old.status IS NULL) AND (new.status IS NOT NULL) AND (new.model_id IS NOT NULL))) EXECUTE FUNCTION note_item_usage();
--> statement-breakpoint
-- As before, and the name of its list. The item and its number are names of the step's own.
CREATE OR REPLACE FUNCTION step_texts(texts text, settings json)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
DECLARE
	asked json := settings -> 'onlyIf';
	ends text := settings -> 'stop' ->> 'text';
	list text := settings -> 'forEach' ->> 'list';
	own text[] := CASE WHEN list IS NULL THEN '{}' ELSE ARRAY[settings -> 'forEach' ->> 'as', 'index'] END;
BEGIN
	IF asked IS NULL AND ends IS NULL AND list IS NULL THEN RETURN texts; END IF;
	RETURN concat_ws(chr(10), texts, ends,
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
