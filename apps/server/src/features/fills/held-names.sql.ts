import { ASKED_FILLS_MAX, type AskedFill, type Fill } from '@catenary/contracts'
import { type SQL, sql } from 'drizzle-orm'
import { asciiKey } from '../../database/schema/columns.ts'
import {
  chainLabels,
  chainSteps,
  chains,
  chainVersions,
  promptLabels,
  promptSkills,
  prompts,
  promptVersions,
  users,
  variables,
} from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'
import { namedByOf } from '../../database/statements/named-by.sql.ts'
import { chainsVisibleTo, promptsVisibleTo } from '../../database/statements/visible-rows.ts'

const HELD_MAX = 5_000
const REACHES_AT_ONCE = 50

interface Records {
  promptIds?: readonly number[]
  chainIds?: readonly number[]
  allPrompts?: boolean
  allChains?: boolean
}
export interface Reached extends Records {
  userId: number
}

type RecordsSql = Record<keyof Records, SQL>

export interface HeldName extends AskedFill {
  isOwn: boolean
}

/** The ids of those chains, and of those prompts with the ones that they lead to: links of steps and parts of skills. */
function reached(userId: number, { promptIds, chainIds, allPrompts, allChains }: RecordsSql): SQL {
  return sql`
    reached_chains as materialized (
      select ${chains.id} as id from ${chains}
      where ${chainsVisibleTo(userId)}
        and (${chains.id} = any(${chainIds}) or (${allChains} and ${chains.ownerId} = ${userId}))
    ), direct_prompts as materialized (
      select ${prompts.id} as id from ${prompts}
      where ${promptsVisibleTo(userId)}
        and (${prompts.id} = any(${promptIds}) or (${allPrompts} and ${prompts.ownerId} = ${userId}))
    ), kept_versions as materialized (
      select ${chainVersions.chainId} as chain_id, ${chainVersions.steps} as steps, ${chainVersions.namedBy} as named_by
      from ${chainVersions} inner join ${chainLabels}
        on ${chainLabels.recordId} = ${chainVersions.chainId} and ${chainLabels.version} = ${chainVersions.number}
      where ${chainVersions.chainId} in (select id from reached_chains)
    ), links as materialized (
      select ${chainSteps.promptId} as prompt_id, ${chainSteps.promptVersion} as version
      from ${chainSteps} where ${chainSteps.chainId} in (select id from reached_chains)
      union
      select (step ->> 'promptId')::integer, (step ->> 'promptVersion')::integer
      from kept_versions cross join lateral jsonb_array_elements(steps) as step
      union
      select (part ->> 'promptId')::integer, null::integer
      from ${promptSkills} cross join lateral jsonb_array_elements(${promptSkills.parts}) as part
      where ${promptSkills.promptId} in (select id from direct_prompts)
    ), reached_prompts as materialized (
      select id from direct_prompts
      union
      select ${prompts.id} from ${prompts}
      where ${promptsVisibleTo(userId)} and ${prompts.id} in (select prompt_id from links)
    )`
}

const texts = sql`
  select 'prompt' as kind, ${prompts.id} as id, ${namedByOf(prompts)} as named_by
  from ${prompts} where ${prompts.id} in (select id from reached_prompts)
  union all
  select 'prompt', ${promptVersions.promptId}, ${promptVersions.namedBy} from ${promptVersions}
  where ${promptVersions.promptId} in (select id from reached_prompts) and (
    exists (select from ${promptLabels} where ${promptLabels.recordId} = ${promptVersions.promptId}
      and ${promptLabels.version} = ${promptVersions.number})
    or exists (select from links where prompt_id = ${promptVersions.promptId} and version = ${promptVersions.number})
  )
  union all
  select 'prompt', ${promptSkills.promptId}, ${promptSkills.namedBy} from ${promptSkills}
  where ${promptSkills.promptId} in (select id from direct_prompts)
  union all
  select 'chain', ${chainSteps.chainId}, ${namedByOf(chainSteps)} from ${chainSteps}
  where ${chainSteps.chainId} in (select id from reached_chains)
  union all
  select 'chain', chain_id, step.value from kept_versions cross join lateral jsonb_each(kept_versions.named_by) as step`

