import type { ProtectedLabel } from '@catenary/contracts'
import { asc, eq } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { auditEvents, protectedLabels } from '../../db/schema/index.ts'

/** By name. */
export function listProtectedLabels(executor: Executor): Promise<ProtectedLabel[]> {
  return executor.select().from(protectedLabels).orderBy(asc(protectedLabels.label))
}

export async function upsertProtectedLabel(
  executor: Executor,
  { label, ...rule }: ProtectedLabel,
): Promise<void> {
  await executor
    .insert(protectedLabels)
    .values({ label, ...rule })
    .onConflictDoUpdate({ target: protectedLabels.label, set: rule })
}

/** Whether it was protected. */
export async function deleteProtectedLabel(executor: Executor, label: string): Promise<boolean> {
  const { rowCount } = await executor.delete(protectedLabels).where(eq(protectedLabels.label, label))
  return rowCount === 1
}

/** Records who protected which label, and how. */
export async function insertProtectionEvent(
  executor: Executor,
  event: { actorId: number; action: string; details: object },
): Promise<void> {
  await executor.insert(auditEvents).values({ ...event, objectType: 'label' })
}
