CREATE TABLE "model_lists" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"model_ids" integer[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "model_prices" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "model_prices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"model_id" integer NOT NULL,
	"valid_from" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"input" double precision,
	"output" double precision,
	"cached" double precision
);
--> statement-breakpoint
CREATE TABLE "model_providers" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "model_providers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"base_url" text,
	"environment_alias" text,
	"api_key" text,
	"api_key_end" text,
	"new_api_key" text,
	"new_api_key_end" text,
	"allows_private_address" boolean DEFAULT false NOT NULL,
	"added_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "model_providers_environmentAlias_unique" UNIQUE("environment_alias")
);
--> statement-breakpoint
CREATE TABLE "model_spending" (
	"alias" text NOT NULL,
	"month" text NOT NULL,
	"calls" integer NOT NULL,
	"cost_nanos" bigint NOT NULL,
	CONSTRAINT "model_spending_alias_month_pk" PRIMARY KEY("alias","month")
);
--> statement-breakpoint
CREATE TABLE "models" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "models_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"alias" text NOT NULL,
	"label" text,
	"provider_id" integer NOT NULL,
	"model_id" text,
	"context_tokens" integer,
	"capabilities" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"position" integer NOT NULL,
	"is_enabled" boolean DEFAULT true NOT NULL,
	"is_for_everyone" boolean DEFAULT true NOT NULL,
	"monthly_limit_nanos" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "models_alias_unique" UNIQUE("alias")
);
--> statement-breakpoint
ALTER TABLE "model_lists" ADD CONSTRAINT "model_lists_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "model_prices" ADD CONSTRAINT "model_prices_model_id_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."models"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "model_providers" ADD CONSTRAINT "model_providers_added_by_users_id_fk" FOREIGN KEY ("added_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "models" ADD CONSTRAINT "models_provider_id_model_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."model_providers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "model_prices_model" ON "model_prices" USING btree ("model_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "models_provider" ON "models" USING btree ("provider_id");--> statement-breakpoint
-- The environment's models come first: their rows hold what can be set beside it.
INSERT INTO "model_providers" ("name", "kind", "environment_alias")
VALUES ('Anthropic', 'anthropic', 'claude'), ('OpenAI', 'openai', 'openai'), ('Google Gemini', 'gemini', 'gemini'),
	('OpenAI-compatible server', 'compatible', 'custom');--> statement-breakpoint
INSERT INTO "models" ("alias", "provider_id", "position")
SELECT environment_alias, id, row_number() OVER (ORDER BY id) - 1 FROM model_providers ORDER BY id;--> statement-breakpoint
INSERT INTO "model_spending" ("alias", "month", "calls", "cost_nanos")
SELECT coalesce(fallback ->> 'model', model), to_char(started_at AT TIME ZONE 'UTC', 'YYYY-MM'), count(*), sum(cost_nanos)
FROM execution_steps
WHERE cost_nanos IS NOT NULL AND started_at IS NOT NULL
GROUP BY 1, 2;--> statement-breakpoint
-- A name in the letters of slugs; what would name a model, or begin with a digit, is led by another word.
CREATE OR REPLACE FUNCTION "slug_of"("name" text, "otherwise" text) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
	plain text := regexp_replace(replace(lower(normalize(name, NFD)), 'ß', 'ss'), '[\u0300-\u036f]', '', 'g');
	slug text := rtrim(left(ltrim(regexp_replace(plain, '[^a-z0-9]+', '-', 'g'), '-'), 45), '-');
BEGIN
	IF slug = '' THEN
		RETURN otherwise;
	ELSIF slug ~ '^([0-9]|(claude-)?chain(-|$))' THEN
		slug := 'the-' || slug;
	END IF;
	WHILE EXISTS (SELECT FROM models WHERE alias = slug) LOOP
		slug := 'the-' || slug;
	END LOOP;
	RETURN slug;
END $$;--> statement-breakpoint
-- Every process keeps the registry in memory, as a whole. By row: a person who goes may have no list. Always: also where rows come by replication.
CREATE FUNCTION "tell_models_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_notify('catenary_rows', 'models *');
	RAISE INFO 'catenary_rows models *';
	RETURN NULL;
END $$;--> statement-breakpoint
DO $$
DECLARE
	source text;
BEGIN
	FOREACH source IN ARRAY '{model_providers,models,model_prices,model_lists}'::text[] LOOP
		EXECUTE format(
			'CREATE TRIGGER "tell" AFTER INSERT OR UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION tell_models_changed()',
			source);
		EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER "tell"', source);
	END LOOP;
END $$;
