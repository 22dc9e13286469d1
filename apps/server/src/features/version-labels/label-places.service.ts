import type { LabelledKind } from '@catenary/contracts'
import type { Executor } from '../../db/executor.ts'
import { listProtectedLabels } from './protected-labels.repository.ts'
import { listLabels } from './version-labels.repository.ts'

/** Which labels each version of a record carries; whether a person may see it is not asked here. */
export async function labelsByVersion(
  executor: Executor,
  record: { kind: LabelledKind; id: number },
): Promise<Map<number, string[]>> {
  const labels = await listLabels(executor, record)
  const versions = Map.groupBy(labels, ({ version }) => version)
  return new Map([...versions].map(([version, there]) => [version, there.map(({ label }) => label)]))
}

/** The labels that are moved only onto versions that passed their test suites, by name. */
export async function labelsNeedingSuite(executor: Executor): Promise<string[]> {
  const rules = await listProtectedLabels(executor)
  return rules.flatMap(({ label, needsSuite }) => (needsSuite ? label : []))
}
