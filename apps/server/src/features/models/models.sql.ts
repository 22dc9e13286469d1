import { EVERYONE_ID, type ProviderKind } from '@catenary/contracts'
import { asc, desc, eq, ne, sql } from 'drizzle-orm'
import { byLetters } from '../../database/schema/columns.ts'
import {
  groupMembers,
  groupModelLists,
  groups,
  modelLists,
  modelPrices,
  modelProviders,
  modelSpending,
  models,
  users,
} from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'

export type ProviderRow = typeof modelProviders.$inferSelect & { addedByName: string | null }
export type ModelRow = typeof models.$inferSelect
export type PriceRow = Pick<typeof modelPrices.$inferSelect, 'input' | 'output' | 'cached'>

export async function listProviders(db: Executor): Promise<ProviderRow[]> {
  const rows = await db
    .select({ provider: modelProviders, addedByName: users.displayUsername })
    .from(modelProviders)
    .leftJoin(users, eq(users.id, modelProviders.addedBy))
    .orderBy(asc(modelProviders.id))
  return rows.map(({ provider, addedByName }) => ({ ...provider, addedByName }))
}

export async function listModels(db: Executor): Promise<(ModelRow & { price: PriceRow | null })[]> {
  const rows = await db.select().from(models).orderBy(asc(models.position), asc(models.id))
  const latest = await db
    .selectDistinctOn([modelPrices.modelId])
    .from(modelPrices)
    .orderBy(modelPrices.modelId, desc(modelPrices.id))
  const prices = new Map(latest.map((price) => [price.modelId, price]))
  return rows.map((row) => ({ ...row, price: prices.get(row.id) ?? null }))
}

/** Keeps other changes of the registry waiting until the transaction ends. */
export async function lockRegistry(db: Executor): Promise<void> {
  await db.execute(sql`lock table ${modelProviders} in share row exclusive mode`)
}

/** Adds the environment's models that have no row yet, unless another has their alias. */
export async function addEnvironmentRows(
  db: Executor,
  rows: readonly { alias: string; kind: ProviderKind; name: string }[],
): Promise<void> {
  const column = (name: 'alias' | 'kind' | 'name') => sql.param(rows.map((row) => row[name]))
  // In one statement: each start of the program waits for it.
  await db.execute(sql`
    with wanted as (
      select * from unnest(${column('alias')}::text[], ${column('kind')}::text[], ${column('name')}::text[])
        with ordinality as wanted (alias, kind, name, place)
    ), added as (
      insert into ${modelProviders} (name, kind, environment_alias) select name, kind, alias from wanted order by place
      on conflict do nothing returning id, environment_alias
    )
    insert into ${models} (alias, provider_id, position)
    select wanted.alias, added.id, row_number() over (order by place) + (select coalesce(max(position), -1) from ${models})
    from added join wanted on wanted.alias = added.environment_alias order by place
    on conflict do nothing`)
}

export async function insertProvider(
  db: Executor,
  fields: typeof modelProviders.$inferInsert,
): Promise<number> {
  const [row] = await db.insert(modelProviders).values(fields).returning({ id: modelProviders.id })
  if (row === undefined) throw new Error('an insert returns its row')
  return row.id
}

export async function updateProvider(
  db: Executor,
  { id, ...fields }: { id: number } & Partial<typeof modelProviders.$inferInsert>,
): Promise<void> {
  await db.update(modelProviders).set(fields).where(eq(modelProviders.id, id))
}

export async function deleteProviderRow(db: Executor, id: number): Promise<void> {
  await db.delete(modelProviders).where(eq(modelProviders.id, id))
}

export async function insertModel(db: Executor, fields: typeof models.$inferInsert): Promise<number> {
  const [row] = await db.insert(models).values(fields).returning({ id: models.id })
  if (row === undefined) throw new Error('an insert returns its row')
  return row.id
}

export async function updateModel(
  db: Executor,
  { id, ...fields }: { id: number } & Partial<typeof models.$inferInsert>,
): Promise<void> {
  if (Object.values(fields).every((value) => value === undefined)) return
  await db.update(models).set(fields).where(eq(models.id, id))
}

export async function deleteModelRow(db: Executor, id: number): Promise<void> {
  await db.delete(models).where(eq(models.id, id))
}

export async function insertPrice(db: Executor, price: { modelId: number } & PriceRow): Promise<void> {
  await db.insert(modelPrices).values(price)
}

/** A person, whose list is in place of everyone's, or a group, whose list is beside it. */
export type ListOwner = { userId: number } | { groupId: number }

export function listGroupLists(db: Executor) {
  return db
    .select({ groupId: groupModelLists.groupId, name: groups.name, modelIds: groupModelLists.modelIds })
    .from(groupModelLists)
    .innerJoin(groups, eq(groups.id, groupModelLists.groupId))
    .orderBy(asc(byLetters(groups.nameKey)))
}

