-- Whatever deletes a run under way, or its prompt, stops it: the database itself tells who runs it.
CREATE FUNCTION "stop_run"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_notify('catenary_runs', json_build_object('type', 'stop', 'id', OLD.id)::text);
	IF TG_OP = 'UPDATE' THEN
		-- For who did not hear it.
		NEW.cancel_requested_at := now();
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "executions_deleted" AFTER DELETE ON "executions"
	FOR EACH ROW WHEN (OLD.status = 'running') EXECUTE FUNCTION "stop_run"();--> statement-breakpoint
CREATE TRIGGER "executions_prompt_deleted" BEFORE UPDATE OF "prompt_id" ON "executions"
	FOR EACH ROW WHEN (OLD.status = 'running' AND OLD.prompt_id IS NOT NULL AND NEW.prompt_id IS NULL) EXECUTE FUNCTION "stop_run"();
