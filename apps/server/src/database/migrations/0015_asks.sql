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
ALTER TABLE "executions" ADD COLUMN "waiting_for" jsonb;--> statement-breakpoint
ALTER TABLE "executions" ADD COLUMN "would_leave" jsonb;--> statement-breakpoint
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
CREATE INDEX "run_sends_chain" ON "run_sends" USING btree ("chain_id");