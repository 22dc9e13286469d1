import {
  LATEST_LABEL,
  type ListServedPromptsQuery,
  type NamedBy,
  type PromptSettings,
} from '@catenary/contracts'
import { and, asc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import { byLetters } from '../../../database/schema/columns.ts'
import {
  promptLabels,
  promptNames,
  prompts,
  promptTags,
  promptVersions,
  tags,
} from '../../../database/schema/index.ts'
import type { Database, Executor } from '../../../database/statements/executor.ts'
import { hasNameKey, keyOrderOf } from '../../../database/statements/name-keys.ts'
import { meantFirst } from '../../../database/statements/named-rows.ts'
import { preparePlain, underKeys } from '../../../database/statements/plain-statement.ts'
import { promptsInAllOf } from '../../../database/statements/visible-rows.ts'
import { isPromptWithin } from '../reach.sql.ts'

/** Of each prompt in a list. */
const VERSIONS_LISTED = 500

export interface ServedVersion {
  number: number
  title: string
  content: string
  settings: PromptSettings | null
  namedBy: NamedBy
  note: string
  /** That point to it, `latest` last where it is the newest. */
  labels: string[]
}

interface FoundVersion {
  promptId: number
  number: number
  title: string
  content: string
  settings: PromptSettings | null
  namedBy: NamedBy
}

export async function findServedVersion(
  db: Executor,
  { promptId, ...version }: FoundVersion,
): Promise<ServedVersion> {
  const [facts] = await db
    .select({
      note: promptVersions.note,
      isNewest: sql<boolean>`${promptVersions.number} = ${prompts.version}`,
      labels: sql<string[]>`array(
        select ${promptLabels.label} from ${promptLabels}
        where ${promptLabels.recordId} = ${prompts.id} and ${promptLabels.version} = ${promptVersions.number}
        order by 1
      )`,
    })
    .from(promptVersions)
    .innerJoin(prompts, eq(prompts.id, promptVersions.promptId))
    .where(and(eq(promptVersions.promptId, promptId), eq(promptVersions.number, version.number)))
  const { note = '', isNewest = false, labels = [] } = facts ?? {}
  return { ...version, note, labels: isNewest ? [...labels, LATEST_LABEL] : labels }
}

type Filter = Omit<ListServedPromptsQuery, 'page' | 'limit'> & {
  reach: Parameters<typeof isPromptWithin>[0]
}

function isServed({
  reach,
  name,
  label,
  tag,
  fromUpdatedAt: from,
  toUpdatedAt: to,
}: Filter): SQL | undefined {
  const hasLabel = sql`exists (
    select from ${promptLabels} where ${promptLabels.recordId} = ${prompts.id} and ${promptLabels.label} = ${label})`
  const hasTag = sql`exists (
    select from ${promptTags} inner join ${tags} on ${tags.id} = ${promptTags.tagId}
    where ${promptTags.promptId} = ${prompts.id} and ${hasNameKey(tags, tag ?? '')})`
  return and(
    isPromptWithin(reach),
    name === undefined ? undefined : eq(prompts.slug, name),
    label === undefined || label === LATEST_LABEL ? undefined : hasLabel,
    tag === undefined ? undefined : hasTag,
    from === undefined ? undefined : gte(prompts.updatedAt, new Date(from)),
    to === undefined ? undefined : lt(prompts.updatedAt, new Date(to)),
  )
}

export function countServedPrompts(db: Executor, filter: Filter): Promise<number> {
  return db.$count(prompts, isServed(filter))
}

/** With its table's name, which Drizzle leaves away where only one table is read. */
const ownId = sql.raw('prompts.id')

/** By their slugs, each with the numbers of its versions, its labels and its tags. */
export function listServedPrompts(
  db: Executor,
  { page, limit, ...filter }: Filter & { page: number; limit: number },
) {
  return db
    .select({
      name: prompts.slug,
      updatedAt: prompts.updatedAt,
      versions: sql<number[]>`array(
        select number from (
          select ${promptVersions.number} as number from ${promptVersions} where ${promptVersions.promptId} = ${ownId}
          order by 1 desc limit ${VERSIONS_LISTED}
        ) as newest order by 1
      )`,
      labels: sql<string[]>`array(
        select ${promptLabels.label} from ${promptLabels} where ${promptLabels.recordId} = ${ownId} order by 1
      )`,
      tags: sql<string[]>`array(
        select ${tags.name} from ${promptTags} inner join ${tags} on ${tags.id} = ${promptTags.tagId}
        where ${promptTags.promptId} = ${ownId} order by ${keyOrderOf(tags)}
      )`,
    })
    .from(prompts)
    .where(isServed(filter))
    .orderBy(asc(byLetters(prompts.slug)))
    .limit(limit)
    .offset((page - 1) * limit)
}

/** Of all that a person's tokens may reach the prompt with the id, or the one that they mean by the name (D48). */
export async function findPromptOfAll(
  db: Executor,
  { id, name, userId }: { userId: number } & ({ id: number; name?: never } | { name: string; id?: never }),
): Promise<number | undefined> {
  const [found] = await db
    .select({ id: prompts.id })
    .from(prompts)
    .leftJoin(promptNames, and(eq(promptNames.recordId, prompts.id), eq(promptNames.name, name ?? '')))
    .where(
      and(promptsInAllOf(userId), id === undefined ? eq(promptNames.name, name ?? '') : eq(prompts.id, id)),
    )
    .orderBy(meantFirst('prompt', userId))
    .limit(1)
  return found?.id
}

interface WantedName {
  name: string
  userId: number
  promptIds: readonly number[]
}

/** The prompt within reach that the person means by the name (D48); plain, as each fetch asks that is not answered from memory. */
export function preparePromptOfName(db: Database): (wanted: WantedName) => Promise<number | undefined> {
  const value = sql.placeholder
  const find = preparePlain<WantedName, { id: number }>({
    db,
    name: 'find_prompt_of_name',
    query: db
      .select(underKeys({ id: promptNames.recordId }))
      .from(promptNames)
      .innerJoin(prompts, eq(prompts.id, promptNames.recordId))
      .where(
        and(
          eq(promptNames.name, value('name')),
          sql`${promptNames.recordId} = any(${value('promptIds')}::integer[])`,
        ),
      )
      .orderBy(meantFirst('prompt', value('userId')))
      .limit(1),
    readerOf: (name) => (wanted) => wanted[name as keyof WantedName],
  })
  return async (wanted) => (await find(wanted))[0]?.id
}