/** What groups with members give each of them. */
export async function listGivenModels(db: Executor): Promise<{ userId: number; modelIds: number[] }[]> {
  const rows = await db
    .select({ userId: groupMembers.userId, modelIds: groupModelLists.modelIds })
    .from(groupModelLists)
    .innerJoin(groupMembers, eq(groupMembers.groupId, groupModelLists.groupId))
    .where(ne(groupModelLists.groupId, EVERYONE_ID))
  const given = Map.groupBy(rows, ({ userId }) => userId)
  return [...given].map(([userId, lists]) => ({
    userId,
    modelIds: lists.flatMap(({ modelIds }) => modelIds),
  }))
}

export async function existsGroup(db: Executor, id: number): Promise<boolean> {
  return (await db.$count(groups, eq(groups.id, id))) > 0
}

export async function saveGroupList(
  db: Executor,
  { groupId, modelIds }: { groupId: number; modelIds: number[] },
): Promise<void> {
  await db
    .insert(groupModelLists)
    .values({ groupId, modelIds })
    .onConflictDoUpdate({ target: groupModelLists.groupId, set: { modelIds } })
}

export async function deleteGroupList(db: Executor, groupId: number): Promise<void> {
  await db.delete(groupModelLists).where(eq(groupModelLists.groupId, groupId))
}

export function listOwnLists(db: Executor) {
  return db
    .select({ userId: modelLists.userId, username: users.displayUsername, modelIds: modelLists.modelIds })
    .from(modelLists)
    .innerJoin(users, eq(users.id, modelLists.userId))
    .orderBy(asc(byLetters(users.username)))
}

export async function existsPerson(db: Executor, id: number): Promise<boolean> {
  const found = await db.select({ id: users.id }).from(users).where(eq(users.id, id))
  return found.length > 0
}

export async function isAdminNow(db: Executor, id: number): Promise<boolean> {
  const [found] = await db.select({ role: users.role }).from(users).where(eq(users.id, id))
  return found?.role === 'admin'
}

export async function saveOwnList(
  db: Executor,
  { userId, modelIds }: { userId: number; modelIds: number[] },
): Promise<void> {
  await db
    .insert(modelLists)
    .values({ userId, modelIds })
    .onConflictDoUpdate({ target: modelLists.userId, set: { modelIds } })
}

export async function deleteOwnList(db: Executor, userId: number): Promise<void> {
  await db.delete(modelLists).where(eq(modelLists.userId, userId))
}

export async function removeFromLists(db: Executor, modelId: number): Promise<void> {
  for (const lists of [modelLists, groupModelLists]) {
    await db
      .update(lists)
      .set({ modelIds: sql`array_remove(${lists.modelIds}, ${modelId})` })
      .where(sql`${modelId} = any(${lists.modelIds})`)
  }
}

interface Spent {
  alias: string
  month: string
  calls: number
  nanos: number
}

export async function addSpending(db: Executor, spent: readonly Spent[]): Promise<void> {
  // In one order, so that processes that add at once don't wait for each other in a circle.
  const rows = spent
    .toSorted((a, b) => (a.alias < b.alias ? -1 : 1))
    .map(({ alias, month, calls, nanos }) => ({ alias, month, calls, costNanos: nanos }))
  if (rows.length === 0) return
  await db
    .insert(modelSpending)
    .values(rows)
    .onConflictDoUpdate({
      target: [modelSpending.alias, modelSpending.month],
      set: {
        calls: sql`${modelSpending.calls} + excluded.calls`,
        costNanos: sql`${modelSpending.costNanos} + excluded.cost_nanos`,
      },
    })
}

/** In nano-dollars, by alias: of the month, and of all months. */
export async function findSpending(
  db: Executor,
  month: string,
): Promise<Map<string, { month: number; total: number }>> {
  const { rows } = await db.execute<{ alias: string; month: number; total: number }>(sql`
    select alias, coalesce(sum(cost_nanos) filter (where month = ${month}), 0)::double precision as month,
      sum(cost_nanos)::double precision as total
    from ${modelSpending} group by alias`)
  return new Map(rows.map(({ alias, ...spent }) => [alias, spent]))
}

export async function countUses(
  db: Executor,
  alias: string,
): Promise<{ prompts: number; steps: number; schedules: number; evaluations: number }> {
  const named = sql`jsonb_build_array(${alias}::text)`
  const ofSettings = sql`settings::jsonb ->> 'model' = ${alias} or settings::jsonb ->> 'fallbackModel' = ${alias}
    or settings::jsonb -> 'moreFallbackModels' @> ${named}`
  const ofStep = sql`model = ${alias} or fallback_model = ${alias} or settings::jsonb -> 'moreFallbackModels' @> ${named}`
  const { rows } = await db.execute<{
    prompts: number
    steps: number
    schedules: number
    evaluations: number
  }>(sql`
    select (select count(*) from prompts where ${ofSettings})::integer as prompts,
      (select count(*) from chain_steps where ${ofStep})::integer as steps,
      (select count(*) from scheduled_runs where active and chain_id in (select chain_id from chain_steps where ${ofStep}))::integer as schedules,
      (select count(*) from evaluations where status = 'running'
        and (judge_model = ${alias} or targets @> jsonb_build_array(jsonb_build_object('model', ${alias}::text))))::integer as evaluations`)
  return rows[0] ?? { prompts: 0, steps: 0, schedules: 0, evaluations: 0 }
}