const heldNames = (userId: number, records: RecordsSql): SQL => sql`
  with ${reached(userId, records)}, held as (
    select texts.kind, texts.id, entry.key as name,
      bool_and((entry.value #>> '{}')::integer = ${userId}) as is_own,
      max((entry.value #>> '{}')::integer) filter (
        where (entry.value #>> '{}')::integer > 0 and (entry.value #>> '{}')::integer <> ${userId}
      ) as by
    from (${texts}) as texts cross join lateral jsonb_each(texts.named_by) as entry
    inner join ${variables} on ${variables.ownerId} = ${userId} and not ${variables.isPublic}
      and ${asciiKey(variables.name)} = entry.key
    group by texts.kind, texts.id, entry.key
  )
  select held.kind, held.id, held.name, held.is_own as "isOwn", ${users.displayUsername} as by,
    coalesce(${prompts.title}, ${chains.name}, '') as title
  from held
  left join ${users} on ${users.id} = held.by
  left join ${prompts} on held.kind = 'prompt' and ${prompts.id} = held.id
  left join ${chains} on held.kind = 'chain' and ${chains.id} = held.id
  order by held.name, held.kind, held.id`

export async function listHeldNames(
  db: Executor,
  { userId, promptIds = [], chainIds = [], allPrompts = false, allChains = false }: Reached,
): Promise<HeldName[]> {
  const ids = (list: readonly number[]) => sql`${sql.param(list)}::integer[]`
  const { rows } = await db.execute<HeldName & Record<string, unknown>>(sql`
    ${heldNames(userId, {
      promptIds: ids(promptIds),
      chainIds: ids(chainIds),
      allPrompts: sql`${allPrompts}::boolean`,
      allChains: sql`${allChains}::boolean`,
    })} limit ${HELD_MAX}`)
  return rows.map(({ kind, id, name, isOwn, by, title }) => ({ kind, id, name, isOwn, by, title }))
}

export async function listAskedFills(db: Executor, of: Reached): Promise<AskedFill[]> {
  const held = await listHeldNames(db, of)
  return held.flatMap(({ isOwn, ...name }) => (isOwn ? [] : [name]))
}

/** The first that were not allowed, for each token, schedule or offer. Without private variables no text is read. */
export async function listUnfilled(
  db: Executor,
  { userId, of }: { userId: number; of: (Records & { fills: readonly Fill[] })[] },
): Promise<AskedFill[][]> {
  const hasPrivate = await db
    .select({ id: variables.id })
    .from(variables)
    .where(sql`${variables.ownerId} = ${userId} and not ${variables.isPublic}`)
    .limit(1)
  const unfilled: AskedFill[][] = of.map(() => [])
  if (hasPrivate.length === 0) return unfilled
  for (let first = 0; first < of.length; first += REACHES_AT_ONCE) {
    const batch = of.slice(first, first + REACHES_AT_ONCE).map((one, index) => ({
      index: first + index,
      fills: one.fills,
      promptIds: one.promptIds ?? [],
      chainIds: one.chainIds ?? [],
      allPrompts: one.allPrompts ?? false,
      allChains: one.allChains ?? false,
    }))
    const { rows } = await db.execute<AskedFill & { index: number } & Record<string, unknown>>(sql`
      select asked.index, unfilled.* from jsonb_to_recordset(${JSON.stringify(batch)}::jsonb) as asked(
        "index" integer, "promptIds" integer[], "chainIds" integer[], "allPrompts" boolean, "allChains" boolean, fills jsonb
      ) cross join lateral (
        select held.* from (${heldNames(userId, {
          promptIds: sql`asked."promptIds"`,
          chainIds: sql`asked."chainIds"`,
          allPrompts: sql`asked."allPrompts"`,
          allChains: sql`asked."allChains"`,
        })}) as held
        where not held."isOwn" and (held.kind, held.id, held.name) not in (
          select kind, id, name from jsonb_to_recordset(asked.fills) as allowed(kind text, id integer, name text)
        )
        limit ${ASKED_FILLS_MAX}
      ) as unfilled`)
    for (const { index, kind, id, name, by, title } of rows)
      unfilled[index]?.push({ kind, id, name, by, title })
  }
  return unfilled
}
