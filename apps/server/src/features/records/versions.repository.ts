import { LATEST_LABEL } from '@catenary/contracts'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import {
  chainLabels,
  chains,
  chainVersions,
  promptLabels,
  prompts,
  promptVersions,
} from '../../db/schema/index.ts'
import type { RecordKey } from './record-port.ts'

/** Which version is meant: the one with the label, or with the number; of neither the newest. */
export interface VersionChoice {
  label?: string | null | undefined
  version?: number | null | undefined
}

type Parts =
  | { labels: typeof promptLabels; records: typeof prompts; recordId: typeof promptVersions.promptId }
  | { labels: typeof chainLabels; records: typeof chains; recordId: typeof chainVersions.chainId }

/** The number that is meant, as part of a statement. */
function numberOf({ labels, records, recordId }: Parts, { label, version }: VersionChoice): SQL {
  if (version != null) return sql`${version}`
  if (label == null || label === LATEST_LABEL) {
    return sql`(select ${records.version} from ${records} where ${records.id} = ${recordId})`
  }
  return sql`(
    select ${labels.version} from ${labels} where ${labels.recordId} = ${recordId} and ${labels.label} = ${label}
  )`
}

export async function findOptionalVersionOfPrompt(
  executor: Executor,
  { promptId, ...choice }: VersionChoice & { promptId: number },
) {
  const { number, title, content } = promptVersions
  const wanted = numberOf(
    { labels: promptLabels, records: prompts, recordId: promptVersions.promptId },
    choice,
  )
  const [found] = await executor
    .select({ number, title, content })
    .from(promptVersions)
    .where(and(eq(promptVersions.promptId, promptId), sql`${number} = ${wanted}`))
  return found
}

export async function findOptionalVersionOfChain(
  executor: Executor,
  { chainId, ...choice }: VersionChoice & { chainId: number },
) {
  const { number, name, stopsWithoutValue, steps } = chainVersions
  const wanted = numberOf({ labels: chainLabels, records: chains, recordId: chainVersions.chainId }, choice)
  const [found] = await executor
    .select({ number, name, stopsWithoutValue, steps })
    .from(chainVersions)
    .where(and(eq(chainVersions.chainId, chainId), sql`${number} = ${wanted}`))
  return found
}

/** The one thing of a version that may become another. Gives whether there is such a version. */
export async function updateVersionNote(
  executor: Executor,
  { kind, id, number, note }: RecordKey & { number: number; note: string },
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
