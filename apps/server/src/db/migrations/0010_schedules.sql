CREATE TABLE "mail_consents" (
	"user_id" integer NOT NULL,
	"address" text NOT NULL,
	"state" text NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mail_consents_user_id_address_pk" PRIMARY KEY("user_id","address")
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
ALTER TABLE "scheduled_occurrences" DROP CONSTRAINT "scheduled_occurrences_execution_id_executions_id_fk";
--> statement-breakpoint
DROP INDEX "scheduled_occurrences_due";--> statement-breakpoint
DROP INDEX "scheduled_occurrences_execution";--> statement-breakpoint
DROP INDEX "scheduled_runs_due";--> statement-breakpoint
ALTER TABLE "scheduled_runs" ALTER COLUMN "name" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "scheduled_runs" ALTER COLUMN "time_zone" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "scheduled_runs" ALTER COLUMN "recurring_type" SET DATA TYPE text;--> statement-breakpoint
ALTER TABLE "scheduled_occurrences" ADD COLUMN "is_manual" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "scheduled_occurrences" ADD COLUMN "state" text NOT NULL;--> statement-breakpoint
ALTER TABLE "scheduled_occurrences" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "scheduled_occurrences" ADD COLUMN "started_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "scheduled_occurrences" ADD COLUMN "ended_attempt" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "scheduled_runs" ADD COLUMN "input" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "scheduled_runs" ADD COLUMN "cron" text;--> statement-breakpoint
ALTER TABLE "scheduled_runs" ADD COLUMN "mails_skipped" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "scheduled_runs" ADD COLUMN "failures_before_pause" integer;--> statement-breakpoint
ALTER TABLE "scheduled_runs" ADD COLUMN "failures_in_row" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "scheduled_runs" ADD COLUMN "paused_reason" text;--> statement-breakpoint
ALTER TABLE "mail_consents" ADD CONSTRAINT "mail_consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_recipients" ADD CONSTRAINT "mail_recipients_mail_id_mails_id_fk" FOREIGN KEY ("mail_id") REFERENCES "public"."mails"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_occurrence_id_scheduled_occurrences_id_fk" FOREIGN KEY ("occurrence_id") REFERENCES "public"."scheduled_occurrences"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mail_recipients_status" ON "mail_recipients" USING btree ("status","queued_at");--> statement-breakpoint
CREATE INDEX "mails_occurrence" ON "mails" USING btree ("occurrence_id");--> statement-breakpoint
CREATE INDEX "mails_user" ON "mails" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "scheduled_occurrences_under_way" ON "scheduled_occurrences" USING btree ("scheduled_run_id") WHERE "scheduled_occurrences"."state" in ('pending', 'running');--> statement-breakpoint
CREATE INDEX "scheduled_occurrences_created" ON "scheduled_occurrences" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "scheduled_runs_creator" ON "scheduled_runs" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "scheduled_runs_due" ON "scheduled_runs" USING btree ("next_due_at") WHERE "scheduled_runs"."active";--> statement-breakpoint
ALTER TABLE "scheduled_occurrences" DROP COLUMN "status";--> statement-breakpoint
ALTER TABLE "scheduled_occurrences" DROP COLUMN "email_status";--> statement-breakpoint
ALTER TABLE "scheduled_runs" DROP COLUMN "status";--> statement-breakpoint
ALTER TABLE "scheduled_runs" DROP COLUMN "email_status";--> statement-breakpoint
ALTER TABLE "scheduled_runs" DROP COLUMN "email_error";--> statement-breakpoint
ALTER TABLE "scheduled_runs" DROP COLUMN "last_run_at";--> statement-breakpoint
ALTER TABLE "scheduled_occurrences" ADD CONSTRAINT "scheduled_occurrences_due" UNIQUE("scheduled_run_id","due_at");--> statement-breakpoint
DROP TYPE "public"."email_status";--> statement-breakpoint
DROP TYPE "public"."occurrence_status";--> statement-breakpoint
DROP TYPE "public"."recurring_type";--> statement-breakpoint
DROP TYPE "public"."scheduled_run_status";