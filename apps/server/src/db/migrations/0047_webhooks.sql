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
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_newest" ON "webhook_deliveries" USING btree ("webhook_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_waiting" ON "webhook_deliveries" USING btree ("webhook_id","object","id") WHERE "webhook_deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_ended" ON "webhook_deliveries" USING btree ("ended_at") WHERE "webhook_deliveries"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "webhooks_user" ON "webhooks" USING btree ("user_id");--> statement-breakpoint
-- Each process keeps in memory who wants to be told of what.
DO $$
DECLARE
	event text;
BEGIN
	FOREACH event IN ARRAY '{insert,update,delete}'::text[] LOOP
		EXECUTE format(
			'CREATE TRIGGER %I AFTER %s ON webhooks REFERENCING %s TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes(%L, %L)',
			'tell_' || event, event, CASE event WHEN 'insert' THEN 'NEW' ELSE 'OLD' END, 'webhooks', 'id');
		EXECUTE format('ALTER TABLE webhooks ENABLE ALWAYS TRIGGER %I', 'tell_' || event);
	END LOOP;
END $$;
