ALTER TABLE "chain_steps" ADD COLUMN "named_by" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "chain_versions" ADD COLUMN "named_by" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "prompt_skills" ADD COLUMN "named_by" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "prompt_versions" ADD COLUMN "named_by" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "prompts" ADD COLUMN "named_by" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "scheduled_runs" ADD COLUMN "fills" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "chain_acceptances" ADD COLUMN "fills" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "prompt_acceptances" ADD COLUMN "fills" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "fills" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
-- What stands (D69): a name is its author's by the versions, from the save on since which it is there. Where that is not
-- told (the account is gone, or earlier versions are), it is the owner's.
with ordered as (
	select v.prompt_id, v.number, coalesce(v.author_id, p.owner_id) as author, p.owner_id,
		row_number() over (partition by v.prompt_id order by v.number) as place, min(v.number) over (partition by v.prompt_id) as oldest,
		reference_names(template_texts(v.content, v.settings ->> 'systemPrompt', v.settings -> 'messages')) as names
	from prompt_versions v inner join prompts p on p.id = v.prompt_id
), named as (
	select prompt_id, number, author, owner_id, place, oldest, held,
		place - row_number() over (partition by prompt_id, held order by place) as stretch
	from ordered cross join lateral unnest(names) as held
), brought as (
	select prompt_id, number, held,
		case when first_value(place) over since = 1 and oldest > 1 then owner_id else first_value(author) over since end as by
	from named window since as (partition by prompt_id, held, stretch order by place)
), whole as (
	select prompt_id, number, jsonb_object_agg(held, by) as named_by from brought group by prompt_id, number
)
update prompt_versions set named_by = whole.named_by
from whole where prompt_versions.prompt_id = whole.prompt_id and prompt_versions.number = whole.number;--> statement-breakpoint
update prompts set named_by = (
	select coalesce(jsonb_object_agg(held, coalesce((v.named_by ->> held)::integer, prompts.owner_id)), '{}')
	from unnest(prompts.reference_names) as held
	left join prompt_versions v on v.prompt_id = prompts.id and v.number = prompts.version
)
where reference_names <> '{}';--> statement-breakpoint
with ordered as (
	select v.chain_id, v.number, v.steps, coalesce(v.author_id, c.owner_id) as author, c.owner_id,
		row_number() over (partition by v.chain_id order by v.number) as place, min(v.number) over (partition by v.chain_id) as oldest
	from chain_versions v inner join chains c on c.id = v.chain_id
), named as (
	select chain_id, number, author, owner_id, place, oldest, (step ->> 'id')::integer as step_id, held,
		place - row_number() over (partition by chain_id, step ->> 'id', held order by place) as stretch
	from ordered cross join lateral jsonb_array_elements(steps) as step
	cross join lateral unnest(reference_names(
		template_texts(step ->> 'content', step ->> 'systemPrompt', (step ->> 'settings')::json -> 'messages')
	)) as held
), brought as (
	select chain_id, number, step_id, held,
		case when first_value(place) over since = 1 and oldest > 1 then owner_id else first_value(author) over since end as by
	from named window since as (partition by chain_id, step_id, held, stretch order by place)
), of_step as (
	select chain_id, number, step_id, jsonb_object_agg(held, by) as named_by from brought group by chain_id, number, step_id
), whole as (
	select chain_id, number, jsonb_object_agg(step_id, named_by) as named_by from of_step group by chain_id, number
)
update chain_versions set named_by = whole.named_by
from whole where chain_versions.chain_id = whole.chain_id and chain_versions.number = whole.number;--> statement-breakpoint
update chain_steps set named_by = (
	select coalesce(jsonb_object_agg(held, coalesce((v.named_by -> chain_steps.id::text ->> held)::integer, c.owner_id)), '{}')
	from unnest(chain_steps.reference_names) as held
	left join chain_versions v on v.chain_id = c.id and v.number = c.version
)
from chains c where c.id = chain_steps.chain_id and chain_steps.reference_names <> '{}';--> statement-breakpoint
update prompt_skills set named_by = (
	select coalesce(jsonb_object_agg(lower((part ->> 'variable') collate "C"), p.owner_id), '{}')
	from jsonb_array_elements(prompt_skills.parts) as part where part ->> 'variable' is not null
)
from prompts p where p.id = prompt_skills.prompt_id;--> statement-breakpoint
-- Tokens, schedules and acceptances begin with what their texts hold now: nothing that ran stops.
create function pg_temp.held_fills(whose integer, prompt_ids integer[], chain_ids integer[]) returns jsonb language sql stable as $$
	with seen_prompts as (
		select id from prompts where is_public or owner_id = whose
			or id in (select prompt_id from prompt_shares where user_id = whose)
	), kept as (
		select v.chain_id, v.steps, v.named_by from chain_versions v
		inner join chain_labels l on l.chain_id = v.chain_id and l.version = v.number where v.chain_id = any(chain_ids)
	), links as (
		select prompt_id as id, prompt_version as version from chain_steps where chain_id = any(chain_ids)
		union select (step ->> 'promptId')::integer, (step ->> 'promptVersion')::integer
			from kept cross join lateral jsonb_array_elements(steps) as step
		union select (part ->> 'promptId')::integer, null::integer
			from prompt_skills cross join lateral jsonb_array_elements(parts) as part where prompt_id = any(prompt_ids)
	), reached as (
		select id from seen_prompts where id = any(prompt_ids) or id in (select id from links)
	), texts as (
		select 'prompt' as kind, id, named_by from prompts where id in (select id from reached)
		union all select 'prompt', v.prompt_id, v.named_by from prompt_versions v
			where v.prompt_id in (select id from reached) and (
				exists (select from prompt_labels l where l.prompt_id = v.prompt_id and l.version = v.number)
				or exists (select from links where links.id = v.prompt_id and links.version = v.number)
			)
		union all select 'prompt', prompt_id, named_by from prompt_skills where prompt_id = any(prompt_ids)
		union all select 'chain', chain_id, named_by from chain_steps where chain_id = any(chain_ids)
		union all select 'chain', chain_id, step.value from kept cross join lateral jsonb_each(kept.named_by) as step
	), held as (
		select distinct kind, texts.id, entry.key as name from texts cross join lateral jsonb_each(named_by) as entry
		inner join variables v on v.owner_id = whose and not v.is_public and lower(v.name collate "C") = entry.key
		where (entry.value #>> '{}')::integer <> whose
	)
	select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'id', id, 'name', name) order by name, kind, id), '[]') from held
