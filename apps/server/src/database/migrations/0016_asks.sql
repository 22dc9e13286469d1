CREATE TABLE "asks" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "asks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"execution_id" integer NOT NULL,
	"attempt" integer NOT NULL,
	"position" integer NOT NULL,
	"title" text NOT NULL,
	"user_id" integer NOT NULL,
	"chain_id" integer NOT NULL,
	"question" text NOT NULL,
	"text" text NOT NULL,
	"editable" boolean NOT NULL,
	"people" integer[] NOT NULL,
	"groups" integer[] NOT NULL,
	"role" text,
	"asked" jsonb NOT NULL,
	"not_the_runner" boolean NOT NULL,
	"choices" jsonb NOT NULL,
	"on_deadline" text NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deadline" timestamp (3) with time zone NOT NULL,
	"decision" text,
	"given_text" text,
	"reason" text,
	"input" jsonb NOT NULL,
	"answered_by" integer,
	"closed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "run_sends" (
	"user_id" integer NOT NULL,
	"chain_id" integer NOT NULL,
	"destinations" text[] NOT NULL,
	"confirmed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "run_sends_user_id_chain_id_pk" PRIMARY KEY("user_id","chain_id")
);
--> statement-breakpoint
-- safe beside the version before: the index is there again in this migration, of its name, and refuses less
DROP INDEX "scheduled_occurrences_under_way";--> statement-breakpoint
ALTER TABLE "executions" ADD COLUMN "waiting_for" jsonb;--> statement-breakpoint
ALTER TABLE "executions" ADD COLUMN "would_leave" jsonb;--> statement-breakpoint
ALTER TABLE "scheduled_occurrences" ADD COLUMN "waits" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "test_cases" ADD COLUMN "given" jsonb;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "notifications" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "asks" ADD CONSTRAINT "asks_execution_id_executions_id_fk" FOREIGN KEY ("execution_id") REFERENCES "public"."executions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asks" ADD CONSTRAINT "asks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asks" ADD CONSTRAINT "asks_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asks" ADD CONSTRAINT "asks_answered_by_users_id_fk" FOREIGN KEY ("answered_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_sends" ADD CONSTRAINT "run_sends_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_sends" ADD CONSTRAINT "run_sends_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "asks_run" ON "asks" USING btree ("execution_id");--> statement-breakpoint
CREATE INDEX "asks_open" ON "asks" USING btree ("chain_id") WHERE "asks"."status" = 'open';--> statement-breakpoint
CREATE INDEX "asks_chain" ON "asks" USING btree ("chain_id") WHERE "asks"."role" is not null;--> statement-breakpoint
CREATE INDEX "asks_user" ON "asks" USING btree ("user_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "asks_people" ON "asks" USING gin ("people");--> statement-breakpoint
CREATE INDEX "asks_groups" ON "asks" USING gin ("groups");--> statement-breakpoint
CREATE INDEX "asks_answered_by" ON "asks" USING btree ("answered_by");--> statement-breakpoint
CREATE INDEX "run_sends_chain" ON "run_sends" USING btree ("chain_id");--> statement-breakpoint
CREATE INDEX "scheduled_occurrences_waiting" ON "scheduled_occurrences" USING btree ("scheduled_run_id") WHERE "scheduled_occurrences"."waits" and "scheduled_occurrences"."state" = 'running';--> statement-breakpoint
-- safe beside the version before: it refuses less than the one of its name did
CREATE UNIQUE INDEX "scheduled_occurrences_under_way" ON "scheduled_occurrences" USING btree ("scheduled_run_id") WHERE "scheduled_occurrences"."state" in ('pending', 'running') and not "scheduled_occurrences"."waits";--> statement-breakpoint
-- As before, and the text of what a step asks people.
CREATE OR REPLACE FUNCTION step_texts(texts text, settings json)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
DECLARE
	asked json := settings -> 'onlyIf';
	ends text := settings -> 'stop' ->> 'text';
	shown text := settings -> 'ask' ->> 'text';
	list text := settings -> 'forEach' ->> 'list';
	own text[] := CASE WHEN list IS NULL THEN '{}' ELSE ARRAY[settings -> 'forEach' ->> 'as', 'index'] END;
BEGIN
	IF asked IS NULL AND ends IS NULL AND shown IS NULL AND list IS NULL THEN RETURN texts; END IF;
	RETURN concat_ws(chr(10), texts, ends, shown,
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
--> statement-breakpoint
-- A scheduled run that comes to wait for a person holds up no other of its schedule.
CREATE FUNCTION note_waiting_occurrence() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE scheduled_occurrences SET waits = true
	WHERE id = (NEW.subscribers ->> 'schedules')::integer AND NOT waits;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER executions_waiting AFTER UPDATE OF waiting_for ON executions FOR EACH ROW
	WHEN (NEW.waiting_for IS NOT NULL AND OLD.waiting_for IS NULL AND NEW.trigger = 'schedule')
	EXECUTE FUNCTION note_waiting_occurrence();
--> statement-breakpoint
-- Whoever loses sight of a chain may have been the last who could answer. One job a transaction: one under way may have looked before.
CREATE FUNCTION look_for_lost_asks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (SELECT FROM asks WHERE status = 'open') THEN
		INSERT INTO jobs (queue, key) VALUES ('lost-asks', pg_current_xact_id()::text) ON CONFLICT DO NOTHING;
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER lost_asks AFTER DELETE OR UPDATE ON chain_shares FOR EACH STATEMENT EXECUTE FUNCTION look_for_lost_asks();--> statement-breakpoint
CREATE TRIGGER lost_asks AFTER DELETE OR UPDATE ON chain_group_shares FOR EACH STATEMENT EXECUTE FUNCTION look_for_lost_asks();--> statement-breakpoint
CREATE TRIGGER lost_asks AFTER DELETE ON group_members FOR EACH STATEMENT EXECUTE FUNCTION look_for_lost_asks();--> statement-breakpoint
CREATE TRIGGER lost_asks AFTER UPDATE OF shared_level, owner_id ON chains FOR EACH ROW
	WHEN (OLD.shared_level IS DISTINCT FROM NEW.shared_level OR OLD.owner_id IS DISTINCT FROM NEW.owner_id)
	EXECUTE FUNCTION look_for_lost_asks();--> statement-breakpoint
CREATE TRIGGER lost_asks AFTER DELETE ON users FOR EACH STATEMENT EXECUTE FUNCTION look_for_lost_asks();--> statement-breakpoint
CREATE TRIGGER lost_asks_disabled AFTER UPDATE OF banned ON users FOR EACH ROW
	WHEN (NEW.banned AND NOT OLD.banned) EXECUTE FUNCTION look_for_lost_asks();
