CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
-- The functions come first, as some indexes have them, and name tables that are to come.
SET LOCAL check_function_bodies = off;
--> statement-breakpoint
CREATE FUNCTION begin_usage()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	INSERT INTO usages (user_id) VALUES (NEW.id);
	RETURN NULL;
END $function$;
--> statement-breakpoint
CREATE FUNCTION count_categories_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN UPDATE usages SET categories = categories + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT created_by, -1, -(octet_length(name)) FROM removed) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0); RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_categories_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN UPDATE usages SET categories = categories + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT created_by AS person, 1 AS n, octet_length(name) AS bytes FROM added) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0); RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_categories_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN UPDATE usages SET categories = categories + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT created_by AS person, 1 AS n, octet_length(name) AS bytes FROM added UNION ALL SELECT created_by, -1, -(octet_length(name)) FROM removed) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0); RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_chain_steps_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN UPDATE usages SET steps = steps + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT (SELECT owner_id FROM chains WHERE chains.id = chain_id), -1, -(octet_length(title) + octet_length(content) + coalesce(octet_length(system_prompt), 0) + coalesce(octet_length(settings::text), 0)) FROM removed) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0); RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_chain_steps_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN UPDATE usages SET steps = steps + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT (SELECT owner_id FROM chains WHERE chains.id = chain_id) AS person, 1 AS n, octet_length(title) + octet_length(content) + coalesce(octet_length(system_prompt), 0) + coalesce(octet_length(settings::text), 0) AS bytes FROM added) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0); RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_chain_steps_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN UPDATE usages SET steps = steps + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT (SELECT owner_id FROM chains WHERE chains.id = chain_id) AS person, 1 AS n, octet_length(title) + octet_length(content) + coalesce(octet_length(system_prompt), 0) + coalesce(octet_length(settings::text), 0) AS bytes FROM added UNION ALL SELECT (SELECT owner_id FROM chains WHERE chains.id = chain_id), -1, -(octet_length(title) + octet_length(content) + coalesce(octet_length(system_prompt), 0) + coalesce(octet_length(settings::text), 0)) FROM removed) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0); RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_chain_versions_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
			BEGIN
				UPDATE usages SET versions = versions - n, text = text - change.bytes
				FROM (
					SELECT owner_id, count(*) AS n, sum(bytes) AS bytes FROM written JOIN chains ON chains.id = chain_id GROUP BY owner_id
				) AS change
				WHERE user_id = owner_id;
				RETURN NULL;
			END $function$;
--> statement-breakpoint
CREATE FUNCTION count_chain_versions_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	UPDATE usages SET versions = versions - n, text = text - gone.bytes
	FROM (SELECT count(*) AS n, sum(bytes) AS bytes FROM chain_versions WHERE chain_id = OLD.id) AS gone
	WHERE user_id = OLD.owner_id AND n > 0;
	RETURN OLD;
END $function$;
--> statement-breakpoint
CREATE FUNCTION count_chain_versions_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
			BEGIN
				UPDATE usages SET versions = versions + n, text = text + change.bytes
				FROM (
					SELECT owner_id, count(*) AS n, sum(bytes) AS bytes FROM written JOIN chains ON chains.id = chain_id GROUP BY owner_id
				) AS change
				WHERE user_id = owner_id;
				RETURN NULL;
			END $function$;
--> statement-breakpoint
CREATE FUNCTION count_chains_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN UPDATE usages SET chains = chains + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT owner_id, -1, -(octet_length(name) + octet_length(description) + octet_length(array_to_string(example_requests, ''))) FROM removed) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0); RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_chains_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN UPDATE usages SET chains = chains + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT owner_id AS person, 1 AS n, octet_length(name) + octet_length(description) + octet_length(array_to_string(example_requests, '')) AS bytes FROM added) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0); RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_chains_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN UPDATE usages SET chains = chains + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT owner_id AS person, 1 AS n, octet_length(name) + octet_length(description) + octet_length(array_to_string(example_requests, '')) AS bytes FROM added UNION ALL SELECT owner_id, -1, -(octet_length(name) + octet_length(description) + octet_length(array_to_string(example_requests, ''))) FROM removed) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0); RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_evaluations()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	UPDATE usages SET text = text + change.bytes
	FROM (
		SELECT started_by, sum(octet_length(cases::text)) * CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END AS bytes
		FROM written GROUP BY started_by
	) AS change
	WHERE user_id = started_by;
	RETURN NULL;
END $function$;
--> statement-breakpoint
CREATE FUNCTION count_files_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN
			UPDATE usages SET files = files + n, uploads = uploads + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT owner_id, -1, -(octet_length(content) + coalesce(bytes, 0)) FROM removed) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0);
			RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_files_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN
			UPDATE usages SET files = files + n, uploads = uploads + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT owner_id, 1, octet_length(content) + coalesce(bytes, 0) FROM added) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0);
			RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_files_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN
			UPDATE usages SET files = files + n, uploads = uploads + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT owner_id, 1, octet_length(content) + coalesce(bytes, 0) FROM added UNION ALL SELECT owner_id, -1, -(octet_length(content) + coalesce(bytes, 0)) FROM removed) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0);
			RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_imports_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN
				UPDATE usages SET text = text - change.bytes
				FROM (SELECT owner_id AS person, sum(bytes) AS bytes FROM removed GROUP BY owner_id) AS change
				WHERE user_id = person;
				RETURN NULL;
			END $function$;
--> statement-breakpoint
CREATE FUNCTION count_imports_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN
				UPDATE usages SET text = text + change.bytes
				FROM (SELECT owner_id AS person, sum(bytes) AS bytes FROM added GROUP BY owner_id) AS change
				WHERE user_id = person;
				RETURN NULL;
			END $function$;
--> statement-breakpoint
CREATE FUNCTION count_prompt_versions_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN UPDATE usages SET versions = versions + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT (SELECT owner_id FROM prompts WHERE prompts.id = prompt_id), -1, -(octet_length(title) + octet_length(content) + coalesce(octet_length(settings::text), 0)) FROM removed) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0); RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_prompt_versions_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN UPDATE usages SET versions = versions + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT (SELECT owner_id FROM prompts WHERE prompts.id = prompt_id) AS person, 1 AS n, octet_length(title) + octet_length(content) + coalesce(octet_length(settings::text), 0) AS bytes FROM added) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0); RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_prompt_versions_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN UPDATE usages SET versions = versions + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT (SELECT owner_id FROM prompts WHERE prompts.id = prompt_id) AS person, 1 AS n, octet_length(title) + octet_length(content) + coalesce(octet_length(settings::text), 0) AS bytes FROM added UNION ALL SELECT (SELECT owner_id FROM prompts WHERE prompts.id = prompt_id), -1, -(octet_length(title) + octet_length(content) + coalesce(octet_length(settings::text), 0)) FROM removed) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0); RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_prompts_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN UPDATE usages SET prompts = prompts + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT owner_id, -1, -(octet_length(title) + octet_length(content) + coalesce(octet_length(settings::text), 0)) FROM removed) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0); RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_prompts_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN UPDATE usages SET prompts = prompts + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT owner_id AS person, 1 AS n, octet_length(title) + octet_length(content) + coalesce(octet_length(settings::text), 0) AS bytes FROM added) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0); RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_prompts_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN UPDATE usages SET prompts = prompts + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT owner_id AS person, 1 AS n, octet_length(title) + octet_length(content) + coalesce(octet_length(settings::text), 0) AS bytes FROM added UNION ALL SELECT owner_id, -1, -(octet_length(title) + octet_length(content) + coalesce(octet_length(settings::text), 0)) FROM removed) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0); RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_rating()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
	bytes integer := coalesce(octet_length(NEW.note), 0) - coalesce(octet_length(OLD.note), 0);
BEGIN
	UPDATE usages SET text = text + bytes WHERE user_id = coalesce(NEW.user_id, OLD.user_id) AND bytes <> 0;
	RETURN NULL;
END $function$;
--> statement-breakpoint
CREATE FUNCTION count_steps_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	UPDATE usages SET steps = steps - n, text = text - bytes
	FROM (SELECT count(*) AS n, sum(octet_length(title) + octet_length(content) + coalesce(octet_length(system_prompt), 0) + coalesce(octet_length(settings::text), 0)) AS bytes FROM chain_steps WHERE chain_id = OLD.id) AS gone
	WHERE user_id = OLD.owner_id AND n > 0;
	RETURN OLD;
END $function$;
--> statement-breakpoint
CREATE FUNCTION count_tags_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN UPDATE usages SET tags = tags + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT created_by, -1, -(octet_length(name)) FROM removed) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0); RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_tags_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN UPDATE usages SET tags = tags + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT created_by AS person, 1 AS n, octet_length(name) AS bytes FROM added) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0); RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_tags_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN UPDATE usages SET tags = tags + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT created_by AS person, 1 AS n, octet_length(name) AS bytes FROM added UNION ALL SELECT created_by, -1, -(octet_length(name)) FROM removed) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0); RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_test_cases_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN UPDATE usages SET cases = cases + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT owner_id, -1, -bytes FROM removed) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0); RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_test_cases_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN UPDATE usages SET cases = cases + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT owner_id AS person, 1 AS n, bytes FROM added) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0); RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_test_cases_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN UPDATE usages SET cases = cases + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT owner_id AS person, 1 AS n, bytes FROM added UNION ALL SELECT owner_id, -1, -bytes FROM removed) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0); RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_test_suites_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN UPDATE usages SET suites = suites + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT owner_id, -1, -bytes FROM removed) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0); RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_test_suites_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN UPDATE usages SET suites = suites + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT owner_id AS person, 1 AS n, bytes FROM added) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0); RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_test_suites_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN UPDATE usages SET suites = suites + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT owner_id AS person, 1 AS n, bytes FROM added UNION ALL SELECT owner_id, -1, -bytes FROM removed) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0); RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_variables_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN UPDATE usages SET variables = variables + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT owner_id, -1, -(octet_length(name) + octet_length(content) + octet_length(api_url) + coalesce(octet_length(nullif(api_headers, '{}')::text), 0)) FROM removed) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0); RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_variables_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN UPDATE usages SET variables = variables + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT owner_id AS person, 1 AS n, octet_length(name) + octet_length(content) + octet_length(api_url) + coalesce(octet_length(nullif(api_headers, '{}')::text), 0) AS bytes FROM added) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0); RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_variables_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN UPDATE usages SET variables = variables + n, text = text + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (SELECT owner_id AS person, 1 AS n, octet_length(name) + octet_length(content) + octet_length(api_url) + coalesce(octet_length(nullif(api_headers, '{}')::text), 0) AS bytes FROM added UNION ALL SELECT owner_id, -1, -(octet_length(name) + octet_length(content) + octet_length(api_url) + coalesce(octet_length(nullif(api_headers, '{}')::text), 0)) FROM removed) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0); RETURN NULL; END $function$;
--> statement-breakpoint
CREATE FUNCTION count_versions_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	UPDATE usages SET versions = versions - n, text = text - bytes
	FROM (SELECT count(*) AS n, sum(octet_length(title) + octet_length(content) + coalesce(octet_length(settings::text), 0)) AS bytes FROM prompt_versions WHERE prompt_id = OLD.id) AS gone
	WHERE user_id = OLD.owner_id AND n > 0;
	RETURN OLD;
END $function$;
--> statement-breakpoint
CREATE FUNCTION end_prompt_link()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	NEW.prompt_label := NULL;
	NEW.prompt_version := NULL;
	RETURN NEW;
END $function$;
--> statement-breakpoint
CREATE FUNCTION end_usage()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	DELETE FROM usages WHERE user_id = OLD.id;
	RETURN NULL;
END $function$;
--> statement-breakpoint
CREATE FUNCTION note_cell_usage()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	INSERT INTO usage_calls (at, user_id, source, model, cost_nanos, saved_nanos)
	SELECT now(), started_by, 'evaluation', 'judge', NEW.judge_cost_nanos - coalesce(OLD.judge_cost_nanos, 0),
		NEW.judge_saved_nanos - coalesce(OLD.judge_saved_nanos, 0)
	FROM evaluations WHERE id = NEW.evaluation_id;
	RETURN NULL;
END $function$;
--> statement-breakpoint
CREATE FUNCTION note_chain_usage()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	INSERT INTO usage_calls (at, user_id, chain_id, source, outcome, reason, duration_ms)
	VALUES (now(), NEW.user_id, CASE WHEN NEW.trigger <> 'evaluation' THEN NEW.chain_id END,
		CASE WHEN NEW.trigger = 'evaluation' THEN 'evaluation' END, NEW.status, NEW.error_code,
		(SELECT sum(duration_ms) FROM execution_steps WHERE execution_id = NEW.id));
	RETURN NULL;
END $function$;
--> statement-breakpoint
CREATE FUNCTION note_judge_usage()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	INSERT INTO usage_calls (at, user_id, model, cost_nanos, saved_nanos)
	SELECT now(), created_by, 'judge', NEW.cost_nanos, NEW.saved_nanos FROM api_tokens WHERE id = NEW.api_token_id;
	RETURN NULL;
