CREATE TABLE "backups" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text,
	"taken_at" timestamp (3) with time zone NOT NULL,
	"reason" text NOT NULL,
	"state" text NOT NULL,
	"bytes" bigint,
	"program" text NOT NULL,
	"schema" integer,
	"rows" bigint,
	"problem" text,
	"drill" jsonb,
	CONSTRAINT "backups_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE INDEX "backups_taken" ON "backups" USING btree ("taken_at");