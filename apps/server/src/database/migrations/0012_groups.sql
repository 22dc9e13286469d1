CREATE TABLE "chain_group_shares" (
	"chain_id" integer NOT NULL,
	"group_id" integer NOT NULL,
	"role" "share_role" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chain_group_shares_chain_id_group_id_pk" PRIMARY KEY("chain_id","group_id")
);
--> statement-breakpoint
CREATE TABLE "group_members" (
	"group_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"is_leader" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "group_members_group_id_user_id_pk" PRIMARY KEY("group_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "group_model_lists" (
	"group_id" integer PRIMARY KEY NOT NULL,
	"model_ids" integer[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "groups" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "groups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"name_key" text NOT NULL,
	"made_by" integer,
	"quotas" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "prompt_group_shares" (
	"prompt_id" integer NOT NULL,
	"group_id" integer NOT NULL,
	"role" "share_role" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "prompt_group_shares_prompt_id_group_id_pk" PRIMARY KEY("prompt_id","group_id")
);
--> statement-breakpoint
CREATE TABLE "protected_label_groups" (
	"label" text collate "C" NOT NULL,
	"group_id" integer NOT NULL,
	CONSTRAINT "protected_label_groups_label_group_id_pk" PRIMARY KEY("label","group_id")
);
--> statement-breakpoint
ALTER TABLE "usages" ADD COLUMN "groups" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "chain_group_shares" ADD CONSTRAINT "chain_group_shares_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chain_group_shares" ADD CONSTRAINT "chain_group_shares_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_model_lists" ADD CONSTRAINT "group_model_lists_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "groups" ADD CONSTRAINT "groups_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompt_group_shares" ADD CONSTRAINT "prompt_group_shares_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompt_group_shares" ADD CONSTRAINT "prompt_group_shares_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "protected_label_groups" ADD CONSTRAINT "protected_label_groups_label_protected_labels_label_fk" FOREIGN KEY ("label") REFERENCES "public"."protected_labels"("label") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "protected_label_groups" ADD CONSTRAINT "protected_label_groups_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chain_group_shares_group" ON "chain_group_shares" USING btree ("group_id","chain_id");--> statement-breakpoint
CREATE INDEX "group_members_user" ON "group_members" USING btree ("user_id","group_id");--> statement-breakpoint
CREATE UNIQUE INDEX "groups_name_key" ON "groups" USING btree ("name_key");--> statement-breakpoint
CREATE INDEX "groups_made_by" ON "groups" USING btree ("made_by");--> statement-breakpoint
CREATE INDEX "prompt_group_shares_group" ON "prompt_group_shares" USING btree ("group_id","prompt_id");--> statement-breakpoint
CREATE INDEX "protected_label_groups_group" ON "protected_label_groups" USING btree ("group_id");
--> statement-breakpoint
-- Everyone with an account: the first row of a new table, so 1, as EVERYONE_ID says.
INSERT INTO groups (name, name_key) VALUES ('everyone', 'everyone');
--> statement-breakpoint
SELECT count_rows_of('groups', counter => 'groups', bytes => 'octet_length(name)', person => 'made_by');
--> statement-breakpoint
CREATE TRIGGER note_deleted AFTER DELETE ON groups REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION note_deleted('id', 'created_at');
--> statement-breakpoint
-- Also tells of the people whose rows changed, and of every row, where any may be concerned.
CREATE OR REPLACE FUNCTION tell_row_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
	ids integer[];
	told text;
BEGIN
	CASE TG_ARGV[1]
		WHEN 'id' THEN SELECT array_agg(DISTINCT id) INTO ids FROM changed;
		WHEN 'prompt_id' THEN SELECT array_agg(DISTINCT prompt_id) INTO ids FROM changed;
		WHEN 'chain_id' THEN SELECT array_agg(DISTINCT chain_id) INTO ids FROM changed;
		WHEN 'api_token_id' THEN SELECT array_agg(DISTINCT api_token_id) INTO ids FROM changed;
		WHEN 'user_id' THEN SELECT array_agg(DISTINCT user_id) INTO ids FROM changed;
		WHEN 'any' THEN SELECT array_agg(0) INTO ids FROM changed;
	END CASE;
	IF ids IS NOT NULL THEN
		told := TG_ARGV[0] || ' ' || CASE WHEN TG_ARGV[1] = 'any' OR cardinality(ids) > 100 THEN '*' ELSE array_to_string(ids, ',') END;
		PERFORM pg_notify('catenary_rows', told);
		RAISE INFO 'catenary_rows %', told;
	END IF;
	RETURN NULL;
END $function$;
--> statement-breakpoint
CREATE TRIGGER tell_insert AFTER INSERT ON group_members REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('users', 'user_id');
--> statement-breakpoint
CREATE TRIGGER tell_delete AFTER DELETE ON group_members REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('users', 'user_id');
--> statement-breakpoint
CREATE TRIGGER tell_update AFTER UPDATE ON groups REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('users', 'any');
--> statement-breakpoint
CREATE TRIGGER tell_insert AFTER INSERT ON prompt_group_shares REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('prompts', 'prompt_id');
--> statement-breakpoint
CREATE TRIGGER tell_update AFTER UPDATE ON prompt_group_shares REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('prompts', 'prompt_id');
--> statement-breakpoint
CREATE TRIGGER tell_delete AFTER DELETE ON prompt_group_shares REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('prompts', 'prompt_id');
--> statement-breakpoint
CREATE TRIGGER tell_insert AFTER INSERT ON chain_group_shares REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('chains', 'chain_id');
--> statement-breakpoint
CREATE TRIGGER tell_update AFTER UPDATE ON chain_group_shares REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('chains', 'chain_id');
--> statement-breakpoint
CREATE TRIGGER tell_delete AFTER DELETE ON chain_group_shares REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('chains', 'chain_id');
--> statement-breakpoint
-- Models that a group has, and who is in one that has some, are in memory with the registry.
CREATE TRIGGER tell AFTER INSERT OR DELETE OR UPDATE ON group_model_lists FOR EACH ROW EXECUTE FUNCTION tell_models_changed();
--> statement-breakpoint
CREATE TRIGGER tell_models_insert AFTER INSERT ON group_members REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('models', 'any');
--> statement-breakpoint
CREATE TRIGGER tell_models_delete AFTER DELETE ON group_members REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes('models', 'any');
--> statement-breakpoint
-- What groups give stands between what is usual and a person's own.
CREATE OR REPLACE FUNCTION refuse_over_quota()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
	used jsonb := to_jsonb(NEW);
	before jsonb := to_jsonb(OLD);
	passed record;
BEGIN
	IF current_setting('catenary.seals_anew', true) = 'on' THEN
		RETURN NULL;
	END IF;
	SELECT quota, bound INTO passed
	FROM jsonb_each_text(
		coalesce((SELECT value FROM settings WHERE key = 'quotas'), '{}')
		|| coalesce((
			SELECT jsonb_object_agg(given.quota, given.most) FROM (
				SELECT own.quota, max(own.bound::bigint) AS most
				FROM groups CROSS JOIN LATERAL jsonb_each_text(groups.quotas) AS own (quota, bound)
				WHERE groups.quotas <> '{}' AND (
					groups.id = 1 OR groups.id IN (SELECT group_id FROM group_members WHERE user_id = NEW.user_id)
				)
				GROUP BY own.quota
			) AS given
		), '{}')
		|| (SELECT quotas FROM users WHERE id = NEW.user_id)
	) AS bounds (quota, bound)
	WHERE (used ->> quota)::bigint > greatest(bound::bigint, (before ->> quota)::bigint)
	LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION 'more than a person may have' USING ERRCODE = 'CTQ01', DETAIL = json_build_object(
			'quota', passed.quota, 'bound', passed.bound::bigint, 'userId', NEW.user_id);
	END IF;
	RETURN NULL;
END $function$;
--> statement-breakpoint
ALTER TABLE group_members ENABLE ALWAYS TRIGGER tell_insert;
--> statement-breakpoint
ALTER TABLE group_members ENABLE ALWAYS TRIGGER tell_delete;
--> statement-breakpoint
ALTER TABLE groups ENABLE ALWAYS TRIGGER tell_update;
--> statement-breakpoint
ALTER TABLE prompt_group_shares ENABLE ALWAYS TRIGGER tell_insert;
--> statement-breakpoint
ALTER TABLE prompt_group_shares ENABLE ALWAYS TRIGGER tell_update;
--> statement-breakpoint
ALTER TABLE prompt_group_shares ENABLE ALWAYS TRIGGER tell_delete;
--> statement-breakpoint
ALTER TABLE chain_group_shares ENABLE ALWAYS TRIGGER tell_insert;
--> statement-breakpoint
ALTER TABLE chain_group_shares ENABLE ALWAYS TRIGGER tell_update;
--> statement-breakpoint
ALTER TABLE chain_group_shares ENABLE ALWAYS TRIGGER tell_delete;
--> statement-breakpoint
ALTER TABLE group_model_lists ENABLE ALWAYS TRIGGER tell;
--> statement-breakpoint
ALTER TABLE group_members ENABLE ALWAYS TRIGGER tell_models_insert;
--> statement-breakpoint
ALTER TABLE group_members ENABLE ALWAYS TRIGGER tell_models_delete;
