ALTER TYPE "public"."variable_type" ADD VALUE 'image';--> statement-breakpoint
ALTER TYPE "public"."variable_type" ADD VALUE 'document';--> statement-breakpoint
CREATE TABLE "file_bytes" (
	"file_id" integer PRIMARY KEY NOT NULL,
	"bytes" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "files" ALTER COLUMN "content" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "media_type" text;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "file_name" text;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "width" integer;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "height" integer;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "bytes" integer;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "sha256" text;--> statement-breakpoint
ALTER TABLE "file_bytes" ADD CONSTRAINT "file_bytes_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "execution_steps_attachments" ON "execution_steps" USING gin ("attachments" jsonb_path_ops) WHERE "execution_steps"."attachments" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "files_owner_picture" ON "files" USING btree ("owner_id","sha256","file_name") WHERE "files"."sha256" is not null;--> statement-breakpoint
-- They are packed already: compressing them once more would take time for nothing.
ALTER TABLE "file_bytes" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;--> statement-breakpoint
-- As 0014 counts files, with the bytes of images and PDFs.
DO $$
DECLARE
	event text;
	plus text := 'SELECT owner_id, 1, octet_length(content) + coalesce(bytes, 0) FROM added';
	minus text := 'SELECT owner_id, -1, -(octet_length(content) + coalesce(bytes, 0)) FROM removed';
BEGIN
	FOREACH event IN ARRAY '{insert,update,delete}'::text[] LOOP
		EXECUTE format(
			'CREATE OR REPLACE FUNCTION %I() RETURNS trigger LANGUAGE plpgsql AS $count$ BEGIN
			UPDATE usages SET files = files + n, uploads = uploads + bytes
			FROM (SELECT person, sum(n) AS n, sum(bytes) AS bytes FROM (%s) AS written (person, n, bytes) GROUP BY person) AS change
			WHERE user_id = person AND (n <> 0 OR bytes <> 0);
			RETURN NULL; END $count$',
			'count_files_' || event,
			CASE event WHEN 'insert' THEN plus WHEN 'delete' THEN minus ELSE plus || ' UNION ALL ' || minus END);
	END LOOP;
END $$;
