CREATE TABLE "views" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "views_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"owner_id" integer NOT NULL,
	"page" text NOT NULL,
	"name" text NOT NULL,
	"name_key" text NOT NULL,
	"query" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "usages" ADD COLUMN "views" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "views" ADD CONSTRAINT "views_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "views_name_key" ON "views" USING btree ("owner_id","page","name_key");--> statement-breakpoint
-- Counts what each person keeps of them. What goes is taken off first: an exchange is no more than what comes.
CREATE FUNCTION count_views() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP <> 'INSERT' THEN
		UPDATE usages SET views = views - n, text = text - bytes
		FROM (SELECT owner_id, count(*) AS n, sum(octet_length(name) + octet_length(query)) AS bytes FROM removed GROUP BY owner_id) AS gone
		WHERE user_id = owner_id;
	END IF;
	IF TG_OP <> 'DELETE' THEN
		UPDATE usages SET views = views + n, text = text + bytes
		FROM (SELECT owner_id, count(*) AS n, sum(octet_length(name) + octet_length(query)) AS bytes FROM added GROUP BY owner_id) AS new
		WHERE user_id = owner_id;
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER count_insert AFTER INSERT ON views REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_views();--> statement-breakpoint
CREATE TRIGGER count_update AFTER UPDATE ON views REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_views();--> statement-breakpoint
CREATE TRIGGER count_delete AFTER DELETE ON views REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_views();
