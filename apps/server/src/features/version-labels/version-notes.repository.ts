import type { LabelledKind } from '@catenary/contracts'
import { and, eq } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { chainVersions, promptVersions } from '../../db/schema/index.ts'

/** The one thing of a version that may become another. Gives whether there is such a version. */
export async function updateVersionNote(
  executor: Executor,
  { kind, id, number, note }: { kind: LabelledKind; id: number; number: number; note: string },
): Promise<boolean> {
  const { rowCount } =
    kind === 'chain'
      ? await executor
          .update(chainVersions)
          .set({ note })
          .where(and(eq(chainVersions.chainId, id), eq(chainVersions.number, number)))
      : await executor
          .update(promptVersions)
          .set({ note })
          .where(and(eq(promptVersions.promptId, id), eq(promptVersions.number, number)))
  return rowCount !== 0
}
