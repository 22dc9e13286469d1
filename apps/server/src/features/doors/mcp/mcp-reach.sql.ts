import { LATEST_LABEL, searchWords, type TokenReach, type User } from '@catenary/contracts'
import { and, asc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { byLetters } from '../../../database/schema/columns.ts'
import {
  chainAcceptances,
  chainLabels,
  chainNames,
  chainSteps,
  chains,
  chainVersions,
  promptLabels,
  promptNames,
  promptSkills,
  prompts,
  users,
} from '../../../database/schema/index.ts'
import type { Executor } from '../../../database/statements/executor.ts'
import { exactFirst, isCalled, meantFirst, readNames } from '../../../database/statements/named-rows.ts'
import { promptTitleWords } from '../../../database/statements/prompt-search.ts'
import { hasWords } from '../../../database/statements/text-search.ts'
import { isAcceptanceOf } from '../../../database/statements/visible-rows.ts'
import { isChainWithin, isPromptWithin } from '../reach.sql.ts'

export interface Reach extends TokenReach {
  user: Pick<User, 'id'>
  labels: string[]
}

/** `prompt`: those that are no skills; `any`: both. */
export type ReachedKind = 'prompt' | 'skill' | 'any'

interface PromptFilter {
  reach: Reach
  kind: ReachedKind
  /** In titles and slugs. */
  search?: string | undefined
}

const labelsOf = (
  table: typeof promptLabels | typeof chainLabels,
  { id, labels }: { id: SQL; labels: string[] },
) =>
  labels.length === 0
    ? sql<string[]>`'{}'::text[]`
    : sql<
        string[]
      >`array(select ${table.label} from ${table} where ${table.recordId} = ${id} and ${inArray(table.label, labels)})`

/** Whether it has one of the labels that the token serves; without any the token serves all. */
function isServedBy(
  table: typeof promptLabels | typeof chainLabels,
  { id, labels }: { id: SQL; labels: string[] },
): SQL | undefined {
  if (labels.length === 0 || labels.includes(LATEST_LABEL)) return undefined
  return sql`exists (select from ${table} where ${table.recordId} = ${id} and ${inArray(table.label, labels)})`
}

/** With its table's name, which Drizzle leaves away where only one table is read. */
const promptId = sql.raw('prompts.id')
const chainId = sql.raw('chains.id')

function isReachedPrompt({ reach, kind, search }: PromptFilter): SQL | undefined {
  const { labels } = reach
  const named = sql`${promptTitleWords} || ' ' || ${prompts.slug}`
  return and(
    isPromptWithin(reach),
    prompts.isActive,
    isServedBy(promptLabels, { id: promptId, labels }),
    kind === 'prompt' ? isNull(promptSkills.promptId) : undefined,
    kind === 'skill' ? sql`${promptSkills.promptId} is not null` : undefined,
    search === undefined ? undefined : hasWords(named, searchWords(search)),
  )
}

export interface After {
  slug: string
  id: number
}

const isAfter = (record: typeof prompts | typeof chains, after: After | undefined) =>
  after && sql`(${byLetters(record.slug)}, ${record.id}) > (${after.slug}, ${after.id}::integer)`

const promptRow = (labels: string[]) => ({
  id: prompts.id,
  slug: prompts.slug,
  title: prompts.title,
  owner: users.displayUsername,
  labels: labelsOf(promptLabels, { id: promptId, labels }),
  description: sql<string | null>`left(${promptSkills.description}, 500)`,
})

/** Ordered by slug, after one; each with the `name` by which the person's programs find it. */
export async function listReachedPrompts(
  db: Executor,
  { after, limit, ...filter }: PromptFilter & { after?: After | undefined; limit: number },
) {
  const { labels, user } = filter.reach
  const rows = await db
    .select(promptRow(labels))
    .from(prompts)
    .innerJoin(users, eq(users.id, prompts.ownerId))
    .leftJoin(promptSkills, eq(promptSkills.promptId, prompts.id))
    .where(and(isReachedPrompt(filter), isAfter(prompts, after)))
    .orderBy(asc(byLetters(prompts.slug)), asc(prompts.id))
    .limit(limit)
  return withNames(db, { kind: 'prompt', userId: user.id, rows })
}

async function withNames<Row extends { id: number; slug: string }>(
  db: Executor,
  { kind, userId, rows }: { kind: 'prompt' | 'chain'; userId: number; rows: Row[] },
) {
  const names = await readNames(db, { kind, ids: rows.map(({ id }) => id), viewerId: userId })
  return rows.map((row) => ({ ...row, name: names.get(row.id) ?? row.slug }))
}

export type ReachedPrompt = Awaited<ReturnType<typeof listReachedPrompts>>[number]

export async function countReachedPrompts(db: Executor, filter: PromptFilter): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::integer` })
    .from(prompts)
    .leftJoin(promptSkills, eq(promptSkills.promptId, prompts.id))
    .where(isReachedPrompt(filter))
  return row?.count ?? 0
}

/** The one that the person means by the name (D48), of those within reach. */
export async function findOptionalReachedPrompt(
  db: Executor,
  { name, ...filter }: PromptFilter & { name: string },
): Promise<ReachedPrompt | undefined> {
  const { labels, user } = filter.reach
  const rows = await db
    .select(promptRow(labels))
    .from(promptNames)
    .innerJoin(prompts, eq(prompts.id, promptNames.recordId))
    .innerJoin(users, eq(users.id, prompts.ownerId))
    .leftJoin(promptSkills, eq(promptSkills.promptId, prompts.id))
    .where(and(isCalled(promptNames, name), isReachedPrompt(filter)))
    .orderBy(exactFirst(promptNames, name), meantFirst('prompt', user.id))
    .limit(1)
  const [found] = await withNames(db, { kind: 'prompt', userId: user.id, rows })
  return found
}

function isReachedChain(reach: Reach): SQL | undefined {
  return and(isChainWithin(reach), isServedBy(chainLabels, { id: chainId, labels: reach.labels }))
}

/** Whether a text has {{input}} or {{input_context}}, or a condition or list looks at one; one of a longer name counts too. */
const hasInput = (text: SQL) =>
  sql`${text} ~ ${String.raw`\{\{(\s|\\[nrt])*input|\\*"(ref|list)\\*": ?\\*"input`}`

/** The same of a prompt's text, or where a step may run another than its current one, of any of its versions. */
const promptHasInput = (id: SQL, isOther: SQL) => sql`(
  exists (select from prompts p where p.id = ${id} and ${hasInput(sql`p.content || coalesce(p.settings::text, '')`)})
  or ${isOther} and exists (select from prompt_versions v where v.prompt_id = ${id}
    and ${hasInput(sql`v.content || coalesce(v.settings::text, '')`)}))`

const readsInput = (labels: string[]) => {
  const asItIs = sql`exists (
    select from chain_steps s where s.chain_id = ${chainId} and (
      ${hasInput(sql`s.content || coalesce(s.system_prompt, '') || coalesce(s.settings::text, '')`)}
      or s.prompt_id is not null and ${promptHasInput(sql`s.prompt_id`, sql`num_nonnulls(s.prompt_label, s.prompt_version) > 0`)}))`
  if (labels.length === 0) return sql<boolean>`${asItIs}`
  const labelled = sql`exists (
    select from chain_labels l join chain_versions v on v.chain_id = l.chain_id and v.number = l.version
    where l.chain_id = ${chainId} and l.label = any(${sql.param(labels)}::text[]) and (
      ${hasInput(sql`v.steps::text`)}
      or exists (select from jsonb_array_elements(v.steps) as s
        where ${promptHasInput(sql`(s ->> 'promptId')::integer`, sql`true`)})))`
  return sql<boolean>`(${asItIs} or ${labelled})`
}

const servedLabels = ({ labels }: Reach) => (labels.length === 0 ? ['production'] : labels)

/** As it is now, or in a version with a label. */
const callsServices = sql<boolean>`(
  exists (select from ${chainSteps} where ${chainSteps.chainId} = ${chains.id} and ${chainSteps.settings} ->> 'kind' = 'tool')
  or exists (
    select from ${chainLabels} inner join ${chainVersions} on ${chainVersions.chainId} = ${chainLabels.recordId}
      and ${chainVersions.number} = ${chainLabels.version}
    where ${chainLabels.recordId} = ${chains.id} and ${chainVersions.steps} @> '[{"kind": "tool"}]'
  )
)`

const chainRow = (reach: Reach) => ({
  id: chains.id,
  slug: chains.slug,
  title: chains.name,
  description: sql<string>`left(${chains.description}, 1000)`,
  owner: users.displayUsername,
  asksFirst: chains.asksFirst,
  callsServices,
  steps: sql<number>`(select count(*)::integer from ${chainSteps} where ${chainSteps.chainId} = ${chains.id})`,
  labels: labelsOf(chainLabels, { id: chainId, labels: servedLabels(reach) }),
  readsInput: readsInput(servedLabels(reach)),
})

/** Those with steps, ordered by slug, after one; each with the `name` by which the person's programs find it. */
export async function listReachedChains(
  db: Executor,
  {
    reach,
    after,
    id,
    limit,
  }: { reach: Reach; after?: After | undefined; id?: number | undefined; limit: number },
) {
  const rows = await db
    .select(chainRow(reach))
    .from(chains)
    .innerJoin(users, eq(users.id, chains.ownerId))
    .leftJoin(chainAcceptances, isAcceptanceOf(reach.user.id))
    .where(
      and(isReachedChain(reach), isAfter(chains, after), id === undefined ? undefined : eq(chains.id, id)),
    )
    .orderBy(asc(byLetters(chains.slug)), asc(chains.id))
    .limit(limit)
  return withNames(db, { kind: 'chain', userId: reach.user.id, rows })
}

export type ReachedChain = Awaited<ReturnType<typeof listReachedChains>>[number]

/** The one that the person means by the name (D48), of those within reach. */
export async function findOptionalReachedChain(
  db: Executor,
  { reach, name }: { reach: Reach; name: string },
): Promise<ReachedChain | undefined> {
  const rows = await db
    .select(chainRow(reach))
    .from(chainNames)
    .innerJoin(chains, eq(chains.id, chainNames.recordId))
    .innerJoin(users, eq(users.id, chains.ownerId))
    .leftJoin(chainAcceptances, isAcceptanceOf(reach.user.id))
    .where(and(isCalled(chainNames, name), isReachedChain(reach)))
    .orderBy(exactFirst(chainNames, name), meantFirst('chain', reach.user.id))
    .limit(1)
  const [found] = await withNames(db, { kind: 'chain', userId: reach.user.id, rows })
  return found
}

export async function countReachedChains(db: Executor, reach: Reach): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::integer` })
    .from(chains)
    .leftJoin(chainAcceptances, isAcceptanceOf(reach.user.id))
    .where(isReachedChain(reach))
  return row?.count ?? 0
}

