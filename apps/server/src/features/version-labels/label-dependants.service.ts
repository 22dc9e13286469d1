import type { LabelDependants, LabelledKind, User } from '@catenary/contracts'
import type { Executor } from '../../db/executor.ts'

/** What asks for a label of a record, as far as the person may see it. */
export async function findDependants(
  _executor: Executor,
  _wanted: { kind: LabelledKind; id: number; label: string; user: User | null },
): Promise<LabelDependants> {
  return { chains: [], schedules: [], tokens: [], hidden: 0 }
}
