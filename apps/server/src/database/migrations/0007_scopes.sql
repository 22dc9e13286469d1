ALTER TYPE "public"."api_token_kind" ADD VALUE 'scoped';--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "scopes" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX "api_tokens_scopes" ON "api_tokens" USING gin ("scopes");--> statement-breakpoint
-- Each token reaches what it reached, and may do what it might.
UPDATE api_tokens t SET scopes =
	CASE WHEN includes_all_prompts THEN '{prompts}'
		ELSE array(SELECT 'prompt:' || prompt_id FROM api_token_prompts WHERE api_token_id = t.id ORDER BY prompt_id) END
	|| CASE WHEN includes_all_chains THEN '{chains}'
		WHEN kind = 'chain' THEN array['chain:' || chain_id]
		ELSE array(SELECT 'chain:' || chain_id FROM api_token_chains WHERE api_token_id = t.id ORDER BY chain_id) END
	|| CASE kind WHEN 'read' THEN '{read,resolve}' WHEN 'mcp' THEN '{agent}' WHEN 'folder' THEN '{folder.read}' ELSE '{run}' END::text[]
	|| CASE WHEN kind = 'read' AND may_run THEN '{run}' ELSE '{}' END::text[]
	|| CASE WHEN kind = 'folder' AND may_write THEN '{folder.write}' ELSE '{}' END::text[]
	|| CASE WHEN kind = 'folder' AND may_run THEN '{evaluate}' ELSE '{}' END::text[];--> statement-breakpoint
-- What is deleted leaves the scopes that name it: a token that named nothing else reaches nothing (D38).
CREATE FUNCTION forget_scopes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	forgotten text[] := array(SELECT TG_ARGV[0] || ':' || id FROM gone);
BEGIN
	UPDATE api_tokens SET scopes = array(
		SELECT scope FROM unnest(scopes) WITH ORDINALITY AS own (scope, place) WHERE scope <> ALL (forgotten) ORDER BY place
	) WHERE scopes && forgotten;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER forget_scopes AFTER DELETE ON prompts REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_scopes('prompt');--> statement-breakpoint
CREATE TRIGGER forget_scopes AFTER DELETE ON chains REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_scopes('chain');
