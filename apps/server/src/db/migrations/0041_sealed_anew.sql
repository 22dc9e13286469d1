-- As before, but for values that are sealed anew under another key: they may get a little longer without their person doing anything.
CREATE OR REPLACE FUNCTION "refuse_over_quota"() RETURNS trigger LANGUAGE plpgsql AS $$
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
		coalesce((SELECT value FROM settings WHERE key = 'quotas'), '{}') || (SELECT quotas FROM users WHERE id = NEW.user_id)
	) AS bounds (quota, bound)
	WHERE (used ->> quota)::bigint > greatest(bound::bigint, (before ->> quota)::bigint)
	LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION 'more than a person may have' USING ERRCODE = 'CTQ01', DETAIL = json_build_object(
			'quota', passed.quota, 'bound', passed.bound::bigint, 'userId', NEW.user_id);
	END IF;
	RETURN NULL;
END $$;
