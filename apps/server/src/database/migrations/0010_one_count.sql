ALTER TABLE "usages" ADD COLUMN "webhooks" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- Makes the triggers that count a table's rows and their texts for the people whose they are, once a statement and person.
-- `person` and `bytes` are expressions of a row; what is in another record is its owner's, and goes with it before its rows do.
CREATE FUNCTION count_rows_of(
	kept text,
	counter text DEFAULT NULL,
	bytes text DEFAULT '0',
	bytes_in text DEFAULT 'text',
	person text DEFAULT 'owner_id',
	parent text DEFAULT NULL,
	reference text DEFAULT NULL,
	events text[] DEFAULT '{insert,update,delete}'
)
RETURNS void
LANGUAGE plpgsql
AS $make$
DECLARE
	counts text := concat_ws(', ',
		CASE WHEN counter IS NOT NULL THEN format('%1$I = %1$I + change.n', counter) END,
		CASE WHEN bytes <> '0' THEN format('%1$I = %1$I + change.bytes', bytes_in) END);
	whose text := CASE WHEN parent IS NULL THEN person ELSE format('(SELECT owner_id FROM %1$I WHERE %1$I.id = %2$I)', parent, reference) END;
	added text := format('SELECT %s AS person, 1 AS n, %s AS bytes FROM added', whose, bytes);
	removed text := format('SELECT %s AS person, -1 AS n, -(%s) AS bytes FROM removed', whose, bytes);
	event text;
BEGIN
	FOREACH event IN ARRAY events LOOP
		EXECUTE format($trigger$
			CREATE OR REPLACE FUNCTION %1$I() RETURNS trigger LANGUAGE plpgsql AS $count$
			BEGIN
				UPDATE usages SET %2$s
				FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (%3$s) AS written GROUP BY person) AS change
				WHERE user_id = person AND (change.n <> 0 OR change.bytes <> 0);
				RETURN NULL;
			END $count$;
			CREATE OR REPLACE TRIGGER %4$I AFTER %5$s ON %6$I REFERENCING %7$s FOR EACH STATEMENT EXECUTE FUNCTION %1$I();
		$trigger$,
			format('count_%s_%s', kept, event), counts,
			CASE event WHEN 'insert' THEN added WHEN 'delete' THEN removed ELSE added || ' UNION ALL ' || removed END,
			'count_' || event, event, kept,
			CASE event WHEN 'insert' THEN 'NEW TABLE AS added' WHEN 'delete' THEN 'OLD TABLE AS removed' ELSE 'NEW TABLE AS added OLD TABLE AS removed' END);
	END LOOP;
	IF parent IS NOT NULL THEN
		EXECUTE format($trigger$
			CREATE OR REPLACE FUNCTION %1$I() RETURNS trigger LANGUAGE plpgsql AS $count$
			BEGIN
				UPDATE usages SET %2$s
				FROM (SELECT -count(*) AS n, -sum(%3$s) AS bytes FROM %4$I WHERE %5$I = OLD.id) AS change
				WHERE user_id = OLD.owner_id AND change.n <> 0;
				RETURN OLD;
			END $count$;
			CREATE OR REPLACE TRIGGER %1$I BEFORE DELETE ON %6$I FOR EACH ROW EXECUTE FUNCTION %1$I();
		$trigger$, format('count_%s_gone', kept), counts, bytes, kept, reference, parent);
	END IF;
END $make$;
--> statement-breakpoint
SELECT
	count_rows_of('categories', counter => 'categories', bytes => 'octet_length(name)', person => 'created_by'),
	count_rows_of('tags', counter => 'tags', bytes => 'octet_length(name)', person => 'created_by'),
	count_rows_of('prompts', counter => 'prompts', bytes => 'octet_length(title) + octet_length(content) + coalesce(octet_length(settings::text), 0)'),
	count_rows_of('prompt_versions', parent => 'prompts', reference => 'prompt_id', counter => 'versions',
		bytes => 'octet_length(title) + octet_length(content) + coalesce(octet_length(settings::text), 0)'),
	count_rows_of('chains', counter => 'chains',
		bytes => 'octet_length(name) + octet_length(description) + octet_length(array_to_string(example_requests, ''''))'),
	count_rows_of('chain_steps', parent => 'chains', reference => 'chain_id', counter => 'steps',
		bytes => 'octet_length(title) + octet_length(content) + coalesce(octet_length(system_prompt), 0) + coalesce(octet_length(settings::text), 0)'),
	count_rows_of('chain_versions', parent => 'chains', reference => 'chain_id', counter => 'versions', bytes => 'bytes', events => '{insert,delete}'),
	count_rows_of('variables', counter => 'variables',
		bytes => 'octet_length(name) + octet_length(content) + octet_length(api_url) + coalesce(octet_length(nullif(api_headers, ''{}'')::text), 0)'),
	count_rows_of('files', counter => 'files', bytes => 'octet_length(content) + coalesce(bytes, 0)', bytes_in => 'uploads'),
	count_rows_of('test_suites', counter => 'suites', bytes => 'bytes'),
	count_rows_of('test_cases', counter => 'cases', bytes => 'bytes'),
	count_rows_of('imports', bytes => 'bytes', events => '{insert,delete}'),
	count_rows_of('evaluations', bytes => 'octet_length(cases::text)', person => 'started_by', events => '{insert,delete}'),
	count_rows_of('views', counter => 'views', bytes => 'octet_length(name) + octet_length(query)'),
	count_rows_of('webhooks', counter => 'webhooks', person => 'user_id', events => '{insert,delete}');
--> statement-breakpoint
-- Those that were there before their triggers.
UPDATE usages SET webhooks = n FROM (SELECT user_id AS person, count(*) AS n FROM webhooks GROUP BY user_id) AS kept WHERE user_id = person;
--> statement-breakpoint
DROP TRIGGER count_steps_gone ON chains;
--> statement-breakpoint
DROP TRIGGER count_versions_gone ON prompts;
--> statement-breakpoint
-- safe beside the version before: no trigger calls it
DROP FUNCTION count_steps_gone();
--> statement-breakpoint
-- safe beside the version before: no trigger calls it
DROP FUNCTION count_versions_gone();
--> statement-breakpoint
-- safe beside the version before: no trigger calls it
DROP FUNCTION count_evaluations();
--> statement-breakpoint
-- safe beside the version before: no trigger calls it
DROP FUNCTION count_views();
