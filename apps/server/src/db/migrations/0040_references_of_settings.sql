CREATE FUNCTION template_texts(content text, system_prompt text, messages json) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
	IF system_prompt IS NULL AND messages IS NULL THEN RETURN content; END IF;
	-- No name has a line break, so that none is made of the end of one text and the start of the next.
	RETURN concat_ws(chr(10), content, system_prompt, (
		SELECT string_agg(turn ->> 'content', chr(10)) FROM json_array_elements(messages) AS turn
	));
END
$$;--> statement-breakpoint
ALTER TABLE "chain_steps" DROP COLUMN "reference_names";--> statement-breakpoint
ALTER TABLE "chain_steps" ADD COLUMN "reference_names" text[] GENERATED ALWAYS AS (reference_names(template_texts("content", "system_prompt", "settings" -> 'messages'))) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "chain_steps_references" ON "chain_steps" USING gin ("reference_names");--> statement-breakpoint
ALTER TABLE "prompts" DROP COLUMN "reference_names";--> statement-breakpoint
ALTER TABLE "prompts" ADD COLUMN "reference_names" text[] GENERATED ALWAYS AS (reference_names(template_texts("content", "settings" ->> 'systemPrompt', "settings" -> 'messages'))) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "prompts_references" ON "prompts" USING gin ("reference_names") WITH (fastupdate=false);
