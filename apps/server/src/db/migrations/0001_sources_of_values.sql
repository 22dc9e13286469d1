CREATE TABLE "variable_fetches" (
	"variable_id" integer PRIMARY KEY NOT NULL,
	"revision" integer NOT NULL,
	"content" text NOT NULL,
	"fetched_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "execution_steps" ADD COLUMN "input_segments" jsonb;--> statement-breakpoint
ALTER TABLE "variables" ADD COLUMN "cache_seconds" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "variable_fetches" ADD CONSTRAINT "variable_fetches_variable_id_variables_id_fk" FOREIGN KEY ("variable_id") REFERENCES "public"."variables"("id") ON DELETE cascade ON UPDATE no action;