ALTER TYPE "public"."api_token_kind" ADD VALUE 'folder';--> statement-breakpoint
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
ALTER TABLE "api_tokens" ADD COLUMN "may_write" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "imported_chains" ADD CONSTRAINT "imported_chains_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imported_chains" ADD CONSTRAINT "imported_chains_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imported_suites" ADD CONSTRAINT "imported_suites_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imported_suites" ADD CONSTRAINT "imported_suites_suite_id_test_suites_id_fk" FOREIGN KEY ("suite_id") REFERENCES "public"."test_suites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "imported_chains_import" ON "imported_chains" USING btree ("import_id");--> statement-breakpoint
CREATE INDEX "imported_chains_chain" ON "imported_chains" USING btree ("chain_id");--> statement-breakpoint
CREATE INDEX "imported_suites_import" ON "imported_suites" USING btree ("import_id");--> statement-breakpoint
CREATE INDEX "imported_suites_suite" ON "imported_suites" USING btree ("suite_id");