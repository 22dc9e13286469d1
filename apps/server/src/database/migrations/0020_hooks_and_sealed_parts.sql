ALTER TYPE "public"."api_token_kind" ADD VALUE 'hook';--> statement-breakpoint
CREATE TABLE "allowed_calls" (
	"step_id" integer PRIMARY KEY NOT NULL,
	"call" jsonb NOT NULL,
	"allowed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "step_secrets" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "step_secrets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"step_id" integer NOT NULL,
	"part" text NOT NULL,
	"origin" text NOT NULL,
	"method" text NOT NULL,
	"sealed" text NOT NULL,
	"set_by" integer,
	"set_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "hook_deliveries" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "hook_deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"api_token_id" integer NOT NULL,
	"delivery_id" text,
	"known_as" text,
	"address" text NOT NULL,
	"status" integer NOT NULL,
	"reason" text,
	"execution_id" integer,
	"repeats" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "asks" ADD COLUMN "calls" jsonb;--> statement-breakpoint
ALTER TABLE "asks" ADD COLUMN "unsure" jsonb;--> statement-breakpoint
ALTER TABLE "tool_calls" ADD COLUMN "state" text DEFAULT 'sent' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "signature" jsonb;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "sealed_secret" text;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "delivery_header" text;--> statement-breakpoint
ALTER TABLE "allowed_calls" ADD CONSTRAINT "allowed_calls_step_id_chain_steps_id_fk" FOREIGN KEY ("step_id") REFERENCES "public"."chain_steps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "step_secrets" ADD CONSTRAINT "step_secrets_step_id_chain_steps_id_fk" FOREIGN KEY ("step_id") REFERENCES "public"."chain_steps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "step_secrets" ADD CONSTRAINT "step_secrets_set_by_users_id_fk" FOREIGN KEY ("set_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hook_deliveries" ADD CONSTRAINT "hook_deliveries_api_token_id_api_tokens_id_fk" FOREIGN KEY ("api_token_id") REFERENCES "public"."api_tokens"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "step_secrets_part" ON "step_secrets" USING btree ("step_id","part");--> statement-breakpoint
CREATE INDEX "step_secrets_set_by" ON "step_secrets" USING btree ("set_by");--> statement-breakpoint
CREATE UNIQUE INDEX "hook_deliveries_known" ON "hook_deliveries" USING btree ("api_token_id","known_as");--> statement-breakpoint
CREATE INDEX "hook_deliveries_newest" ON "hook_deliveries" USING btree ("api_token_id","id");--> statement-breakpoint
CREATE INDEX "hook_deliveries_created" ON "hook_deliveries" USING btree ("created_at");