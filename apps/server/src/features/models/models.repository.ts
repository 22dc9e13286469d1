import type { ProviderKind } from '@catenary/contracts'
import { asc, desc, eq, sql } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { auditEvents, modelPrices, modelProviders, models, users } from '../../db/schema/index.ts'

export type ProviderRow = typeof modelProviders.$inferSelect & { addedByName: string | null }
export type ModelRow = typeof models.$inferSelect
export type PriceRow = Pick<typeof modelPrices.$inferSelect, 'input' | 'output' | 'cached'>

/** In the order in which they were added. */
export async function listProviders(executor: Executor): Promise<ProviderRow[]> {
  const rows = await executor
    .select({ provider: modelProviders, addedByName: users.displayUsername })
    .from(modelProviders)
    .leftJoin(users, eq(users.id, modelProviders.addedBy))
    .orderBy(asc(modelProviders.id))
  return rows.map(({ provider, addedByName }) => ({ ...provider, addedByName }))
}

/** In the order in which people see them, each with its price in force, where one was set. */
export async function listModels(executor: Executor): Promise<(ModelRow & { price: PriceRow | null })[]> {
  const rows = await executor.select().from(models).orderBy(asc(models.position), asc(models.id))
  const latest = await executor
    .selectDistinctOn([modelPrices.modelId])
    .from(modelPrices)
    .orderBy(modelPrices.modelId, desc(modelPrices.id))
  const prices = new Map(latest.map((price) => [price.modelId, price]))
  return rows.map((row) => ({ ...row, price: prices.get(row.id) ?? null }))
}

/** Keeps other changes of the registry waiting until the transaction ends. */
export async function lockRegistry(executor: Executor): Promise<void> {
  await executor.execute(sql`lock table ${modelProviders} in share row exclusive mode`)
}

/** Adds the environment's models that have no row yet, unless another has their alias. */
export async function addEnvironmentRows(
  executor: Executor,
  rows: readonly { alias: string; kind: ProviderKind; name: string }[],
): Promise<void> {
  const column = (name: 'alias' | 'kind' | 'name') => sql.param(rows.map((row) => row[name]))
  // In one statement: each start of the program waits for it.
  await executor.execute(sql`
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
  executor: Executor,
  fields: typeof modelProviders.$inferInsert,
): Promise<number> {
  const [row] = await executor.insert(modelProviders).values(fields).returning({ id: modelProviders.id })
  if (row === undefined) throw new Error('an insert returns its row')
  return row.id
}

export async function updateProvider(
  executor: Executor,
  { id, ...fields }: { id: number } & Partial<typeof modelProviders.$inferInsert>,
): Promise<void> {
  await executor.update(modelProviders).set(fields).where(eq(modelProviders.id, id))
}

export async function deleteProviderRow(executor: Executor, id: number): Promise<void> {
  await executor.delete(modelProviders).where(eq(modelProviders.id, id))
}

export async function insertModel(executor: Executor, fields: typeof models.$inferInsert): Promise<number> {
  const [row] = await executor.insert(models).values(fields).returning({ id: models.id })
  if (row === undefined) throw new Error('an insert returns its row')
  return row.id
}

export async function updateModel(
  executor: Executor,
  { id, ...fields }: { id: number } & Partial<typeof models.$inferInsert>,
): Promise<void> {
  if (Object.values(fields).every((value) => value === undefined)) return
  await executor.update(models).set(fields).where(eq(models.id, id))
}

export async function deleteModelRow(executor: Executor, id: number): Promise<void> {
  await executor.delete(models).where(eq(models.id, id))
}

/** The price from now on. */
export async function insertPrice(executor: Executor, price: { modelId: number } & PriceRow): Promise<void> {
  await executor.insert(modelPrices).values(price)
}

/** Records who changed what of the registry. */
export async function insertRegistryEvent(
  executor: Executor,
  event: {
    actorId: number
    action: string
    objectType: 'model' | 'model_provider'
    objectId: number
    details: object
  },
): Promise<void> {
  await executor.insert(auditEvents).values(event)
}

/** Records who set which list for whom. */
export async function insertListEvent(
  executor: Executor,
  { userId, ...event }: { actorId: number; userId: number; details: object },
): Promise<void> {
  await executor
    .insert(auditEvents)
    .values({ ...event, action: 'model.list_changed', objectType: 'user', objectId: userId })
}