/** Three texts that change whenever what the token's prompts, tools or skills are listed as does. */
export async function fingerprintReach(
  db: Executor,
  reach: Reach,
): Promise<{ prompts: string; skills: string; chains: string }> {
  const isSkill = sql`${promptSkills.promptId} is not null`
  const promptFacts = sql`concat_ws('|', ${prompts.id}, ${prompts.slug}, ${prompts.version}, ${prompts.title},
    (select string_agg(${promptLabels.label} || ${promptLabels.version}, ',' order by ${promptLabels.label})
      from ${promptLabels} where ${promptLabels.recordId} = ${promptId}),
    ${promptSkills.updatedAt})`
  const digest = (which: SQL) =>
    sql<string>`coalesce(md5(string_agg(${promptFacts}, chr(10) order by ${prompts.id}) filter (where ${which})), '')`
  const [ofPrompts] = await db
    .select({ prompts: digest(sql`not (${isSkill})`), skills: digest(isSkill) })
    .from(prompts)
    .leftJoin(promptSkills, eq(promptSkills.promptId, prompts.id))
    .where(isReachedPrompt({ reach, kind: 'any' }))
  const chainFacts = sql`concat_ws('|', ${chains.id}, ${chains.slug}, ${chains.name}, ${chains.description}, ${chains.asksFirst}, ${chains.version},
    (select count(*) from ${chainSteps} where ${chainSteps.chainId} = ${chainId}))`
  const [ofChains] = await db
    .select({
      chains: sql<string>`coalesce(md5(string_agg(${chainFacts}, chr(10) order by ${chains.id})), '')`,
    })
    .from(chains)
    .leftJoin(chainAcceptances, isAcceptanceOf(reach.user.id))
    .where(isReachedChain(reach))
  const { prompts: ofPlain = '', skills = '' } = ofPrompts ?? {}
  return { prompts: ofPlain, skills, chains: ofChains?.chains ?? '' }
}
