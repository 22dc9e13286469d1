CREATE TABLE "api_token_calls" (
	"api_token_id" integer NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"execution_id" integer NOT NULL,
	"chain_id" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_token_calls_api_token_id_key_pk" PRIMARY KEY("api_token_id","key")
);
--> statement-breakpoint
CREATE TABLE "api_token_uses" (
	"api_token_id" integer NOT NULL,
	"month" text NOT NULL,
	"calls" integer DEFAULT 0 NOT NULL,
	"saved_calls" integer DEFAULT 0 NOT NULL,
	"input_tokens" bigint DEFAULT 0 NOT NULL,
	"output_tokens" bigint DEFAULT 0 NOT NULL,
	"cost_nanos" bigint DEFAULT 0 NOT NULL,
	"last_used" timestamp (3) with time zone NOT NULL,
	"last_error" text,
	"last_error_code" text,
	"last_error_at" timestamp (3) with time zone,
	CONSTRAINT "api_token_uses_api_token_id_month_pk" PRIMARY KEY("api_token_id","month")
);
--> statement-breakpoint
CREATE TABLE "best_chain_selections" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "best_chain_selections_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"api_token_id" integer NOT NULL,
	"request" text NOT NULL,
	"chain_id" integer,
	"chain_name" text NOT NULL,
	"way" text NOT NULL,
	"confidence" double precision,
	"reasoning" text NOT NULL,
	"scores" jsonb NOT NULL,
	"asked" boolean DEFAULT false NOT NULL,
	"execution_id" integer,
	"cost_nanos" bigint,
	"corrected_chain_id" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "chains" ADD COLUMN "example_requests" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "executions" ADD COLUMN "api_call" jsonb;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "calls_at_once" integer;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "monthly_budget_nanos" bigint;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "answers_helper_jobs" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "shows_progress" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "threshold" double precision;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "previous_sha256" text;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "previous_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "api_token_calls" ADD CONSTRAINT "api_token_calls_api_token_id_api_tokens_id_fk" FOREIGN KEY ("api_token_id") REFERENCES "public"."api_tokens"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_token_calls" ADD CONSTRAINT "api_token_calls_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_token_uses" ADD CONSTRAINT "api_token_uses_api_token_id_api_tokens_id_fk" FOREIGN KEY ("api_token_id") REFERENCES "public"."api_tokens"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "best_chain_selections" ADD CONSTRAINT "best_chain_selections_api_token_id_api_tokens_id_fk" FOREIGN KEY ("api_token_id") REFERENCES "public"."api_tokens"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "best_chain_selections" ADD CONSTRAINT "best_chain_selections_chain_id_chains_id_fk" FOREIGN KEY ("chain_id") REFERENCES "public"."chains"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "best_chain_selections" ADD CONSTRAINT "best_chain_selections_corrected_chain_id_chains_id_fk" FOREIGN KEY ("corrected_chain_id") REFERENCES "public"."chains"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_token_calls_chain" ON "api_token_calls" USING btree ("chain_id");--> statement-breakpoint
CREATE INDEX "api_token_calls_created" ON "api_token_calls" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "best_chain_selections_token" ON "best_chain_selections" USING btree ("api_token_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "best_chain_selections_chain" ON "best_chain_selections" USING btree ("chain_id");--> statement-breakpoint
CREATE INDEX "best_chain_selections_corrected" ON "best_chain_selections" USING btree ("corrected_chain_id");--> statement-breakpoint
CREATE INDEX "executions_token" ON "executions" USING btree ("api_token_id","id" DESC NULLS LAST) WHERE "executions"."api_token_id" is not null;--> statement-breakpoint
ALTER TABLE "api_tokens" DROP COLUMN "last_used";--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_previousSha256_unique" UNIQUE("previous_sha256");--> statement-breakpoint
-- As before, and of what belongs to a token.
CREATE OR REPLACE FUNCTION "tell_row_changes"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	ids integer[];
	told text;
BEGIN
	CASE TG_ARGV[1]
		WHEN 'id' THEN SELECT array_agg(DISTINCT id) INTO ids FROM changed;
		WHEN 'prompt_id' THEN SELECT array_agg(DISTINCT prompt_id) INTO ids FROM changed;
		WHEN 'chain_id' THEN SELECT array_agg(DISTINCT chain_id) INTO ids FROM changed;
		WHEN 'api_token_id' THEN SELECT array_agg(DISTINCT api_token_id) INTO ids FROM changed;
	END CASE;
	IF ids IS NOT NULL THEN
		told := TG_ARGV[0] || ' ' || CASE WHEN cardinality(ids) > 100 THEN '*' ELSE array_to_string(ids, ',') END;
		PERFORM pg_notify('catenary_rows', told);
		RAISE INFO 'catenary_rows %', told;
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
DO $$
DECLARE
	source record;
	event text;
BEGIN
	FOR source IN
		SELECT * FROM (VALUES
			('api_tokens', 'api_tokens', 'id', '{update,delete}'::text[]),
			('api_token_chains', 'api_tokens', 'api_token_id', '{insert,update,delete}')
		) AS sources (name, told_as, told_by, events)
	LOOP
		FOREACH event IN ARRAY source.events LOOP
			EXECUTE format(
				'CREATE TRIGGER %I AFTER %s ON %I REFERENCING %s TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_row_changes(%L, %L)',
				'tell_' || event, event, source.name, CASE event WHEN 'insert' THEN 'NEW' ELSE 'OLD' END, source.told_as, source.told_by);
			EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER %I', source.name, 'tell_' || event);
		END LOOP;
	END LOOP;
END $$;