$$;--> statement-breakpoint
update api_tokens t set fills = pg_temp.held_fills(
	t.created_by,
	array(
		select prompt_id from api_token_prompts where api_token_id = t.id
		union select id from prompts where t.includes_all_prompts and owner_id = t.created_by
		union select id from prompts where t.kind = 'folder' and t.may_run and owner_id = t.created_by
	),
	array(
		select chain_id from api_token_chains where api_token_id = t.id
		union select t.chain_id where t.chain_id is not null
		union select id from chains where t.includes_all_chains and owner_id = t.created_by
		union select id from chains where t.kind = 'folder' and t.may_run and owner_id = t.created_by
	)
)
where exists (select from variables v where v.owner_id = t.created_by and not v.is_public);--> statement-breakpoint
update scheduled_runs s set fills = pg_temp.held_fills(s.created_by, '{}', array[s.chain_id])
where exists (select from variables v where v.owner_id = s.created_by and not v.is_public);--> statement-breakpoint
update prompt_acceptances a set fills = pg_temp.held_fills(a.user_id, array[a.prompt_id], '{}')
where exists (select from variables v where v.owner_id = a.user_id and not v.is_public);--> statement-breakpoint
update chain_acceptances a set fills = pg_temp.held_fills(a.user_id, '{}', array[a.chain_id])
where exists (select from variables v where v.owner_id = a.user_id and not v.is_public);
