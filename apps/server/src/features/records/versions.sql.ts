import { LATEST_LABEL, type RecordKind } from '@catenary/contracts'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { chainLabels, chainVersions, promptVersions } from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'
import { violatedConstraint } from '../../database/statements/violated-constraint.ts'
import { withKeptSettings, withSettings } from './model-settings.ts'
import { type RecordKey, TABLES } from './record-kinds.sql.ts'
import type { VersionDeletion } from './version-errors.ts'

/** Which version is meant: the one with the label, or with the number; of neither the newest. */
export interface VersionChoice {
  label?: string | null | undefined
  version?: number | null | undefined
}

function numberOf(kind: RecordKind, { label, version }: VersionChoice): SQL {
  const { labels, records, ofVersion } = TABLES[kind]
  if (version != null) return sql`${version}`
  if (label == null || label === LATEST_LABEL) {
    return sql`(select ${records.version} from ${records} where ${records.id} = ${ofVersion})`
  }
  return sql`(
    select ${labels.version} from ${labels} where ${labels.recordId} = ${ofVersion} and ${labels.label} = ${label}
  )`
}

export async function findOptionalVersionOfPrompt(
  db: Executor,
  { promptId, ...choice }: VersionChoice & { promptId: number },
) {
  const { number, title, content, namedBy } = promptVersions
  const wanted = numberOf('prompt', choice)
  const [found] = await db
    .select({ number, title, content, namedBy, settings: promptVersions.settings })
    .from(promptVersions)
    .where(and(eq(promptVersions.promptId, promptId), sql`${number} = ${wanted}`))
  return found && withSettings(found)
}

export async function findOptionalVersionOfChain(
  db: Executor,
  { chainId, ...choice }: VersionChoice & { chainId: number },
) {
  const { number, name, stopsWithoutValue, stopsWhenCut, steps, namedBy } = chainVersions
  const wanted = numberOf('chain', choice)
  const [found] = await db
    .select({ number, name, stopsWithoutValue, stopsWhenCut, steps, namedBy })
    .from(chainVersions)
    .where(and(eq(chainVersions.chainId, chainId), sql`${number} = ${wanted}`))
  if (found === undefined) return undefined
  const { namedBy: ofSteps, ...version } = found
  const withNames = found.steps.map((step) => ({
    ...withKeptSettings(step),
    namedBy: ofSteps[step.id] ?? {},
  }))
  return { ...version, steps: withNames }
}

interface VersionKey extends RecordKey {
  number: number
}

function isVersion({ kind, id, number }: VersionKey): SQL | undefined {
  const { versions, ofVersion } = TABLES[kind]
  return and(eq(ofVersion, id), eq(versions.number, number))
}

export async function hasVersion(db: Executor, version: VersionKey): Promise<boolean> {
  return (await db.$count(TABLES[version.kind].versions, isVersion(version))) > 0
}

export function countVersionRows(db: Executor, { kind, id }: RecordKey): Promise<number> {
  const { versions, ofVersion } = TABLES[kind]
  return db.$count(versions, eq(ofVersion, id))
}

/** The one part of a version that may change. Returns whether there is such a version. */
export async function updateVersionNote(
  db: Executor,
  { note, ...version }: VersionKey & { note: string },
): Promise<boolean> {
  const { rowCount } = await db.update(TABLES[version.kind].versions).set({ note }).where(isVersion(version))
  return rowCount !== 0
}

export async function deleteVersionRow(db: Executor, version: VersionKey): Promise<VersionDeletion> {
  if (version.kind === 'prompt' && (await isReleasedInChain(db, version))) return 'held'
  try {
    const { rowCount } = await db.delete(TABLES[version.kind].versions).where(isVersion(version))
    return rowCount === 0 ? 'absent' : 'deleted'
  } catch (error) {
    if (violatedConstraint(error) === undefined) throw error
    return 'held'
  }
}

async function isReleasedInChain(
  db: Executor,
  { id, number }: Pick<VersionKey, 'id' | 'number'>,
): Promise<boolean> {
  const link = JSON.stringify([{ promptId: id, promptVersion: number }])
  const found = await db
    .select({ id: chainVersions.id })
    .from(chainVersions)
    .innerJoin(
      chainLabels,
      and(eq(chainLabels.recordId, chainVersions.chainId), eq(chainLabels.version, chainVersions.number)),
    )
    .where(sql`${chainVersions.steps} @> ${link}::jsonb`)
    .limit(1)
  return found.length > 0
}
