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
ALTER TABLE "users" ADD COLUMN "first_steps_ended_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "examples" ADD CONSTRAINT "examples_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "examples" ADD CONSTRAINT "examples_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "examples" ADD CONSTRAINT "examples_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "examples" ADD CONSTRAINT "examples_variable_id_variables_id_fk" FOREIGN KEY ("variable_id") REFERENCES "public"."variables"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "examples" ADD CONSTRAINT "examples_suite_id_test_suites_id_fk" FOREIGN KEY ("suite_id") REFERENCES "public"."test_suites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "examples_owner" ON "examples" USING btree ("owner_id");--> statement-breakpoint
CREATE UNIQUE INDEX "examples_prompt" ON "examples" USING btree ("prompt_id") WHERE "examples"."prompt_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "examples_chain" ON "examples" USING btree ("chain_id") WHERE "examples"."chain_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "examples_variable" ON "examples" USING btree ("variable_id") WHERE "examples"."variable_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "examples_suite" ON "examples" USING btree ("suite_id") WHERE "examples"."suite_id" is not null;
--> statement-breakpoint
-- Who ran something already needs no first steps.
UPDATE "users" SET "first_steps_ended_at" = now() WHERE EXISTS (SELECT FROM "executions" WHERE "executions"."user_id" = "users"."id");
