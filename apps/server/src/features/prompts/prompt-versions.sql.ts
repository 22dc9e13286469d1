import type { ListedPromptVersion, NamedBy, PromptSettings, PromptVersion } from '@catenary/contracts'
import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { promptLabels, promptVersions, users } from '../../database/schema/index.ts'
import { clipOf, isLongJson } from '../../database/statements/clipped-text.ts'
import type { Executor } from '../../database/statements/executor.ts'
import { clipFields } from '../../platform/list-page.ts'
import { withSettings } from '../records/records.ts'

const isLongSettings = isLongJson(promptVersions.settings)

const versionColumns = {
  number: promptVersions.number,
  title: promptVersions.title,
  content: promptVersions.content,
  settings: promptVersions.settings,
  note: promptVersions.note,
  author: users.displayUsername,
  createdAt: promptVersions.createdAt,
}

export async function listPromptVersionRows(
  db: Executor,
  { id, before, limit }: { id: number; before: number | undefined; limit: number },
): Promise<(ListedPromptVersion & { namedBy: NamedBy })[]> {
  const { number, contentLength } = promptVersions
  const rows = await db
    .select({
      ...versionColumns,
      namedBy: promptVersions.namedBy,
      content: clipOf(promptVersions.content),
      contentLength,
      settings: sql<PromptSettings | null>`case when not ${isLongSettings} then ${promptVersions.settings} end`,
      isSettingsLong: isLongSettings,
    })
    .from(promptVersions)
    .leftJoin(users, eq(users.id, promptVersions.authorId))
    .where(and(eq(promptVersions.promptId, id), before ? lt(number, before) : undefined))
    .orderBy(desc(number))
    .limit(limit)
  return rows.map(({ contentLength, isSettingsLong, ...row }) => ({
    ...withSettings(row),
    ...clipFields(contentLength, isSettingsLong),
    createdAt: row.createdAt.toISOString(),
  }))
}

export async function findOptionalPromptVersion(
  db: Executor,
  { id, number }: { id: number; number: number },
): Promise<(PromptVersion & { namedBy: NamedBy }) | undefined> {
  const [found] = await db
    .select({ ...versionColumns, namedBy: promptVersions.namedBy })
    .from(promptVersions)
    .leftJoin(users, eq(users.id, promptVersions.authorId))
    .where(and(eq(promptVersions.promptId, id), eq(promptVersions.number, number)))
  return found && { ...withSettings(found), createdAt: found.createdAt.toISOString() }
}

export interface VersionReference {
  promptId: number
  label: string | null
  number: number | null
}

export function listReferencedVersions(
  db: Executor,
  { references, isClipped }: { references: readonly VersionReference[]; isClipped: boolean },
) {
  const column = (name: keyof VersionReference) => sql.param(references.map((reference) => reference[name]))
  const wanted = sql`unnest(
    ${column('promptId')}::integer[], ${column('label')}::text[], ${column('number')}::integer[]
  ) as wanted (prompt_id, label, number)`
  const { promptId, number, title, content, contentLength, settings, namedBy } = promptVersions
  return db
    .select({
      reference: {
        promptId,
        label: sql<string | null>`wanted.label`,
        number: sql<number | null>`wanted.number`,
      },
      number,
      title,
      settings,
      namedBy,
      content: isClipped ? clipOf(content) : sql<string>`${content}`,
      contentLength,
    })
    .from(wanted)
    .leftJoin(
      promptLabels,
      and(eq(promptLabels.recordId, sql`wanted.prompt_id`), eq(promptLabels.label, sql`wanted.label`)),
    )
    .innerJoin(
      promptVersions,
      and(
        eq(promptId, sql`wanted.prompt_id`),
        eq(number, sql`coalesce(wanted.number, ${promptLabels.version})`),
      ),
    )
}

export async function hasLabel(
  db: Executor,
  { promptId, version }: { promptId: number; version: number },
): Promise<boolean> {
  const holds = and(eq(promptLabels.recordId, promptId), eq(promptLabels.version, version))
  return (await db.$count(promptLabels, holds)) > 0
}

export async function insertPromptVersion(
  db: Executor,
  version: {
    promptId: number
    number: number
    title: string
    content: string
    settings: PromptSettings | null
    namedBy: NamedBy
    note?: string | undefined
    authorId: number
  },
): Promise<void> {
  await db.insert(promptVersions).values(version)
}

export async function updateVersionNames(
  db: Executor,
  { promptId, number, namedBy }: { promptId: number; number: number; namedBy: NamedBy },
): Promise<void> {
  await db
    .update(promptVersions)
    .set({ namedBy })
    .where(and(eq(promptVersions.promptId, promptId), eq(promptVersions.number, number)))
}
