CREATE TABLE "activity" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "activity_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"person_id" integer,
	"kind" text collate "C" NOT NULL,
	"object_type" text NOT NULL,
	"object_id" integer,
	"owner_id" integer,
	"door" text,
	"address" text,
	"before" jsonb,
	"after" jsonb,
	"count" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "activity_links" (
	"number" integer PRIMARY KEY NOT NULL,
	"activity_id" integer NOT NULL,
	"day" text collate "C" NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "activity_at" ON "activity" USING btree ("at");--> statement-breakpoint
CREATE INDEX "activity_person" ON "activity" USING btree ("person_id","id");--> statement-breakpoint
CREATE INDEX "activity_owner" ON "activity" USING btree ("owner_id","id");--> statement-breakpoint
CREATE INDEX "activity_object" ON "activity" USING btree ("object_type","object_id","id");--> statement-breakpoint
CREATE INDEX "activity_kind" ON "activity" USING btree ("kind","id");--> statement-breakpoint
CREATE UNIQUE INDEX "activity_links_activity" ON "activity_links" USING btree ("activity_id");--> statement-breakpoint
CREATE INDEX "activity_links_day" ON "activity_links" USING btree ("day");--> statement-breakpoint
-- What the version before calls an object, and what the activity calls it.
CREATE FUNCTION activity_object_of(action text, object_type text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT CASE
		WHEN object_type = 'user' THEN 'account'
		WHEN object_type = 'api_token' THEN 'token'
		WHEN object_type = 'execution' THEN 'run'
		WHEN object_type IN ('prompt tag', 'chain tag', 'variable tag') THEN 'tag'
		WHEN object_type IS NOT NULL THEN object_type
		WHEN action LIKE 'backup.%' THEN 'backup'
		ELSE 'instance'
	END
$$;--> statement-breakpoint
-- Of the details of an event what the activity has: fields of settings, as they were before and after.
CREATE FUNCTION activity_fields_of(details jsonb, names text[]) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
	SELECT jsonb_object_agg(key, value) FROM jsonb_each(CASE jsonb_typeof(details) WHEN 'object' THEN details END)
	WHERE key = ANY (names)
$$;--> statement-breakpoint
-- An event of the version before as a row of the activity. It says of no door.
CREATE FUNCTION write_audit_event(event audit_events) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	object text := activity_object_of(event.action, event.object_type);
	before jsonb;
	after jsonb;
BEGIN
	CASE
		WHEN event.action = 'account.role_changed' THEN
			before := jsonb_strip_nulls(jsonb_build_object('role', event.details -> 'from'));
			after := jsonb_strip_nulls(jsonb_build_object('role', event.details -> 'to'));
		WHEN event.action = 'account.quotas_changed' THEN
			after := jsonb_build_object('quotas', event.details);
		WHEN event.action = 'instance.debug_mode_set' THEN
			after := jsonb_strip_nulls(jsonb_build_object('debugMode', event.details -> 'enabled'));
		WHEN event.action IN ('label.protected', 'label.unprotected') THEN
			after := activity_fields_of(event.details, '{label,needsSuite,whoMayMove}');
		ELSE
			after := activity_fields_of(event.details,
				'{role,paused,runDays,textDays,keyHours,modelIds,providerId,isEnabled,isForEveryone,monthlyLimitUsd,hasKey,allowsPrivateAddress}');
	END CASE;
	INSERT INTO activity (at, person_id, kind, object_type, object_id, owner_id, before, after) VALUES (
		event.created_at, event.actor_id, event.action, object, event.object_id,
		CASE object
			WHEN 'account' THEN event.object_id
			WHEN 'token' THEN event.actor_id
			WHEN 'prompt' THEN (SELECT owner_id FROM prompts WHERE id = event.object_id)
			WHEN 'chain' THEN (SELECT owner_id FROM chains WHERE id = event.object_id)
			WHEN 'run' THEN (SELECT user_id FROM executions WHERE id = event.object_id)
		END,
		nullif(before, '{}'), nullif(after, '{}'));
END $$;--> statement-breakpoint
SELECT write_audit_event(event) FROM (SELECT event FROM audit_events AS event ORDER BY id) AS ordered;--> statement-breakpoint
DELETE FROM audit_events;--> statement-breakpoint
CREATE FUNCTION carry_audit_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM write_audit_event(NEW);
	RETURN NULL;
END $$;--> statement-breakpoint
-- The version before goes on for a while beside this one, and writes here.
CREATE TRIGGER carry_audit_event BEFORE INSERT ON audit_events FOR EACH ROW EXECUTE FUNCTION carry_audit_event();--> statement-breakpoint
-- Whole days that are past their time are deleted by who says so for the transaction.
CREATE FUNCTION refuse_activity_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' AND current_setting('catenary.ended_days', true) = 'deleted' THEN
		RETURN NULL;
	END IF;
	RAISE EXCEPTION 'Rows of % are neither changed nor deleted', TG_TABLE_NAME;
END $$;--> statement-breakpoint
CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON activity FOR EACH STATEMENT EXECUTE FUNCTION refuse_activity_change();--> statement-breakpoint
CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON activity_links FOR EACH STATEMENT EXECUTE FUNCTION refuse_activity_change();
