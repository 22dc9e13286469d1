CREATE TABLE "mail_questions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mail_questions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"address" text NOT NULL,
	"mailbox" text NOT NULL,
	"is_own" boolean NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"answered_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "mail_questions" ADD CONSTRAINT "mail_questions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mail_questions_mailbox" ON "mail_questions" USING btree ("mailbox","asked_at");--> statement-breakpoint
CREATE INDEX "mail_questions_user" ON "mail_questions" USING btree ("user_id","asked_at");
--> statement-breakpoint
-- Administrators' addresses count as confirmed. Of all others the first start decides, as it knows whether registration is open.
INSERT INTO "mail_consents" ("user_id", "address", "state")
SELECT "id", lower("email"), CASE WHEN "role" = 'admin' THEN 'confirmed' ELSE 'unasked' END FROM "users"
ON CONFLICT DO NOTHING;