END $function$;
--> statement-breakpoint
CREATE FUNCTION note_step_usage()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	INSERT INTO usage_calls (at, user_id, prompt_id, chain_id, source, model, outcome, reason, input_tokens, output_tokens, cached_tokens,
		cost_nanos, saved_nanos, duration_ms, first_text_ms)
	SELECT now(), user_id, CASE WHEN trigger <> 'evaluation' THEN prompt_id END, CASE WHEN trigger <> 'evaluation' THEN chain_id END,
		CASE WHEN trigger = 'evaluation' THEN 'evaluation' END, NEW.model_id, CASE WHEN kind = 'prompt' THEN NEW.status END, NEW.error_code,
		NEW.input_tokens, NEW.output_tokens, NEW.cached_tokens, NEW.cost_nanos, NEW.saved_nanos, NEW.duration_ms, NEW.first_token_ms
	FROM executions WHERE id = NEW.execution_id AND (kind = 'prompt' OR NEW.model_id IS NOT NULL);
	RETURN NULL;
END $function$;
--> statement-breakpoint
CREATE FUNCTION reference_names(template text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
BEGIN
	IF strpos(template, '$<') = 0 THEN RETURN '{}'; END IF;
	-- Splitting takes an eighth of what matching the whole text does; a thousand names are a template's, more are not.
	RETURN coalesce((
		SELECT array_agg(name) FROM (
			SELECT DISTINCT lower(name) AS name FROM (
				SELECT DISTINCT left(part, strpos(part, '>') - 1) AS name
				FROM unnest((string_to_array(template, '$<'))[2:]) AS part
				WHERE strpos(left(part, 51), '>') > 1
			) AS written
			WHERE name ~ '^[A-Za-z0-9_]+$' ORDER BY 1 LIMIT 1000
		) AS names
	), '{}');
END
$function$;
--> statement-breakpoint
CREATE FUNCTION refuse_over_quota()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
	used jsonb := to_jsonb(NEW);
	before jsonb := to_jsonb(OLD);
	passed record;
BEGIN
	IF current_setting('catenary.seals_anew', true) = 'on' THEN
		RETURN NULL;
	END IF;
	SELECT quota, bound INTO passed
	FROM jsonb_each_text(
		coalesce((SELECT value FROM settings WHERE key = 'quotas'), '{}') || (SELECT quotas FROM users WHERE id = NEW.user_id)
	) AS bounds (quota, bound)
	WHERE (used ->> quota)::bigint > greatest(bound::bigint, (before ->> quota)::bigint)
	LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION 'more than a person may have' USING ERRCODE = 'CTQ01', DETAIL = json_build_object(
			'quota', passed.quota, 'bound', passed.bound::bigint, 'userId', NEW.user_id);
	END IF;
	RETURN NULL;
END $function$;
--> statement-breakpoint
CREATE FUNCTION set_chain_slug()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN NEW.slug := take_chain_slug(NEW.id, NEW.name); RETURN NEW; END $function$;
--> statement-breakpoint
CREATE FUNCTION set_prompt_slug()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN NEW.slug := take_prompt_slug(NEW.id, NEW.title); RETURN NEW; END $function$;
--> statement-breakpoint
CREATE FUNCTION slug_of(name text, otherwise text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
	plain text := regexp_replace(replace(lower(normalize(name, NFD)), 'ß', 'ss'), '[\u0300-\u036f]', '', 'g');
	slug text := rtrim(left(ltrim(regexp_replace(plain, '[^a-z0-9]+', '-', 'g'), '-'), 45), '-');
BEGIN
	IF slug = '' THEN
		RETURN otherwise;
	ELSIF slug ~ '^([0-9]|(claude-)?chain(-|$))' THEN
		slug := 'the-' || slug;
	END IF;
	WHILE EXISTS (SELECT FROM models WHERE alias = slug) LOOP
		slug := 'the-' || slug;
	END LOOP;
	RETURN slug;
END $function$;
--> statement-breakpoint
CREATE FUNCTION stop_run()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	PERFORM pg_notify('catenary_runs', json_build_object('type', 'stop', 'id', OLD.id)::text);
	IF TG_OP = 'UPDATE' THEN
		-- For who did not hear it.
		NEW.cancel_requested_at := now();
	END IF;
	RETURN NEW;
END $function$;
--> statement-breakpoint
CREATE FUNCTION take_chain_slug(record_id integer, named text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
			DECLARE
				base text := slug_of(named, 'flow');
				taken text := base;
				tries integer := 0;
			BEGIN
				LOOP
					INSERT INTO chain_slugs (slug, chain_id) VALUES (taken, record_id) ON CONFLICT DO NOTHING;
					EXIT WHEN FOUND;
					tries := tries + 1;
					taken := base || '-' || record_id || CASE WHEN tries > 1 THEN '-' || tries ELSE '' END;
				END LOOP;
				RETURN taken;
			END $function$;
--> statement-breakpoint
CREATE FUNCTION take_prompt_slug(record_id integer, named text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
			DECLARE
				base text := slug_of(named, 'prompt');
				taken text := base;
				tries integer := 0;
			BEGIN
				LOOP
					INSERT INTO prompt_slugs (slug, prompt_id) VALUES (taken, record_id) ON CONFLICT DO NOTHING;
					EXIT WHEN FOUND;
					tries := tries + 1;
					taken := base || '-' || record_id || CASE WHEN tries > 1 THEN '-' || tries ELSE '' END;
				END LOOP;
				RETURN taken;
			END $function$;
--> statement-breakpoint
CREATE FUNCTION tally(of_scope integer, of_category integer, difference integer)
 RETURNS void
 LANGUAGE sql
AS $function$
	INSERT INTO prompt_tallies AS kept (scope, category_id, slot, prompts, changes)
	-- By chance, so that a restored database never counts the same way twice.
	VALUES (of_scope, of_category, pg_backend_pid() & 15, difference, 1 + floor(random() * 1000000)::bigint)
	ON CONFLICT (scope, category_id, slot) DO UPDATE
	SET prompts = kept.prompts + excluded.prompts, changes = kept.changes + excluded.changes
$function$;
--> statement-breakpoint
CREATE FUNCTION tally_names()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	PERFORM tally(-1, 0, 0);
	RETURN NULL;
END
$function$;
--> statement-breakpoint
CREATE FUNCTION tally_prompts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	IF TG_OP <> 'INSERT' THEN
		PERFORM tally(scope, category_id, -prompts)
		FROM (
			SELECT CASE WHEN is_public THEN 0 ELSE owner_id END AS scope, category_id, count(*)::integer AS prompts
			FROM before GROUP BY 1, 2
		) AS gone;
	END IF;
	IF TG_OP <> 'DELETE' THEN
		PERFORM tally(scope, category_id, prompts)
		FROM (
			SELECT CASE WHEN is_public THEN 0 ELSE owner_id END AS scope, category_id, count(*)::integer AS prompts
			FROM after GROUP BY 1, 2
		) AS added;
	END IF;
	RETURN NULL;
END
$function$;
--> statement-breakpoint
CREATE FUNCTION tell_models_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	PERFORM pg_notify('catenary_rows', 'models *');
	RAISE INFO 'catenary_rows models *';
	RETURN NULL;
END $function$;
--> statement-breakpoint
CREATE FUNCTION tell_of_jobs()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	PERFORM pg_notify('catenary_jobs', '');
	RETURN NULL;
END $function$;
--> statement-breakpoint
CREATE FUNCTION tell_of_run_end()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
	run executions := coalesce(NEW, OLD);
BEGIN
	INSERT INTO jobs (queue, key, payload)
	SELECT 'run-ended:' || subscriber, run.id || ':' || run.attempt, jsonb_build_object(
		'executionId', run.id, 'reference', reference,
		'status', CASE WHEN TG_OP = 'DELETE' THEN 'deleted' ELSE run.status::text END
	) FROM jsonb_each_text(run.subscribers) AS told(subscriber, reference)
	ON CONFLICT DO NOTHING;
	RETURN NULL;
END $function$;
--> statement-breakpoint
CREATE FUNCTION tell_row_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
	ids integer[];
	told text;
BEGIN
	CASE TG_ARGV[1]
		WHEN 'id' THEN SELECT array_agg(DISTINCT id) INTO ids FROM changed;
		WHEN 'prompt_id' THEN SELECT array_agg(DISTINCT prompt_id) INTO ids FROM changed;
		WHEN 'chain_id' THEN SELECT array_agg(DISTINCT chain_id) INTO ids FROM changed;
		WHEN 'api_token_id' THEN SELECT array_agg(DISTINCT api_token_id) INTO ids FROM changed;
	END CASE;
	IF ids IS NOT NULL THEN
		told := TG_ARGV[0] || ' ' || CASE WHEN cardinality(ids) > 100 THEN '*' ELSE array_to_string(ids, ',') END;
		PERFORM pg_notify('catenary_rows', told);
		RAISE INFO 'catenary_rows %', told;
	END IF;
	RETURN NULL;
END $function$;
--> statement-breakpoint
CREATE FUNCTION template_texts(content text, system_prompt text, messages json)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
BEGIN
	IF system_prompt IS NULL AND messages IS NULL THEN RETURN content; END IF;
	-- No name has a line break, so that none is made of the end of one text and the start of the next.
	RETURN concat_ws(chr(10), content, system_prompt, (
		SELECT string_agg(turn ->> 'content', chr(10)) FROM json_array_elements(messages) AS turn
	));
END
$function$;
--> statement-breakpoint
CREATE TYPE "public"."runs_visible_to" AS ENUM('editors', 'runner');
--> statement-breakpoint
CREATE TYPE "public"."shared_level" AS ENUM('private', 'shared', 'public');
--> statement-breakpoint
CREATE TYPE "public"."stops_without_value" AS ENUM('unwatched', 'always', 'never');
--> statement-breakpoint
CREATE TYPE "public"."idempotency_status" AS ENUM('running', 'done');
--> statement-breakpoint
CREATE TYPE "public"."rating_thumb" AS ENUM('up', 'down');
--> statement-breakpoint
CREATE TYPE "public"."execution_kind" AS ENUM('prompt', 'chain');
--> statement-breakpoint
CREATE TYPE "public"."execution_status" AS ENUM('running', 'completed', 'failed', 'cancelled');
--> statement-breakpoint
CREATE TYPE "public"."execution_trigger" AS ENUM('manual', 'schedule', 'token', 'evaluation');
--> statement-breakpoint
CREATE TYPE "public"."share_role" AS ENUM('viewer', 'editor');
--> statement-breakpoint
CREATE TYPE "public"."tag_kind" AS ENUM('prompt', 'variable', 'chain');
--> statement-breakpoint
CREATE TYPE "public"."api_token_kind" AS ENUM('chain', 'best', 'read', 'mcp', 'folder');
--> statement-breakpoint
CREATE TYPE "public"."account_attempt_kind" AS ENUM('sign-in', 'registration');
--> statement-breakpoint
CREATE TYPE "public"."variable_type" AS ENUM('text', 'file', 'api', 'googleDrive', 'image', 'document');
--> statement-breakpoint
CREATE TABLE "backups" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text,
	"taken_at" timestamp (3) with time zone NOT NULL,
	"reason" text NOT NULL,
	"state" text NOT NULL,
	"bytes" bigint,
	"program" text NOT NULL,
	"schema" integer,
	"rows" bigint,
	"problem" text,
	"drill" jsonb,
	"log" text,
	CONSTRAINT "backups_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "categories" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "categories_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chain_steps" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "chain_steps_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"chain_id" integer NOT NULL,
	"prompt_id" integer,
	"position" integer NOT NULL,
	"title" text DEFAULT '' NOT NULL,
	"content" text DEFAULT '' NOT NULL,
	"model" text NOT NULL,
	"output_variable_name" text NOT NULL,
	"system_prompt" text,
	"temperature" double precision,
	"max_tokens" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"content_length" integer GENERATED ALWAYS AS (char_length("content")) STORED NOT NULL,
	"system_prompt_length" integer GENERATED ALWAYS AS (char_length("system_prompt")) STORED,
	"fallback_model" text,
	"prompt_label" text collate "C",
	"prompt_version" integer,
	"settings" json,
	"reference_names" text[] GENERATED ALWAYS AS (reference_names(template_texts("content", "system_prompt", "settings" -> 'messages'))) STORED NOT NULL,
	CONSTRAINT "chain_steps_one_link" CHECK (num_nonnulls("chain_steps"."prompt_label", "chain_steps"."prompt_version") <= 1)
);
--> statement-breakpoint
CREATE TABLE "chain_tags" (
	"chain_id" integer NOT NULL,
	"tag_id" integer NOT NULL,
	CONSTRAINT "chain_tags_chain_id_tag_id_pk" PRIMARY KEY("chain_id","tag_id")
);
--> statement-breakpoint
CREATE TABLE "chain_versions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "chain_versions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"chain_id" integer NOT NULL,
	"number" integer NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"stops_without_value" "stops_without_value" NOT NULL,
	"steps" jsonb NOT NULL,
	"step_count" integer NOT NULL,
	"bytes" integer NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"author_id" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chains" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "chains_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"owner_id" integer NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"shared_level" "shared_level" DEFAULT 'private' NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"stops_without_value" "stops_without_value" DEFAULT 'unwatched' NOT NULL,
	"example_requests" text[] DEFAULT '{}' NOT NULL,
	"runs_visible_to" "runs_visible_to" DEFAULT 'editors' NOT NULL,
	"runs_opening" integer DEFAULT 1 NOT NULL,
	"slug" text DEFAULT '' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"asks_first" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "evaluation_cells" (
	"evaluation_id" integer NOT NULL,
	"case_position" integer NOT NULL,
	"target_position" integer NOT NULL,
	"hash" text NOT NULL,
	"status" text DEFAULT 'waiting' NOT NULL,
	"execution_id" integer,
	"grade" jsonb,
	"reason" text,
	"duration_ms" integer,
	"model_id" text,
	"cost_nanos" bigint,
	"judge_cost_nanos" bigint,
	"reused_from" integer,
	"judge_saved_nanos" bigint,
	CONSTRAINT "evaluation_cells_evaluation_id_case_position_target_position_pk" PRIMARY KEY("evaluation_id","case_position","target_position")
);
--> statement-breakpoint
CREATE TABLE "evaluations" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "evaluations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"prompt_id" integer,
	"chain_id" integer,
	"suite_id" integer,
	"suite_name" text NOT NULL,
	"started_by" integer NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"stop_reason" text,
	"attempt" integer DEFAULT 0 NOT NULL,
	"ceiling_nanos" bigint NOT NULL,
	"estimate" jsonb NOT NULL,
	"cases" jsonb NOT NULL,
	"cases_hash" text NOT NULL,
	"targets" jsonb NOT NULL,
	"baseline" integer DEFAULT 0 NOT NULL,
	"judge_model" text,
	"reuse" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "evaluations_of_one" CHECK (num_nonnulls("evaluations"."prompt_id", "evaluations"."chain_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "examples" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "examples_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"owner_id" integer NOT NULL,
	"prompt_id" integer,
	"chain_id" integer,
	"variable_id" integer,
	"suite_id" integer,
	CONSTRAINT "examples_record" CHECK (num_nonnulls("examples"."prompt_id", "examples"."chain_id", "examples"."variable_id", "examples"."suite_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "imported_chains" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "imported_chains_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"import_id" integer NOT NULL,
	"chain_id" integer NOT NULL,
	"made" text NOT NULL,
	"revision" integer NOT NULL,
	"version" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "imported_suites" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "imported_suites_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"import_id" integer NOT NULL,
	"suite_id" integer NOT NULL,
	"made" text NOT NULL,
	"revision" integer NOT NULL,
	"before" jsonb
);
--> statement-breakpoint
CREATE TABLE "audit_events" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"actor_id" integer,
	"action" text NOT NULL,
	"object_type" text,
	"object_id" integer,
	"details" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "idempotency_keys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"actor" text NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"status" "idempotency_status" DEFAULT 'running' NOT NULL,
	"reply_status" integer,
	"reply_type" text,
	"reply_body" text,
	"locked_until" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "processes" (
	"id" text PRIMARY KEY NOT NULL,
	"role" text NOT NULL,
	"version" text NOT NULL,
	"host" text NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"beat_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"runs" integer DEFAULT 0 NOT NULL,
	"jobs" integer DEFAULT 0 NOT NULL,
	"pool_size" integer NOT NULL
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "rate_windows" (
	"key" text PRIMARY KEY NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"count" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"key" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_consents" (
	"user_id" integer NOT NULL,
	"address" text NOT NULL,
	"state" text NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mail_consents_user_id_address_pk" PRIMARY KEY("user_id","address")
);
--> statement-breakpoint
CREATE TABLE "mail_questions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mail_questions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"address" text NOT NULL,
	"mailbox" text NOT NULL,
	"is_own" boolean NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"answered_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "mail_recipients" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mail_recipients_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"mail_id" integer NOT NULL,
	"address" text NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"queued_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	CONSTRAINT "mail_recipients_address" UNIQUE("mail_id","address")
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mails_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"occurrence_id" integer,
	"key" text NOT NULL,
	"letter" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mails_key" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "model_lists" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"model_ids" integer[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "model_prices" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "model_prices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"model_id" integer NOT NULL,
	"valid_from" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"input" double precision,
	"output" double precision,
	"cached" double precision
);
--> statement-breakpoint
CREATE TABLE "model_providers" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "model_providers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"base_url" text,
	"environment_alias" text,
	"api_key" text,
	"api_key_end" text,
	"new_api_key" text,
	"new_api_key_end" text,
	"allows_private_address" boolean DEFAULT false NOT NULL,
	"added_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "model_providers_environmentAlias_unique" UNIQUE("environment_alias")
);
--> statement-breakpoint
CREATE TABLE "model_spending" (
	"alias" text NOT NULL,
	"month" text NOT NULL,
	"calls" integer NOT NULL,
	"cost_nanos" bigint NOT NULL,
	CONSTRAINT "model_spending_alias_month_pk" PRIMARY KEY("alias","month")
);
--> statement-breakpoint
CREATE TABLE "models" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "models_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"alias" text NOT NULL,
	"label" text,
	"provider_id" integer NOT NULL,
	"model_id" text,
	"context_tokens" integer,
	"capabilities" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"position" integer NOT NULL,
	"is_enabled" boolean DEFAULT true NOT NULL,
	"is_for_everyone" boolean DEFAULT true NOT NULL,
	"monthly_limit_nanos" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "models_alias_unique" UNIQUE("alias")
);
--> statement-breakpoint
CREATE TABLE "imported_prompts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "imported_prompts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"import_id" integer NOT NULL,
	"prompt_id" integer NOT NULL,
	"hash" text NOT NULL,
	"made" text NOT NULL,
	"revision" integer NOT NULL,
	"version" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "imports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"owner_id" integer NOT NULL,
	"files" jsonb NOT NULL,
	"losses" jsonb NOT NULL,
	"bytes" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"undone_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "prompt_aliases" (
	"alias" text PRIMARY KEY NOT NULL,
	"prompt_id" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "prompt_skills" (
	"prompt_id" integer PRIMARY KEY NOT NULL,
	"description" text NOT NULL,
	"parts" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "prompt_tags" (
	"prompt_id" integer NOT NULL,
	"tag_id" integer NOT NULL,
	CONSTRAINT "prompt_tags_prompt_id_tag_id_pk" PRIMARY KEY("prompt_id","tag_id")
);
--> statement-breakpoint
CREATE TABLE "prompt_tallies" (
	"scope" integer NOT NULL,
	"category_id" integer NOT NULL,
	"slot" integer NOT NULL,
	"prompts" integer NOT NULL,
	"changes" bigint NOT NULL,
	CONSTRAINT "prompt_tallies_scope_category_id_slot_pk" PRIMARY KEY("scope","category_id","slot")
);
--> statement-breakpoint
CREATE TABLE "prompt_versions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "prompt_versions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"prompt_id" integer NOT NULL,
	"number" integer NOT NULL,
	"title" text NOT NULL,
	"content" text NOT NULL,
	"author_id" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"content_length" integer GENERATED ALWAYS AS (char_length("content")) STORED NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"settings" json
);
--> statement-breakpoint
CREATE TABLE "prompts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "prompts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"owner_id" integer NOT NULL,
	"category_id" integer NOT NULL,
	"title" text NOT NULL,
	"content" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"is_public" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"content_length" integer GENERATED ALWAYS AS (char_length("content")) STORED NOT NULL,
	"searched" text GENERATED ALWAYS AS (lower("title" || chr(31) || left("content", 20000))) STORED NOT NULL,
	"title_order" text collate "C" GENERATED ALWAYS AS (regexp_replace(regexp_replace(regexp_replace(lower(normalize("title", NFD)), '[\u0300-\u036f]', '', 'g'), '(\d+)', '0000000000\1', 'g'), '\d*(\d{10})', '\1', 'g')) STORED NOT NULL,
	"slug" text DEFAULT '' NOT NULL,
	"settings" json,
	"reference_names" text[] GENERATED ALWAYS AS (reference_names(template_texts("content", "settings" ->> 'systemPrompt', "settings" -> 'messages'))) STORED NOT NULL
);
--> statement-breakpoint
CREATE TABLE "execution_ratings" (
	"execution_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"thumb" "rating_thumb",
	"note" text DEFAULT '' NOT NULL,
	"rated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "execution_ratings_execution_id_user_id_pk" PRIMARY KEY("execution_id","user_id"),
	CONSTRAINT "execution_ratings_something" CHECK ("execution_ratings"."thumb" is not null or "execution_ratings"."note" <> '')
);
--> statement-breakpoint
CREATE TABLE "execution_steps" (
	"execution_id" integer NOT NULL,
	"position" integer NOT NULL,
	"status" "execution_status" NOT NULL,
	"title" text DEFAULT '' NOT NULL,
	"model" text NOT NULL,
	"provider" text,
	"model_id" text,
	"prompt_id" integer,
	"prompt_version" integer,
	"template" text,
	"system_prompt" text DEFAULT '' NOT NULL,
	"input_content" text,
	"resolved" jsonb,
	"output_variable_name" text,
	"ai_response" text,
	"error" text,
	"error_code" text,
	"retries" integer DEFAULT 0 NOT NULL,
	"input_tokens" integer,
	"output_tokens" integer,
	"cost_nanos" bigint,
	"first_token_ms" integer,
	"duration_ms" integer,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"input_segments" jsonb,
	"attempt" integer DEFAULT 0 NOT NULL,
	"finish_reason" text,
	"fallback" jsonb,
	"cached_tokens" integer,
	"saved_nanos" bigint,
	"messages" jsonb,
	"settings" json,
	"attachments" jsonb,
	"structured" jsonb,
	"limit_wait_ms" integer,
	CONSTRAINT "execution_steps_execution_id_position_pk" PRIMARY KEY("execution_id","position")
);
--> statement-breakpoint
CREATE TABLE "executions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "executions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" "execution_kind" NOT NULL,
	"trigger" "execution_trigger" DEFAULT 'manual' NOT NULL,
	"user_id" integer NOT NULL,
	"prompt_id" integer,
	"chain_id" integer,
	"api_token_id" integer,
	"status" "execution_status" DEFAULT 'running' NOT NULL,
	"user_input" text DEFAULT '' NOT NULL,
	"variable_values" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"output" text,
	"error" text,
	"error_code" text,
	"attempt" integer DEFAULT 0 NOT NULL,
	"lease_until" timestamp (3) with time zone,
	"cancel_requested_at" timestamp (3) with time zone,
	"executed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"chain_name" text,
	"plan" json,
	"step_count" integer DEFAULT 1 NOT NULL,
	"lost_workers" integer DEFAULT 0 NOT NULL,
	"lost_at" integer,
	"ends_with_process" boolean DEFAULT false NOT NULL,
	"subscribers" jsonb,
	"api_call" jsonb,
	"texts_deleted" boolean DEFAULT false NOT NULL,
	"runs_opening" integer,
	"chain_version" integer,
	"chain_label" text,
	"private_values" boolean,
	"shared_attempt" integer,
	CONSTRAINT "executions_attempt" UNIQUE("id","attempt")
);
--> statement-breakpoint
CREATE TABLE "scheduled_occurrences" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "scheduled_occurrences_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"scheduled_run_id" integer NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"execution_id" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"is_manual" boolean DEFAULT false NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"started_at" timestamp (3) with time zone,
	"ended_attempt" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "scheduled_occurrences_due" UNIQUE("scheduled_run_id","due_at")
);
--> statement-breakpoint
CREATE TABLE "scheduled_runs" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "scheduled_runs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"chain_id" integer NOT NULL,
	"created_by" integer NOT NULL,
	"name" text NOT NULL,
	"scheduled_time" timestamp (3) with time zone NOT NULL,
	"time_zone" text NOT NULL,
	"is_recurring" boolean DEFAULT false NOT NULL,
	"recurring_type" text,
	"recurring_days_of_week" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"recurring_day_of_month" integer,
	"email_recipients" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"next_due_at" timestamp (3) with time zone,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"input" text DEFAULT '' NOT NULL,
	"cron" text,
	"mails_skipped" boolean DEFAULT false NOT NULL,
	"failures_before_pause" integer,
	"failures_in_row" integer DEFAULT 0 NOT NULL,
	"paused_reason" text,
	"chain_label" text collate "C"
);
--> statement-breakpoint
CREATE TABLE "chain_acceptances" (
	"user_id" integer NOT NULL,
	"chain_id" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chain_acceptances_user_id_chain_id_pk" PRIMARY KEY("user_id","chain_id")
);
--> statement-breakpoint
CREATE TABLE "chain_shares" (
	"chain_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"role" "share_role" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chain_shares_chain_id_user_id_pk" PRIMARY KEY("chain_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "prompt_acceptances" (
	"user_id" integer NOT NULL,
	"prompt_id" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "prompt_acceptances_user_id_prompt_id_pk" PRIMARY KEY("user_id","prompt_id")
);
--> statement-breakpoint
CREATE TABLE "prompt_shares" (
	"prompt_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"role" "share_role" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "prompt_shares_prompt_id_user_id_pk" PRIMARY KEY("prompt_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "run_shares" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "run_shares_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"chain_id" integer,
	"prompt_id" integer,
	"names" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "run_shares_of_one" CHECK (num_nonnulls("run_shares"."chain_id", "run_shares"."prompt_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "chain_slugs" (
	"slug" text PRIMARY KEY NOT NULL,
	"chain_id" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "prompt_slugs" (
	"slug" text PRIMARY KEY NOT NULL,
	"prompt_id" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tags" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tags_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" "tag_kind" NOT NULL,
	"name" text NOT NULL,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "test_cases" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "test_cases_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"suite_id" integer NOT NULL,
	"owner_id" integer NOT NULL,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"input" text DEFAULT '' NOT NULL,
	"values" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"assertions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"threshold" double precision,
	"skips_defaults" boolean DEFAULT false NOT NULL,
	"not_run" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"bytes" integer NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "test_suites" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "test_suites_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"prompt_id" integer,
	"chain_id" integer,
	"owner_id" integer NOT NULL,
	"name" text NOT NULL,
	"default_values" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"default_assertions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"default_threshold" double precision,
	"default_not_run" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"imported" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"bytes" integer DEFAULT 0 NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "test_suites_record" CHECK (num_nonnulls("test_suites"."prompt_id", "test_suites"."chain_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "api_token_calls" (
	"api_token_id" integer NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"execution_id" integer NOT NULL,
	"chain_id" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_token_calls_api_token_id_key_pk" PRIMARY KEY("api_token_id","key")
);
--> statement-breakpoint
CREATE TABLE "api_token_chains" (
	"api_token_id" integer NOT NULL,
	"chain_id" integer NOT NULL,
	CONSTRAINT "api_token_chains_api_token_id_chain_id_pk" PRIMARY KEY("api_token_id","chain_id")
);
--> statement-breakpoint
CREATE TABLE "api_token_prompts" (
	"api_token_id" integer NOT NULL,
	"prompt_id" integer NOT NULL,
	CONSTRAINT "api_token_prompts_api_token_id_prompt_id_pk" PRIMARY KEY("api_token_id","prompt_id")
);
--> statement-breakpoint
CREATE TABLE "api_token_uses" (
	"api_token_id" integer NOT NULL,
	"month" text NOT NULL,
	"calls" integer DEFAULT 0 NOT NULL,
	"saved_calls" integer DEFAULT 0 NOT NULL,
	"input_tokens" bigint DEFAULT 0 NOT NULL,
	"output_tokens" bigint DEFAULT 0 NOT NULL,
	"cost_nanos" bigint DEFAULT 0 NOT NULL,
	"last_used" timestamp (3) with time zone NOT NULL,
	"last_error" text,
	"last_error_code" text,
	"last_error_at" timestamp (3) with time zone,
	"last_client" text,
	CONSTRAINT "api_token_uses_api_token_id_month_pk" PRIMARY KEY("api_token_id","month")
);
--> statement-breakpoint
CREATE TABLE "api_tokens" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "api_tokens_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" "api_token_kind" NOT NULL,
	"created_by" integer NOT NULL,
	"chain_id" integer,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"sha256" text NOT NULL,
	"encrypted_value" text,
	"includes_all_chains" boolean DEFAULT false NOT NULL,
	"requests_per_minute" integer,
	"expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"calls_at_once" integer,
	"monthly_budget_nanos" bigint,
	"answers_helper_jobs" boolean DEFAULT true NOT NULL,
	"shows_progress" boolean DEFAULT false NOT NULL,
	"threshold" double precision,
	"previous_sha256" text,
	"previous_until" timestamp (3) with time zone,
	"may_run" boolean DEFAULT false NOT NULL,
	"chain_label" text collate "C",
	"dropped_chain_ids" integer[] DEFAULT '{}' NOT NULL,
	"includes_all_prompts" boolean DEFAULT false NOT NULL,
	"labels" text[] DEFAULT '{}' NOT NULL,
	"may_write" boolean DEFAULT false NOT NULL,
	CONSTRAINT "api_tokens_sha256_unique" UNIQUE("sha256"),
	CONSTRAINT "api_tokens_previousSha256_unique" UNIQUE("previous_sha256")
);
--> statement-breakpoint
CREATE TABLE "best_chain_selections" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "best_chain_selections_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"api_token_id" integer,
	"request" text NOT NULL,
	"chain_id" integer,
	"chain_name" text NOT NULL,
	"way" text NOT NULL,
	"confidence" double precision,
	"reasoning" text NOT NULL,
	"scores" jsonb NOT NULL,
	"asked" boolean DEFAULT false NOT NULL,
	"execution_id" integer,
	"cost_nanos" bigint,
	"corrected_chain_id" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"user_id" integer NOT NULL,
	"token_name" text NOT NULL,
	"best_score" double precision,
	"saved_nanos" bigint
);
--> statement-breakpoint
CREATE TABLE "prompt_fetches" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "prompt_fetches_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"api_token_id" integer,
	"token_name" text NOT NULL,
	"prompt_id" integer NOT NULL,
	"kind" text NOT NULL,
	"version" integer NOT NULL,
	"label" text NOT NULL,
	"client" text NOT NULL,
	"count" integer NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage_calls" (
	"at" timestamp (3) with time zone NOT NULL,
	"user_id" integer NOT NULL,
	"prompt_id" integer,
	"chain_id" integer,
	"model" text,
	"outcome" "execution_status",
	"reason" text,
	"input_tokens" integer,
	"output_tokens" integer,
	"cost_nanos" bigint,
	"duration_ms" integer,
	"first_text_ms" integer,
	"source" text,
	"cached_tokens" integer,
	"saved_nanos" bigint
);
--> statement-breakpoint
CREATE TABLE "usage_items" (
	"user_id" integer NOT NULL,
	"grain" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"dimension" text NOT NULL,
	"key" text NOT NULL,
	"runs" integer NOT NULL,
	"cost_nanos" bigint DEFAULT 0 NOT NULL,
	"uncounted" integer NOT NULL,
	CONSTRAINT "usage_items_user_id_grain_at_dimension_key_pk" PRIMARY KEY("user_id","grain","at","dimension","key") INCLUDE (runs, cost_nanos, uncounted)
);
--> statement-breakpoint
CREATE TABLE "usage_slots" (
	"user_id" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"completed" integer NOT NULL,
	"failed" integer NOT NULL,
	"cancelled" integer NOT NULL,
	"input_tokens" bigint DEFAULT 0 NOT NULL,
	"output_tokens" bigint DEFAULT 0 NOT NULL,
	"cost_nanos" bigint DEFAULT 0 NOT NULL,
	"uncounted" integer NOT NULL,
	"cached_tokens" bigint DEFAULT 0 NOT NULL,
	"saved_nanos" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "usage_slots_user_id_at_pk" PRIMARY KEY("user_id","at") INCLUDE (completed, failed, cancelled, input_tokens, output_tokens, cached_tokens, cost_nanos, saved_nanos, uncounted)
);
--> statement-breakpoint
CREATE TABLE "usage_times" (
	"user_id" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"measure" text NOT NULL,
	"bucket" smallint NOT NULL,
	"runs" integer NOT NULL,
	CONSTRAINT "usage_times_user_id_at_measure_bucket_pk" PRIMARY KEY("user_id","at","measure","bucket") INCLUDE (runs)
);
--> statement-breakpoint
CREATE TABLE "usages" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"text" bigint DEFAULT 0 NOT NULL,
	"prompts" bigint DEFAULT 0 NOT NULL,
	"versions" bigint DEFAULT 0 NOT NULL,
	"variables" bigint DEFAULT 0 NOT NULL,
	"files" bigint DEFAULT 0 NOT NULL,
	"uploads" bigint DEFAULT 0 NOT NULL,
	"chains" bigint DEFAULT 0 NOT NULL,
	"steps" bigint DEFAULT 0 NOT NULL,
	"tags" bigint DEFAULT 0 NOT NULL,
	"categories" bigint DEFAULT 0 NOT NULL,
	"suites" bigint DEFAULT 0 NOT NULL,
	"cases" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account_attempts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "account_attempts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" "account_attempt_kind" NOT NULL,
	"username" text NOT NULL,
	"network" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"password" text,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp (3) with time zone,
	"refresh_token_expires_at" timestamp (3) with time zone,
	"scope" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "sessions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"token" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"impersonated_by" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sessions_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"username" text NOT NULL,
	"display_username" text NOT NULL,
	"role" text DEFAULT 'user' NOT NULL,
	"banned" boolean DEFAULT false NOT NULL,
	"ban_reason" text,
	"ban_expires" timestamp (3) with time zone,
	"theme" text DEFAULT 'system' NOT NULL,
	"time_zone" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"quotas" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"first_steps_ended_at" timestamp (3) with time zone,
	CONSTRAINT "users_email_unique" UNIQUE("email"),
	CONSTRAINT "users_username_unique" UNIQUE("username")
);
--> statement-breakpoint
CREATE TABLE "verifications" (
	"id" integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "verifications_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "file_bytes" (
	"file_id" integer PRIMARY KEY NOT NULL,
	"bytes" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "files" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "files_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"owner_id" integer NOT NULL,
	"key" text NOT NULL,
	"content" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"media_type" text,
	"file_name" text,
	"width" integer,
	"height" integer,
	"bytes" integer,
	"sha256" text
);
--> statement-breakpoint
CREATE TABLE "variable_fetches" (
	"variable_id" integer PRIMARY KEY NOT NULL,
	"revision" integer NOT NULL,
	"content" text NOT NULL,
	"fetched_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "variable_tags" (
	"variable_id" integer NOT NULL,
	"tag_id" integer NOT NULL,
	CONSTRAINT "variable_tags_variable_id_tag_id_pk" PRIMARY KEY("variable_id","tag_id")
);
--> statement-breakpoint
CREATE TABLE "variables" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "variables_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"owner_id" integer NOT NULL,
	"name" text NOT NULL,
	"type" "variable_type" NOT NULL,
	"content" text DEFAULT '' NOT NULL,
	"api_url" text DEFAULT '' NOT NULL,
	"api_headers" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"google_drive_file_id" text DEFAULT '' NOT NULL,
	"google_drive_file_name" text DEFAULT '' NOT NULL,
	"google_drive_mime_type" text DEFAULT '' NOT NULL,
	"is_public" boolean DEFAULT false NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"cache_seconds" integer DEFAULT 0 NOT NULL,
	"content_length" integer GENERATED ALWAYS AS (char_length("content")) STORED NOT NULL,
	"allowed_values" text[] DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chain_labels" (
	"chain_id" integer NOT NULL,
	"label" text collate "C" NOT NULL,
	"version" integer NOT NULL,
	"moved_by" integer,
	"moved_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "chain_labels_chain_id_label_pk" PRIMARY KEY("chain_id","label")
);
--> statement-breakpoint
CREATE TABLE "label_moves" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "label_moves_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"prompt_id" integer,
	"chain_id" integer,
	"label" text collate "C" NOT NULL,
	"from_version" integer,
	"to_version" integer,
	"moved_by" integer,
	"moved_at" timestamp (3) with time zone NOT NULL,
	"reason" text NOT NULL,
	"override" boolean NOT NULL,
	"evaluation_id" integer,
	CONSTRAINT "label_moves_one_record" CHECK (num_nonnulls("label_moves"."prompt_id", "label_moves"."chain_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "prompt_labels" (
	"prompt_id" integer NOT NULL,
	"label" text collate "C" NOT NULL,
	"version" integer NOT NULL,
	"moved_by" integer,
	"moved_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "prompt_labels_prompt_id_label_pk" PRIMARY KEY("prompt_id","label")
);
--> statement-breakpoint
CREATE TABLE "protected_labels" (
	"label" text collate "C" PRIMARY KEY NOT NULL,
	"who_may_move" text NOT NULL,
	"needs_suite" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"webhook_id" integer NOT NULL,
	"key" text NOT NULL,
	"object" text NOT NULL,
	"message_id" text NOT NULL,
	"type" text NOT NULL,
	"data" jsonb NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"tries" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"try_count" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp (3) with time zone,
	"answer" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "webhook_deliveries_key" UNIQUE("webhook_id","key")
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhooks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"sends_texts" boolean DEFAULT false NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"off_reason" text,
	"sealed_secret" text NOT NULL,
	"sealed_formers" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"failed_at" timestamp (3) with time zone,
	"left_out_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "jobs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"queue" text NOT NULL,
	"key" text NOT NULL,
	"payload" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"run_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"next_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"is_held" boolean DEFAULT false NOT NULL,
	"last_error" text,
	CONSTRAINT "jobs_key" UNIQUE("queue","key")
);
--> statement-breakpoint
CREATE INDEX "backups_taken" ON "backups" USING btree ("taken_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "categories_name_lower" ON "categories" USING btree (lower("name"));
--> statement-breakpoint
CREATE INDEX "chain_steps_order" ON "chain_steps" USING btree ("chain_id","position");
--> statement-breakpoint
CREATE INDEX "chain_steps_prompt" ON "chain_steps" USING btree ("prompt_id");
--> statement-breakpoint
CREATE INDEX "chain_steps_references" ON "chain_steps" USING gin ("reference_names");
--> statement-breakpoint
CREATE UNIQUE INDEX "chain_steps_output" ON "chain_steps" USING btree ("chain_id",lower("output_variable_name"));
--> statement-breakpoint
CREATE INDEX "chain_tags_tag" ON "chain_tags" USING btree ("tag_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "chain_versions_number" ON "chain_versions" USING btree ("chain_id","number");
--> statement-breakpoint
CREATE INDEX "chains_owner" ON "chains" USING btree ("owner_id");
--> statement-breakpoint
CREATE INDEX "chains_updated" ON "chains" USING btree ("updated_at","id");
--> statement-breakpoint
CREATE INDEX "evaluation_cells_hash" ON "evaluation_cells" USING btree ("hash") WHERE "evaluation_cells"."status" in ('passed', 'failed');
--> statement-breakpoint
CREATE INDEX "evaluation_cells_execution" ON "evaluation_cells" USING btree ("execution_id");
--> statement-breakpoint
CREATE INDEX "evaluations_prompt" ON "evaluations" USING btree ("prompt_id","id" DESC NULLS LAST) WHERE "evaluations"."prompt_id" is not null;
--> statement-breakpoint
CREATE INDEX "evaluations_chain" ON "evaluations" USING btree ("chain_id","id" DESC NULLS LAST) WHERE "evaluations"."chain_id" is not null;
--> statement-breakpoint
CREATE INDEX "evaluations_suite" ON "evaluations" USING btree ("suite_id","id" DESC NULLS LAST) WHERE "evaluations"."suite_id" is not null;
--> statement-breakpoint
CREATE INDEX "evaluations_starter" ON "evaluations" USING btree ("started_by","id" DESC NULLS LAST);
--> statement-breakpoint
CREATE INDEX "examples_owner" ON "examples" USING btree ("owner_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "examples_prompt" ON "examples" USING btree ("prompt_id") WHERE "examples"."prompt_id" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX "examples_chain" ON "examples" USING btree ("chain_id") WHERE "examples"."chain_id" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX "examples_variable" ON "examples" USING btree ("variable_id") WHERE "examples"."variable_id" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX "examples_suite" ON "examples" USING btree ("suite_id") WHERE "examples"."suite_id" is not null;
--> statement-breakpoint
CREATE INDEX "imported_chains_import" ON "imported_chains" USING btree ("import_id");
--> statement-breakpoint
CREATE INDEX "imported_chains_chain" ON "imported_chains" USING btree ("chain_id");
--> statement-breakpoint
CREATE INDEX "imported_suites_import" ON "imported_suites" USING btree ("import_id");
--> statement-breakpoint
CREATE INDEX "imported_suites_suite" ON "imported_suites" USING btree ("suite_id");
--> statement-breakpoint
CREATE INDEX "audit_events_object" ON "audit_events" USING btree ("object_type","object_id");
--> statement-breakpoint
CREATE INDEX "audit_events_created" ON "audit_events" USING btree ("created_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "idempotency_keys_actor_key" ON "idempotency_keys" USING btree ("actor","key");
--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "idempotency_keys" USING btree ("created_at");
--> statement-breakpoint
CREATE INDEX "mail_questions_mailbox" ON "mail_questions" USING btree ("mailbox","asked_at");
--> statement-breakpoint
CREATE INDEX "mail_questions_user" ON "mail_questions" USING btree ("user_id","asked_at");
--> statement-breakpoint
CREATE INDEX "mail_recipients_status" ON "mail_recipients" USING btree ("status","queued_at");
--> statement-breakpoint
CREATE INDEX "mails_occurrence" ON "mails" USING btree ("occurrence_id");
--> statement-breakpoint
CREATE INDEX "mails_user" ON "mails" USING btree ("user_id","created_at");
--> statement-breakpoint
CREATE INDEX "model_prices_model" ON "model_prices" USING btree ("model_id","id" DESC NULLS LAST);
--> statement-breakpoint
CREATE INDEX "models_provider" ON "models" USING btree ("provider_id");
--> statement-breakpoint
CREATE INDEX "imported_prompts_import" ON "imported_prompts" USING btree ("import_id");
--> statement-breakpoint
CREATE INDEX "imported_prompts_prompt" ON "imported_prompts" USING btree ("prompt_id");
--> statement-breakpoint
CREATE INDEX "imported_prompts_hash" ON "imported_prompts" USING btree ("hash");
--> statement-breakpoint
CREATE INDEX "imports_owner" ON "imports" USING btree ("owner_id","id");
--> statement-breakpoint
CREATE INDEX "prompt_aliases_prompt" ON "prompt_aliases" USING btree ("prompt_id");
--> statement-breakpoint
CREATE INDEX "prompt_tags_tag" ON "prompt_tags" USING btree ("tag_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "prompt_versions_number" ON "prompt_versions" USING btree ("prompt_id","number");
--> statement-breakpoint
CREATE INDEX "prompts_owner" ON "prompts" USING btree ("owner_id");
--> statement-breakpoint
CREATE INDEX "prompts_category" ON "prompts" USING btree ("category_id");
--> statement-breakpoint
CREATE INDEX "prompts_references" ON "prompts" USING gin ("reference_names") WITH (fastupdate=false);
--> statement-breakpoint
CREATE INDEX "prompts_public_updated" ON "prompts" USING btree ("updated_at","id") WHERE is_public;
--> statement-breakpoint
CREATE INDEX "prompts_public_created" ON "prompts" USING btree ("id") WHERE is_public;
--> statement-breakpoint
CREATE INDEX "prompts_public_title" ON "prompts" USING btree ("title_order","id") WHERE is_public;
--> statement-breakpoint
CREATE INDEX "prompts_public_search" ON "prompts" USING gin ("searched" gin_trgm_ops) WITH (fastupdate=false) WHERE is_public;
--> statement-breakpoint
CREATE INDEX "prompts_private_updated" ON "prompts" USING btree ("owner_id","updated_at","id") WHERE not is_public;
--> statement-breakpoint
CREATE INDEX "prompts_private_created" ON "prompts" USING btree ("owner_id","id") WHERE not is_public;
--> statement-breakpoint
CREATE INDEX "prompts_private_title" ON "prompts" USING btree ("owner_id","title_order","id") WHERE not is_public;
--> statement-breakpoint
CREATE INDEX "prompts_private_search" ON "prompts" USING gin ("searched" gin_trgm_ops) WITH (fastupdate=false) WHERE not is_public;
--> statement-breakpoint
CREATE INDEX "execution_ratings_user" ON "execution_ratings" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "execution_steps_attachments" ON "execution_steps" USING gin ("attachments" jsonb_path_ops) WHERE "execution_steps"."attachments" is not null;
--> statement-breakpoint
CREATE INDEX "executions_prompt" ON "executions" USING btree ("prompt_id","user_id","id" DESC NULLS LAST) WHERE "executions"."prompt_id" is not null;
--> statement-breakpoint
CREATE INDEX "executions_chain" ON "executions" USING btree ("chain_id","id" DESC NULLS LAST) WHERE "executions"."chain_id" is not null;
--> statement-breakpoint
CREATE INDEX "executions_token" ON "executions" USING btree ("api_token_id","id" DESC NULLS LAST) WHERE "executions"."api_token_id" is not null;
--> statement-breakpoint
CREATE INDEX "executions_user" ON "executions" USING btree ("user_id","id" DESC NULLS LAST);
--> statement-breakpoint
CREATE INDEX "executions_lease" ON "executions" USING btree ("lease_until") WHERE "executions"."status" = 'running';
--> statement-breakpoint
CREATE INDEX "executions_texts" ON "executions" USING btree ("id") WHERE not "executions"."texts_deleted";
--> statement-breakpoint
CREATE UNIQUE INDEX "scheduled_occurrences_under_way" ON "scheduled_occurrences" USING btree ("scheduled_run_id") WHERE "scheduled_occurrences"."state" in ('pending', 'running');
--> statement-breakpoint
CREATE INDEX "scheduled_occurrences_created" ON "scheduled_occurrences" USING btree ("created_at");
--> statement-breakpoint
CREATE INDEX "scheduled_runs_chain" ON "scheduled_runs" USING btree ("chain_id");
--> statement-breakpoint
CREATE INDEX "scheduled_runs_creator" ON "scheduled_runs" USING btree ("created_by");
--> statement-breakpoint
CREATE INDEX "scheduled_runs_due" ON "scheduled_runs" USING btree ("next_due_at") WHERE "scheduled_runs"."active";
--> statement-breakpoint
CREATE INDEX "chain_acceptances_chain" ON "chain_acceptances" USING btree ("chain_id");
--> statement-breakpoint
CREATE INDEX "chain_shares_user" ON "chain_shares" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "prompt_acceptances_prompt" ON "prompt_acceptances" USING btree ("prompt_id");
--> statement-breakpoint
CREATE INDEX "prompt_shares_user" ON "prompt_shares" USING btree ("user_id","prompt_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "run_shares_chain" ON "run_shares" USING btree ("chain_id","user_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "run_shares_prompt" ON "run_shares" USING btree ("prompt_id","user_id");
--> statement-breakpoint
CREATE INDEX "run_shares_user" ON "run_shares" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "chain_slugs_chain" ON "chain_slugs" USING btree ("chain_id");
--> statement-breakpoint
CREATE INDEX "prompt_slugs_prompt" ON "prompt_slugs" USING btree ("prompt_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "tags_kind_name_lower" ON "tags" USING btree ("kind",lower("name"));
--> statement-breakpoint
CREATE INDEX "test_cases_order" ON "test_cases" USING btree ("suite_id","position","id");
--> statement-breakpoint
CREATE INDEX "test_cases_owner" ON "test_cases" USING btree ("owner_id");
--> statement-breakpoint
CREATE INDEX "test_suites_owner" ON "test_suites" USING btree ("owner_id");
--> statement-breakpoint
CREATE INDEX "test_suites_prompt" ON "test_suites" USING btree ("prompt_id") WHERE "test_suites"."prompt_id" is not null;
--> statement-breakpoint
CREATE INDEX "test_suites_chain" ON "test_suites" USING btree ("chain_id") WHERE "test_suites"."chain_id" is not null;
--> statement-breakpoint
CREATE INDEX "api_token_calls_chain" ON "api_token_calls" USING btree ("chain_id");
--> statement-breakpoint
CREATE INDEX "api_token_calls_created" ON "api_token_calls" USING btree ("created_at");
--> statement-breakpoint
CREATE INDEX "api_token_chains_chain" ON "api_token_chains" USING btree ("chain_id");
--> statement-breakpoint
CREATE INDEX "api_token_prompts_prompt" ON "api_token_prompts" USING btree ("prompt_id");
--> statement-breakpoint
CREATE INDEX "api_tokens_creator" ON "api_tokens" USING btree ("created_by");
--> statement-breakpoint
CREATE INDEX "api_tokens_chain" ON "api_tokens" USING btree ("chain_id");
--> statement-breakpoint
CREATE INDEX "best_chain_selections_user" ON "best_chain_selections" USING btree ("user_id","id" DESC NULLS LAST);
--> statement-breakpoint
CREATE INDEX "best_chain_selections_token" ON "best_chain_selections" USING btree ("api_token_id","id" DESC NULLS LAST);
--> statement-breakpoint
CREATE INDEX "best_chain_selections_chain" ON "best_chain_selections" USING btree ("chain_id");
--> statement-breakpoint
CREATE INDEX "best_chain_selections_corrected" ON "best_chain_selections" USING btree ("corrected_chain_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "prompt_fetches_one" ON "prompt_fetches" USING btree ("api_token_id","prompt_id","kind","version","label","client");
--> statement-breakpoint
CREATE INDEX "prompt_fetches_user" ON "prompt_fetches" USING btree ("user_id","last_at","id");
--> statement-breakpoint
CREATE INDEX "prompt_fetches_prompt" ON "prompt_fetches" USING btree ("prompt_id","last_at","id");
--> statement-breakpoint
CREATE INDEX "prompt_fetches_last" ON "prompt_fetches" USING btree ("last_at");
--> statement-breakpoint
CREATE INDEX "usage_calls_user" ON "usage_calls" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "account_attempts_subject" ON "account_attempts" USING btree ("kind","network","username","created_at");
--> statement-breakpoint
CREATE INDEX "account_attempts_created" ON "account_attempts" USING btree ("created_at");
--> statement-breakpoint
CREATE INDEX "accounts_user" ON "accounts" USING btree ("user_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_provider" ON "accounts" USING btree ("provider_id","account_id");
--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "sessions_expires" ON "sessions" USING btree ("expires_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "users_username_lower" ON "users" USING btree (lower("username"));
--> statement-breakpoint
CREATE INDEX "verifications_identifier" ON "verifications" USING btree ("identifier");
--> statement-breakpoint
CREATE UNIQUE INDEX "files_owner_key" ON "files" USING btree ("owner_id","key");
--> statement-breakpoint
CREATE UNIQUE INDEX "files_owner_picture" ON "files" USING btree ("owner_id","sha256","file_name") WHERE "files"."sha256" is not null;
--> statement-breakpoint
CREATE INDEX "variable_tags_tag" ON "variable_tags" USING btree ("tag_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "variables_owner_name_lower" ON "variables" USING btree ("owner_id",lower("name"));
--> statement-breakpoint
CREATE INDEX "variables_public_name" ON "variables" USING btree (lower("name")) WHERE "variables"."is_public";
--> statement-breakpoint
CREATE INDEX "variables_limited" ON "variables" USING btree (lower("name")) WHERE "variables"."allowed_values" <> '{}';
--> statement-breakpoint
CREATE INDEX "variables_name" ON "variables" USING btree (lower("name"),"id");
--> statement-breakpoint
CREATE INDEX "label_moves_prompt" ON "label_moves" USING btree ("prompt_id","label","id");
--> statement-breakpoint
CREATE INDEX "label_moves_chain" ON "label_moves" USING btree ("chain_id","label","id");
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_newest" ON "webhook_deliveries" USING btree ("webhook_id","id");
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_waiting" ON "webhook_deliveries" USING btree ("webhook_id","object","id") WHERE "webhook_deliveries"."state" = 'waiting';
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_ended" ON "webhook_deliveries" USING btree ("ended_at") WHERE "webhook_deliveries"."ended_at" is not null;
--> statement-breakpoint
CREATE INDEX "webhooks_user" ON "webhooks" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "jobs_next" ON "jobs" USING btree ("queue","next_at");
--> statement-breakpoint
ALTER TABLE "categories" ADD CONSTRAINT "categories_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chain_steps" ADD CONSTRAINT "chain_steps_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chain_steps" ADD CONSTRAINT "chain_steps_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chain_steps" ADD CONSTRAINT "chain_steps_prompt_version" FOREIGN KEY ("prompt_id","prompt_version") REFERENCES "public"."prompt_versions"("prompt_id","number") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chain_tags" ADD CONSTRAINT "chain_tags_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chain_tags" ADD CONSTRAINT "chain_tags_tag_id_tags_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."tags"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chain_versions" ADD CONSTRAINT "chain_versions_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chain_versions" ADD CONSTRAINT "chain_versions_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chains" ADD CONSTRAINT "chains_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "evaluation_cells" ADD CONSTRAINT "evaluation_cells_evaluation" FOREIGN KEY ("evaluation_id") REFERENCES "public"."evaluations"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "evaluations" ADD CONSTRAINT "evaluations_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "evaluations" ADD CONSTRAINT "evaluations_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "evaluations" ADD CONSTRAINT "evaluations_suite_id_test_suites_id_fk" FOREIGN KEY ("suite_id") REFERENCES "public"."test_suites"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "evaluations" ADD CONSTRAINT "evaluations_started_by_users_id_fk" FOREIGN KEY ("started_by") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "examples" ADD CONSTRAINT "examples_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "examples" ADD CONSTRAINT "examples_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "examples" ADD CONSTRAINT "examples_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "examples" ADD CONSTRAINT "examples_variable_id_variables_id_fk" FOREIGN KEY ("variable_id") REFERENCES "public"."variables"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "examples" ADD CONSTRAINT "examples_suite_id_test_suites_id_fk" FOREIGN KEY ("suite_id") REFERENCES "public"."test_suites"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "imported_chains" ADD CONSTRAINT "imported_chains_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "imported_chains" ADD CONSTRAINT "imported_chains_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "imported_suites" ADD CONSTRAINT "imported_suites_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "imported_suites" ADD CONSTRAINT "imported_suites_suite_id_test_suites_id_fk" FOREIGN KEY ("suite_id") REFERENCES "public"."test_suites"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "audit_events" ADD CONSTRAINT "audit_events_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "mail_consents" ADD CONSTRAINT "mail_consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "mail_questions" ADD CONSTRAINT "mail_questions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "mail_recipients" ADD CONSTRAINT "mail_recipients_mail_id_mails_id_fk" FOREIGN KEY ("mail_id") REFERENCES "public"."mails"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_occurrence_id_scheduled_occurrences_id_fk" FOREIGN KEY ("occurrence_id") REFERENCES "public"."scheduled_occurrences"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "model_lists" ADD CONSTRAINT "model_lists_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "model_prices" ADD CONSTRAINT "model_prices_model_id_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."models"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "model_providers" ADD CONSTRAINT "model_providers_added_by_users_id_fk" FOREIGN KEY ("added_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "models" ADD CONSTRAINT "models_provider_id_model_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."model_providers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "imported_prompts" ADD CONSTRAINT "imported_prompts_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "imported_prompts" ADD CONSTRAINT "imported_prompts_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "prompt_aliases" ADD CONSTRAINT "prompt_aliases_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "prompt_skills" ADD CONSTRAINT "prompt_skills_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "prompt_tags" ADD CONSTRAINT "prompt_tags_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "prompt_tags" ADD CONSTRAINT "prompt_tags_tag_id_tags_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."tags"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "prompt_versions" ADD CONSTRAINT "prompt_versions_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "prompt_versions" ADD CONSTRAINT "prompt_versions_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "prompts" ADD CONSTRAINT "prompts_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "prompts" ADD CONSTRAINT "prompts_category_id_categories_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."categories"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "execution_ratings" ADD CONSTRAINT "execution_ratings_execution_id_executions_id_fk" FOREIGN KEY ("execution_id") REFERENCES "public"."executions"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "execution_ratings" ADD CONSTRAINT "execution_ratings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "execution_steps" ADD CONSTRAINT "execution_steps_run" FOREIGN KEY ("execution_id","attempt") REFERENCES "public"."executions"("id","attempt") ON DELETE cascade ON UPDATE cascade;
--> statement-breakpoint
ALTER TABLE "executions" ADD CONSTRAINT "executions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "executions" ADD CONSTRAINT "executions_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "executions" ADD CONSTRAINT "executions_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "executions" ADD CONSTRAINT "executions_api_token_id_api_tokens_id_fk" FOREIGN KEY ("api_token_id") REFERENCES "public"."api_tokens"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "scheduled_occurrences" ADD CONSTRAINT "scheduled_occurrences_scheduled_run_id_scheduled_runs_id_fk" FOREIGN KEY ("scheduled_run_id") REFERENCES "public"."scheduled_runs"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "scheduled_runs" ADD CONSTRAINT "scheduled_runs_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "scheduled_runs" ADD CONSTRAINT "scheduled_runs_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "scheduled_runs" ADD CONSTRAINT "scheduled_runs_label" FOREIGN KEY ("chain_id","chain_label") REFERENCES "public"."chain_labels"("chain_id","label") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chain_acceptances" ADD CONSTRAINT "chain_acceptances_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chain_acceptances" ADD CONSTRAINT "chain_acceptances_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chain_shares" ADD CONSTRAINT "chain_shares_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chain_shares" ADD CONSTRAINT "chain_shares_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "prompt_acceptances" ADD CONSTRAINT "prompt_acceptances_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "prompt_acceptances" ADD CONSTRAINT "prompt_acceptances_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "prompt_shares" ADD CONSTRAINT "prompt_shares_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "prompt_shares" ADD CONSTRAINT "prompt_shares_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "run_shares" ADD CONSTRAINT "run_shares_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "run_shares" ADD CONSTRAINT "run_shares_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "run_shares" ADD CONSTRAINT "run_shares_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chain_slugs" ADD CONSTRAINT "chain_slugs_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade DEFERRABLE INITIALLY DEFERRED;
--> statement-breakpoint
ALTER TABLE "prompt_slugs" ADD CONSTRAINT "prompt_slugs_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade DEFERRABLE INITIALLY DEFERRED;
--> statement-breakpoint
ALTER TABLE "tags" ADD CONSTRAINT "tags_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "test_cases" ADD CONSTRAINT "test_cases_suite_id_test_suites_id_fk" FOREIGN KEY ("suite_id") REFERENCES "public"."test_suites"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "test_cases" ADD CONSTRAINT "test_cases_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "test_suites" ADD CONSTRAINT "test_suites_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "test_suites" ADD CONSTRAINT "test_suites_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "test_suites" ADD CONSTRAINT "test_suites_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "api_token_calls" ADD CONSTRAINT "api_token_calls_api_token_id_api_tokens_id_fk" FOREIGN KEY ("api_token_id") REFERENCES "public"."api_tokens"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "api_token_calls" ADD CONSTRAINT "api_token_calls_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "api_token_chains" ADD CONSTRAINT "api_token_chains_api_token_id_api_tokens_id_fk" FOREIGN KEY ("api_token_id") REFERENCES "public"."api_tokens"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "api_token_chains" ADD CONSTRAINT "api_token_chains_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "api_token_prompts" ADD CONSTRAINT "api_token_prompts_api_token_id_api_tokens_id_fk" FOREIGN KEY ("api_token_id") REFERENCES "public"."api_tokens"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "api_token_prompts" ADD CONSTRAINT "api_token_prompts_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "api_token_uses" ADD CONSTRAINT "api_token_uses_api_token_id_api_tokens_id_fk" FOREIGN KEY ("api_token_id") REFERENCES "public"."api_tokens"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_label" FOREIGN KEY ("chain_id","chain_label") REFERENCES "public"."chain_labels"("chain_id","label") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "best_chain_selections" ADD CONSTRAINT "best_chain_selections_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "best_chain_selections" ADD CONSTRAINT "best_chain_selections_api_token_id_api_tokens_id_fk" FOREIGN KEY ("api_token_id") REFERENCES "public"."api_tokens"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "best_chain_selections" ADD CONSTRAINT "best_chain_selections_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "best_chain_selections" ADD CONSTRAINT "best_chain_selections_corrected_chain_id_chains_id_fk" FOREIGN KEY ("corrected_chain_id") REFERENCES "public"."chains"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "prompt_fetches" ADD CONSTRAINT "prompt_fetches_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "prompt_fetches" ADD CONSTRAINT "prompt_fetches_api_token_id_api_tokens_id_fk" FOREIGN KEY ("api_token_id") REFERENCES "public"."api_tokens"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "prompt_fetches" ADD CONSTRAINT "prompt_fetches_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "file_bytes" ADD CONSTRAINT "file_bytes_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "variable_fetches" ADD CONSTRAINT "variable_fetches_variable_id_variables_id_fk" FOREIGN KEY ("variable_id") REFERENCES "public"."variables"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "variable_tags" ADD CONSTRAINT "variable_tags_variable_id_variables_id_fk" FOREIGN KEY ("variable_id") REFERENCES "public"."variables"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "variable_tags" ADD CONSTRAINT "variable_tags_tag_id_tags_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."tags"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "variables" ADD CONSTRAINT "variables_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chain_labels" ADD CONSTRAINT "chain_labels_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chain_labels" ADD CONSTRAINT "chain_labels_moved_by_users_id_fk" FOREIGN KEY ("moved_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chain_labels" ADD CONSTRAINT "chain_labels_version" FOREIGN KEY ("chain_id","version") REFERENCES "public"."chain_versions"("chain_id","number") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "label_moves" ADD CONSTRAINT "label_moves_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "label_moves" ADD CONSTRAINT "label_moves_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "label_moves" ADD CONSTRAINT "label_moves_moved_by_users_id_fk" FOREIGN KEY ("moved_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "prompt_labels" ADD CONSTRAINT "prompt_labels_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "prompt_labels" ADD CONSTRAINT "prompt_labels_moved_by_users_id_fk" FOREIGN KEY ("moved_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "prompt_labels" ADD CONSTRAINT "prompt_labels_version" FOREIGN KEY ("prompt_id","version") REFERENCES "public"."prompt_versions"("prompt_id","number") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
-- What follows Drizzle does not know of.
ALTER TABLE file_bytes ALTER COLUMN bytes SET STORAGE EXTERNAL;
--> statement-breakpoint
ALTER TABLE chain_steps ADD CONSTRAINT chain_steps_prompt_label FOREIGN KEY (prompt_id, prompt_label) REFERENCES prompt_labels(prompt_id, label);
--> statement-breakpoint
INSERT INTO model_providers (name, kind, base_url, environment_alias, api_key, api_key_end, new_api_key, new_api_key_end, allows_private_address, added_by) VALUES ('Anthropic', 'anthropic', NULL, 'claude', NULL, NULL, NULL, NULL, false, NULL);
--> statement-breakpoint
INSERT INTO model_providers (name, kind, base_url, environment_alias, api_key, api_key_end, new_api_key, new_api_key_end, allows_private_address, added_by) VALUES ('OpenAI', 'openai', NULL, 'openai', NULL, NULL, NULL, NULL, false, NULL);
--> statement-breakpoint
INSERT INTO model_providers (name, kind, base_url, environment_alias, api_key, api_key_end, new_api_key, new_api_key_end, allows_private_address, added_by) VALUES ('Google Gemini', 'gemini', NULL, 'gemini', NULL, NULL, NULL, NULL, false, NULL);
--> statement-breakpoint
INSERT INTO model_providers (name, kind, base_url, environment_alias, api_key, api_key_end, new_api_key, new_api_key_end, allows_private_address, added_by) VALUES ('OpenAI-compatible server', 'compatible', NULL, 'custom', NULL, NULL, NULL, NULL, false, NULL);
--> statement-breakpoint
INSERT INTO models (alias, label, provider_id, model_id, context_tokens, capabilities, position, is_enabled, is_for_everyone, monthly_limit_nanos) VALUES ('claude', NULL, 1, NULL, NULL, '{}', 0, true, true, NULL);
--> statement-breakpoint
INSERT INTO models (alias, label, provider_id, model_id, context_tokens, capabilities, position, is_enabled, is_for_everyone, monthly_limit_nanos) VALUES ('openai', NULL, 2, NULL, NULL, '{}', 1, true, true, NULL);
--> statement-breakpoint
INSERT INTO models (alias, label, provider_id, model_id, context_tokens, capabilities, position, is_enabled, is_for_everyone, monthly_limit_nanos) VALUES ('gemini', NULL, 3, NULL, NULL, '{}', 2, true, true, NULL);
--> statement-breakpoint
INSERT INTO models (alias, label, provider_id, model_id, context_tokens, capabilities, position, is_enabled, is_for_everyone, monthly_limit_nanos) VALUES ('custom', NULL, 4, NULL, NULL, '{}', 3, true, true, NULL);
--> statement-breakpoint
CREATE TRIGGER tell_delete AFTER DELETE ON api_token_chains REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('api_tokens', 'api_token_id');
--> statement-breakpoint
CREATE TRIGGER tell_insert AFTER INSERT ON api_token_chains REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('api_tokens', 'api_token_id');
--> statement-breakpoint
CREATE TRIGGER tell_update AFTER UPDATE ON api_token_chains REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('api_tokens', 'api_token_id');
--> statement-breakpoint
CREATE TRIGGER tell_delete AFTER DELETE ON api_token_prompts REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('api_tokens', 'api_token_id');
--> statement-breakpoint
CREATE TRIGGER tell_insert AFTER INSERT ON api_token_prompts REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('api_tokens', 'api_token_id');
--> statement-breakpoint
CREATE TRIGGER tell_update AFTER UPDATE ON api_token_prompts REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('api_tokens', 'api_token_id');
--> statement-breakpoint
CREATE TRIGGER tell_delete AFTER DELETE ON api_tokens REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('api_tokens', 'id');
--> statement-breakpoint
CREATE TRIGGER tell_update AFTER UPDATE ON api_tokens REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('api_tokens', 'id');
--> statement-breakpoint
CREATE TRIGGER note_usage AFTER INSERT ON best_chain_selections FOR EACH ROW WHEN ((new.cost_nanos IS NOT NULL)) EXECUTE FUNCTION note_judge_usage();
--> statement-breakpoint
CREATE TRIGGER count_delete AFTER DELETE ON categories REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_categories_delete();
--> statement-breakpoint
CREATE TRIGGER count_insert AFTER INSERT ON categories REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_categories_insert();
--> statement-breakpoint
CREATE TRIGGER count_update AFTER UPDATE ON categories REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_categories_update();
--> statement-breakpoint
CREATE TRIGGER tally_names AFTER INSERT OR DELETE OR UPDATE ON categories FOR EACH STATEMENT EXECUTE FUNCTION tally_names();
--> statement-breakpoint
CREATE TRIGGER tell_delete AFTER DELETE ON categories REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('categories', 'id');
--> statement-breakpoint
CREATE TRIGGER tell_update AFTER UPDATE ON categories REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('categories', 'id');
--> statement-breakpoint
CREATE TRIGGER tell_delete AFTER DELETE ON chain_acceptances REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('chains', 'chain_id');
--> statement-breakpoint
CREATE TRIGGER tell_insert AFTER INSERT ON chain_acceptances REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('chains', 'chain_id');
--> statement-breakpoint
CREATE TRIGGER tell_delete AFTER DELETE ON chain_labels REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('chains', 'chain_id');
--> statement-breakpoint
CREATE TRIGGER tell_insert AFTER INSERT ON chain_labels REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('chains', 'chain_id');
--> statement-breakpoint
CREATE TRIGGER tell_update AFTER UPDATE ON chain_labels REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('chains', 'chain_id');
--> statement-breakpoint
CREATE TRIGGER tell_delete AFTER DELETE ON chain_shares REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('chains', 'chain_id');
--> statement-breakpoint
CREATE TRIGGER tell_insert AFTER INSERT ON chain_shares REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('chains', 'chain_id');
--> statement-breakpoint
CREATE TRIGGER tell_update AFTER UPDATE ON chain_shares REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('chains', 'chain_id');
--> statement-breakpoint
CREATE TRIGGER count_delete AFTER DELETE ON chain_steps REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_chain_steps_delete();
--> statement-breakpoint
CREATE TRIGGER count_insert AFTER INSERT ON chain_steps REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_chain_steps_insert();
--> statement-breakpoint
CREATE TRIGGER count_update AFTER UPDATE ON chain_steps REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_chain_steps_update();
--> statement-breakpoint
CREATE TRIGGER end_prompt_link BEFORE INSERT OR UPDATE ON chain_steps FOR EACH ROW WHEN ((new.prompt_id IS NULL)) EXECUTE FUNCTION end_prompt_link();
--> statement-breakpoint
CREATE TRIGGER tell_delete AFTER DELETE ON chain_steps REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('chains', 'chain_id');
--> statement-breakpoint
CREATE TRIGGER tell_insert AFTER INSERT ON chain_steps REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('chains', 'chain_id');
--> statement-breakpoint
CREATE TRIGGER tell_update AFTER UPDATE ON chain_steps REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('chains', 'chain_id');
--> statement-breakpoint
CREATE TRIGGER count_delete AFTER DELETE ON chain_versions REFERENCING OLD TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION count_chain_versions_delete();
--> statement-breakpoint
CREATE TRIGGER count_insert AFTER INSERT ON chain_versions REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION count_chain_versions_insert();
--> statement-breakpoint
CREATE TRIGGER tell_delete AFTER DELETE ON chain_versions REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('chains', 'chain_id');
--> statement-breakpoint
CREATE TRIGGER count_chain_versions_gone BEFORE DELETE ON chains FOR EACH ROW EXECUTE FUNCTION count_chain_versions_gone();
--> statement-breakpoint
CREATE TRIGGER count_delete AFTER DELETE ON chains REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_chains_delete();
--> statement-breakpoint
CREATE TRIGGER count_insert AFTER INSERT ON chains REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_chains_insert();
--> statement-breakpoint
CREATE TRIGGER count_steps_gone BEFORE DELETE ON chains FOR EACH ROW EXECUTE FUNCTION count_steps_gone();
--> statement-breakpoint
CREATE TRIGGER count_update AFTER UPDATE ON chains REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_chains_update();
--> statement-breakpoint
CREATE TRIGGER set_slug BEFORE INSERT ON chains FOR EACH ROW EXECUTE FUNCTION set_chain_slug();
--> statement-breakpoint
CREATE TRIGGER tell_delete AFTER DELETE ON chains REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('chains', 'id');
--> statement-breakpoint
CREATE TRIGGER tell_update AFTER UPDATE ON chains REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('chains', 'id');
--> statement-breakpoint
CREATE TRIGGER note_usage AFTER UPDATE OF judge_cost_nanos ON evaluation_cells FOR EACH ROW WHEN (((new.judge_cost_nanos IS NOT NULL) AND (new.judge_cost_nanos IS DISTINCT FROM old.judge_cost_nanos))) EXECUTE FUNCTION note_cell_usage();
--> statement-breakpoint
CREATE TRIGGER count_delete AFTER DELETE ON evaluations REFERENCING OLD TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION count_evaluations();
--> statement-breakpoint
CREATE TRIGGER count_insert AFTER INSERT ON evaluations REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION count_evaluations();
--> statement-breakpoint
CREATE TRIGGER count_rating AFTER INSERT OR DELETE OR UPDATE ON execution_ratings FOR EACH ROW EXECUTE FUNCTION count_rating();
--> statement-breakpoint
CREATE TRIGGER note_usage_insert AFTER INSERT ON execution_steps FOR EACH ROW WHEN ((new.status <> 'running'::execution_status)) EXECUTE FUNCTION note_step_usage();
--> statement-breakpoint
CREATE TRIGGER note_usage_update AFTER UPDATE ON execution_steps FOR EACH ROW WHEN (((old.status = 'running'::execution_status) AND (new.status <> 'running'::execution_status))) EXECUTE FUNCTION note_step_usage();
--> statement-breakpoint
CREATE TRIGGER executions_created_ended AFTER INSERT ON executions FOR EACH ROW WHEN (((new.subscribers IS NOT NULL) AND (new.status <> 'running'::execution_status))) EXECUTE FUNCTION tell_of_run_end();
--> statement-breakpoint
CREATE TRIGGER executions_deleted AFTER DELETE ON executions FOR EACH ROW WHEN ((old.status = 'running'::execution_status)) EXECUTE FUNCTION stop_run();
--> statement-breakpoint
CREATE TRIGGER executions_deleted_unended AFTER DELETE ON executions FOR EACH ROW WHEN (((old.subscribers IS NOT NULL) AND (old.status = 'running'::execution_status))) EXECUTE FUNCTION tell_of_run_end();
--> statement-breakpoint
CREATE TRIGGER executions_ended AFTER UPDATE OF status ON executions FOR EACH ROW WHEN (((new.subscribers IS NOT NULL) AND (new.status <> 'running'::execution_status) AND ((new.status IS DISTINCT FROM old.status) OR (new.attempt IS DISTINCT FROM old.attempt)))) EXECUTE FUNCTION tell_of_run_end();
--> statement-breakpoint
CREATE TRIGGER executions_prompt_deleted BEFORE UPDATE OF prompt_id ON executions FOR EACH ROW WHEN (((old.status = 'running'::execution_status) AND (old.prompt_id IS NOT NULL) AND (new.prompt_id IS NULL))) EXECUTE FUNCTION stop_run();
--> statement-breakpoint
CREATE TRIGGER note_usage_insert AFTER INSERT ON executions FOR EACH ROW WHEN (((new.kind = 'chain'::execution_kind) AND (new.status <> 'running'::execution_status))) EXECUTE FUNCTION note_chain_usage();
--> statement-breakpoint
CREATE TRIGGER note_usage_update AFTER UPDATE ON executions FOR EACH ROW WHEN (((new.kind = 'chain'::execution_kind) AND (old.status = 'running'::execution_status) AND (new.status <> 'running'::execution_status))) EXECUTE FUNCTION note_chain_usage();
--> statement-breakpoint
CREATE TRIGGER count_delete AFTER DELETE ON files REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_files_delete();
--> statement-breakpoint
CREATE TRIGGER count_insert AFTER INSERT ON files REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_files_insert();
--> statement-breakpoint
CREATE TRIGGER count_update AFTER UPDATE ON files REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_files_update();
--> statement-breakpoint
CREATE TRIGGER count_delete AFTER DELETE ON imports REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_imports_delete();
--> statement-breakpoint
CREATE TRIGGER count_insert AFTER INSERT ON imports REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_imports_insert();
--> statement-breakpoint
CREATE TRIGGER jobs_added AFTER INSERT ON jobs FOR EACH STATEMENT EXECUTE FUNCTION tell_of_jobs();
--> statement-breakpoint
CREATE TRIGGER tell AFTER INSERT OR DELETE OR UPDATE ON model_lists FOR EACH ROW EXECUTE FUNCTION tell_models_changed();
--> statement-breakpoint
CREATE TRIGGER tell AFTER INSERT OR DELETE OR UPDATE ON model_prices FOR EACH ROW EXECUTE FUNCTION tell_models_changed();
--> statement-breakpoint
CREATE TRIGGER tell AFTER INSERT OR DELETE OR UPDATE ON model_providers FOR EACH ROW EXECUTE FUNCTION tell_models_changed();
--> statement-breakpoint
CREATE TRIGGER tell AFTER INSERT OR DELETE OR UPDATE ON models FOR EACH ROW EXECUTE FUNCTION tell_models_changed();
--> statement-breakpoint
CREATE TRIGGER tell_delete AFTER DELETE ON prompt_acceptances REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('prompts', 'prompt_id');
--> statement-breakpoint
CREATE TRIGGER tell_insert AFTER INSERT ON prompt_acceptances REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('prompts', 'prompt_id');
--> statement-breakpoint
CREATE TRIGGER tell_delete AFTER DELETE ON prompt_aliases REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('prompts', 'prompt_id');
--> statement-breakpoint
CREATE TRIGGER tell_update AFTER UPDATE ON prompt_aliases REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('prompts', 'prompt_id');
--> statement-breakpoint
CREATE TRIGGER tell_delete AFTER DELETE ON prompt_labels REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('prompts', 'prompt_id');
--> statement-breakpoint
CREATE TRIGGER tell_insert AFTER INSERT ON prompt_labels REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('prompts', 'prompt_id');
--> statement-breakpoint
CREATE TRIGGER tell_update AFTER UPDATE ON prompt_labels REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('prompts', 'prompt_id');
--> statement-breakpoint
CREATE TRIGGER tell_delete AFTER DELETE ON prompt_shares REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('prompts', 'prompt_id');
--> statement-breakpoint
CREATE TRIGGER tell_insert AFTER INSERT ON prompt_shares REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('prompts', 'prompt_id');
--> statement-breakpoint
CREATE TRIGGER tell_update AFTER UPDATE ON prompt_shares REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('prompts', 'prompt_id');
--> statement-breakpoint
CREATE TRIGGER tell_delete AFTER DELETE ON prompt_skills REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('prompts', 'prompt_id');
--> statement-breakpoint
CREATE TRIGGER tell_insert AFTER INSERT ON prompt_skills REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('prompts', 'prompt_id');
--> statement-breakpoint
CREATE TRIGGER tell_update AFTER UPDATE ON prompt_skills REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('prompts', 'prompt_id');
--> statement-breakpoint
CREATE TRIGGER tell_delete AFTER DELETE ON prompt_tags REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('prompts', 'prompt_id');
--> statement-breakpoint
CREATE TRIGGER tell_insert AFTER INSERT ON prompt_tags REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('prompts', 'prompt_id');
--> statement-breakpoint
CREATE TRIGGER tell_update AFTER UPDATE ON prompt_tags REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('prompts', 'prompt_id');
--> statement-breakpoint
CREATE TRIGGER count_delete AFTER DELETE ON prompt_versions REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_prompt_versions_delete();
--> statement-breakpoint
CREATE TRIGGER count_insert AFTER INSERT ON prompt_versions REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_prompt_versions_insert();
--> statement-breakpoint
CREATE TRIGGER count_update AFTER UPDATE ON prompt_versions REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_prompt_versions_update();
--> statement-breakpoint
CREATE TRIGGER tell_delete AFTER DELETE ON prompt_versions REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('prompts', 'prompt_id');
--> statement-breakpoint
CREATE TRIGGER count_delete AFTER DELETE ON prompts REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_prompts_delete();
--> statement-breakpoint
CREATE TRIGGER count_insert AFTER INSERT ON prompts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_prompts_insert();
--> statement-breakpoint
CREATE TRIGGER count_update AFTER UPDATE ON prompts REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_prompts_update();
--> statement-breakpoint
CREATE TRIGGER count_versions_gone BEFORE DELETE ON prompts FOR EACH ROW EXECUTE FUNCTION count_versions_gone();
--> statement-breakpoint
CREATE TRIGGER set_slug BEFORE INSERT ON prompts FOR EACH ROW EXECUTE FUNCTION set_prompt_slug();
--> statement-breakpoint
CREATE TRIGGER tally_added AFTER INSERT ON prompts REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION tally_prompts();
--> statement-breakpoint
CREATE TRIGGER tally_changed AFTER UPDATE ON prompts REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION tally_prompts();
--> statement-breakpoint
CREATE TRIGGER tally_gone AFTER DELETE ON prompts REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION tally_prompts();
--> statement-breakpoint
CREATE TRIGGER tell_delete AFTER DELETE ON prompts REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('prompts', 'id');
--> statement-breakpoint
CREATE TRIGGER tell_update AFTER UPDATE ON prompts REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('prompts', 'id');
--> statement-breakpoint
CREATE TRIGGER tell_delete AFTER DELETE ON sessions REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('sessions', 'id');
--> statement-breakpoint
CREATE TRIGGER tell_update AFTER UPDATE ON sessions REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('sessions', 'id');
--> statement-breakpoint
CREATE TRIGGER count_delete AFTER DELETE ON tags REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_tags_delete();
--> statement-breakpoint
CREATE TRIGGER count_insert AFTER INSERT ON tags REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_tags_insert();
--> statement-breakpoint
CREATE TRIGGER count_update AFTER UPDATE ON tags REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_tags_update();
--> statement-breakpoint
CREATE TRIGGER tally_names AFTER INSERT OR DELETE OR UPDATE ON tags FOR EACH STATEMENT EXECUTE FUNCTION tally_names();
--> statement-breakpoint
CREATE TRIGGER tell_delete AFTER DELETE ON tags REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('tags', 'id');
--> statement-breakpoint
CREATE TRIGGER tell_update AFTER UPDATE ON tags REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('tags', 'id');
--> statement-breakpoint
CREATE TRIGGER count_delete AFTER DELETE ON test_cases REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_test_cases_delete();
--> statement-breakpoint
CREATE TRIGGER count_insert AFTER INSERT ON test_cases REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_test_cases_insert();
--> statement-breakpoint
CREATE TRIGGER count_update AFTER UPDATE ON test_cases REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_test_cases_update();
--> statement-breakpoint
CREATE TRIGGER count_delete AFTER DELETE ON test_suites REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_test_suites_delete();
--> statement-breakpoint
CREATE TRIGGER count_insert AFTER INSERT ON test_suites REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_test_suites_insert();
--> statement-breakpoint
CREATE TRIGGER count_update AFTER UPDATE ON test_suites REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_test_suites_update();
--> statement-breakpoint
CREATE TRIGGER refuse_over_quota AFTER UPDATE ON usages FOR EACH ROW EXECUTE FUNCTION refuse_over_quota();
--> statement-breakpoint
CREATE TRIGGER begin_usage AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION begin_usage();
--> statement-breakpoint
CREATE TRIGGER end_usage AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION end_usage();
--> statement-breakpoint
CREATE TRIGGER tally_names AFTER DELETE OR UPDATE OF display_username ON users FOR EACH STATEMENT EXECUTE FUNCTION tally_names();
--> statement-breakpoint
CREATE TRIGGER tell_delete AFTER DELETE ON users REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('users', 'id');
--> statement-breakpoint
CREATE TRIGGER tell_update AFTER UPDATE ON users REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('users', 'id');
--> statement-breakpoint
CREATE TRIGGER count_delete AFTER DELETE ON variables REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_variables_delete();
--> statement-breakpoint
CREATE TRIGGER count_insert AFTER INSERT ON variables REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_variables_insert();
--> statement-breakpoint
CREATE TRIGGER count_update AFTER UPDATE ON variables REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_variables_update();
--> statement-breakpoint
CREATE TRIGGER tell_delete AFTER DELETE ON variables REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('variables', 'id');
--> statement-breakpoint
CREATE TRIGGER tell_insert AFTER INSERT ON variables REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('variables', 'id');
--> statement-breakpoint
CREATE TRIGGER tell_update AFTER UPDATE ON variables REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('variables', 'id');
--> statement-breakpoint
CREATE TRIGGER tell_delete AFTER DELETE ON webhooks REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('webhooks', 'id');
--> statement-breakpoint
CREATE TRIGGER tell_insert AFTER INSERT ON webhooks REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('webhooks', 'id');
--> statement-breakpoint
CREATE TRIGGER tell_update AFTER UPDATE ON webhooks REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('webhooks', 'id');
--> statement-breakpoint
ALTER TABLE api_token_chains ENABLE ALWAYS TRIGGER tell_delete;
--> statement-breakpoint
ALTER TABLE api_token_chains ENABLE ALWAYS TRIGGER tell_insert;
--> statement-breakpoint
ALTER TABLE api_token_chains ENABLE ALWAYS TRIGGER tell_update;
--> statement-breakpoint
ALTER TABLE api_token_prompts ENABLE ALWAYS TRIGGER tell_delete;
--> statement-breakpoint
ALTER TABLE api_token_prompts ENABLE ALWAYS TRIGGER tell_insert;
--> statement-breakpoint
ALTER TABLE api_token_prompts ENABLE ALWAYS TRIGGER tell_update;
--> statement-breakpoint
ALTER TABLE api_tokens ENABLE ALWAYS TRIGGER tell_delete;
--> statement-breakpoint
ALTER TABLE api_tokens ENABLE ALWAYS TRIGGER tell_update;
--> statement-breakpoint
ALTER TABLE categories ENABLE ALWAYS TRIGGER tell_delete;
--> statement-breakpoint
ALTER TABLE categories ENABLE ALWAYS TRIGGER tell_update;
--> statement-breakpoint
ALTER TABLE chain_acceptances ENABLE ALWAYS TRIGGER tell_delete;
--> statement-breakpoint
ALTER TABLE chain_acceptances ENABLE ALWAYS TRIGGER tell_insert;
--> statement-breakpoint
ALTER TABLE chain_labels ENABLE ALWAYS TRIGGER tell_delete;
--> statement-breakpoint
ALTER TABLE chain_labels ENABLE ALWAYS TRIGGER tell_insert;
--> statement-breakpoint
ALTER TABLE chain_labels ENABLE ALWAYS TRIGGER tell_update;
--> statement-breakpoint
ALTER TABLE chain_shares ENABLE ALWAYS TRIGGER tell_delete;
--> statement-breakpoint
ALTER TABLE chain_shares ENABLE ALWAYS TRIGGER tell_insert;
--> statement-breakpoint
ALTER TABLE chain_shares ENABLE ALWAYS TRIGGER tell_update;
--> statement-breakpoint
ALTER TABLE chain_steps ENABLE ALWAYS TRIGGER tell_delete;
--> statement-breakpoint
ALTER TABLE chain_steps ENABLE ALWAYS TRIGGER tell_insert;
--> statement-breakpoint
ALTER TABLE chain_steps ENABLE ALWAYS TRIGGER tell_update;
--> statement-breakpoint
ALTER TABLE chain_versions ENABLE ALWAYS TRIGGER tell_delete;
--> statement-breakpoint
ALTER TABLE chains ENABLE ALWAYS TRIGGER tell_delete;
--> statement-breakpoint
ALTER TABLE chains ENABLE ALWAYS TRIGGER tell_update;
--> statement-breakpoint
ALTER TABLE model_lists ENABLE ALWAYS TRIGGER tell;
--> statement-breakpoint
ALTER TABLE model_prices ENABLE ALWAYS TRIGGER tell;
--> statement-breakpoint
ALTER TABLE model_providers ENABLE ALWAYS TRIGGER tell;
--> statement-breakpoint
ALTER TABLE models ENABLE ALWAYS TRIGGER tell;
--> statement-breakpoint
ALTER TABLE prompt_acceptances ENABLE ALWAYS TRIGGER tell_delete;
--> statement-breakpoint
ALTER TABLE prompt_acceptances ENABLE ALWAYS TRIGGER tell_insert;
--> statement-breakpoint
ALTER TABLE prompt_aliases ENABLE ALWAYS TRIGGER tell_delete;
--> statement-breakpoint
ALTER TABLE prompt_aliases ENABLE ALWAYS TRIGGER tell_update;
--> statement-breakpoint
ALTER TABLE prompt_labels ENABLE ALWAYS TRIGGER tell_delete;
--> statement-breakpoint
ALTER TABLE prompt_labels ENABLE ALWAYS TRIGGER tell_insert;
--> statement-breakpoint
ALTER TABLE prompt_labels ENABLE ALWAYS TRIGGER tell_update;
--> statement-breakpoint
ALTER TABLE prompt_shares ENABLE ALWAYS TRIGGER tell_delete;
--> statement-breakpoint
ALTER TABLE prompt_shares ENABLE ALWAYS TRIGGER tell_insert;
--> statement-breakpoint
ALTER TABLE prompt_shares ENABLE ALWAYS TRIGGER tell_update;
--> statement-breakpoint
ALTER TABLE prompt_skills ENABLE ALWAYS TRIGGER tell_delete;
--> statement-breakpoint
ALTER TABLE prompt_skills ENABLE ALWAYS TRIGGER tell_insert;
--> statement-breakpoint
ALTER TABLE prompt_skills ENABLE ALWAYS TRIGGER tell_update;
--> statement-breakpoint
ALTER TABLE prompt_tags ENABLE ALWAYS TRIGGER tell_delete;
--> statement-breakpoint
ALTER TABLE prompt_tags ENABLE ALWAYS TRIGGER tell_insert;
--> statement-breakpoint
ALTER TABLE prompt_tags ENABLE ALWAYS TRIGGER tell_update;
--> statement-breakpoint
ALTER TABLE prompt_versions ENABLE ALWAYS TRIGGER tell_delete;
--> statement-breakpoint
ALTER TABLE prompts ENABLE ALWAYS TRIGGER tell_delete;
--> statement-breakpoint
ALTER TABLE prompts ENABLE ALWAYS TRIGGER tell_update;
--> statement-breakpoint
ALTER TABLE sessions ENABLE ALWAYS TRIGGER tell_delete;
--> statement-breakpoint
ALTER TABLE sessions ENABLE ALWAYS TRIGGER tell_update;
--> statement-breakpoint
ALTER TABLE tags ENABLE ALWAYS TRIGGER tell_delete;
--> statement-breakpoint
ALTER TABLE tags ENABLE ALWAYS TRIGGER tell_update;
--> statement-breakpoint
ALTER TABLE users ENABLE ALWAYS TRIGGER tell_delete;
--> statement-breakpoint
ALTER TABLE users ENABLE ALWAYS TRIGGER tell_update;
--> statement-breakpoint
ALTER TABLE variables ENABLE ALWAYS TRIGGER tell_delete;
--> statement-breakpoint
ALTER TABLE variables ENABLE ALWAYS TRIGGER tell_insert;
--> statement-breakpoint
ALTER TABLE variables ENABLE ALWAYS TRIGGER tell_update;
--> statement-breakpoint
ALTER TABLE webhooks ENABLE ALWAYS TRIGGER tell_delete;
--> statement-breakpoint
ALTER TABLE webhooks ENABLE ALWAYS TRIGGER tell_insert;
--> statement-breakpoint
ALTER TABLE webhooks ENABLE ALWAYS TRIGGER tell_update;
