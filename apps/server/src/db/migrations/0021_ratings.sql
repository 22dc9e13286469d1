CREATE TYPE "public"."rating_thumb" AS ENUM('up', 'down');--> statement-breakpoint
CREATE TABLE "execution_ratings" (
	"execution_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"thumb" "rating_thumb",
	"note" text DEFAULT '' NOT NULL,
	"rated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "execution_ratings_execution_id_user_id_pk" PRIMARY KEY("execution_id","user_id"),
	CONSTRAINT "execution_ratings_something" CHECK ("execution_ratings"."thumb" is not null or "execution_ratings"."note" <> '')
);
--> statement-breakpoint
ALTER TABLE "execution_ratings" ADD CONSTRAINT "execution_ratings_execution_id_executions_id_fk" FOREIGN KEY ("execution_id") REFERENCES "public"."executions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "execution_ratings" ADD CONSTRAINT "execution_ratings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "execution_ratings_user" ON "execution_ratings" USING btree ("user_id");--> statement-breakpoint
-- A note counts as text of who wrote it; a row at a time, as ratings are written, and none where a run without one is deleted.
CREATE FUNCTION "count_rating"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	bytes integer := coalesce(octet_length(NEW.note), 0) - coalesce(octet_length(OLD.note), 0);
BEGIN
	UPDATE usages SET text = text + bytes WHERE user_id = coalesce(NEW.user_id, OLD.user_id) AND bytes <> 0;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "count_rating" AFTER INSERT OR UPDATE OR DELETE ON "execution_ratings" FOR EACH ROW EXECUTE FUNCTION "count_rating"();
