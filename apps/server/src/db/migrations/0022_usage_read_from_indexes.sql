-- A reader of everyone's sums finds them scattered among each person's: all that it needs is in the index, in order.
ALTER TABLE "usage_slots" DROP CONSTRAINT "usage_slots_user_id_at_pk",
	ADD CONSTRAINT "usage_slots_user_id_at_pk" PRIMARY KEY ("user_id", "at")
	INCLUDE ("completed", "failed", "cancelled", "input_tokens", "output_tokens", "cost_nanos", "uncounted");--> statement-breakpoint
ALTER TABLE "usage_times" DROP CONSTRAINT "usage_times_user_id_at_measure_bucket_pk",
	ADD CONSTRAINT "usage_times_user_id_at_measure_bucket_pk" PRIMARY KEY ("user_id", "at", "measure", "bucket") INCLUDE ("runs");--> statement-breakpoint
ALTER TABLE "usage_items" DROP CONSTRAINT "usage_items_user_id_grain_at_dimension_key_pk",
	ADD CONSTRAINT "usage_items_user_id_grain_at_dimension_key_pk" PRIMARY KEY ("user_id", "grain", "at", "dimension", "key")
	INCLUDE ("runs", "cost_nanos", "uncounted");
