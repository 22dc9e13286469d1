import type { KeptStep, Ownership, PromptSettings } from '@catenary/contracts'
import type { FolderSkill } from '@catenary/domain/folder'
import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm'
import { asciiKey } from '../../database/schema/columns.ts'
import {
  categories,
  chainLabels,
  chainSteps,
  chains,
  chainVersions,
  promptLabels,
  promptSkills,
  prompts,
  promptVersions,
  testCases,
  testSuites,
} from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'
import { readNames } from '../../database/statements/named-rows.ts'
import { chainColumns, promptTagList } from '../../database/statements/record-columns.ts'
import { chainsVisibleTo, isSharedWith, promptsVisibleTo } from '../../database/statements/visible-rows.ts'
import { withKeptSettings, withSettings } from '../records/records.ts'

export interface Scope {
  userId: number
  ownership: Ownership
  promptIds: readonly number[] | undefined
  chainIds: readonly number[] | undefined
  label: string | undefined
}

export interface Placed {
  id: number
  slug: string
  length: number
}

/** By code points, so that every database agrees: equal slugs of two people's records get names of their own. */
async function inOrder(
  db: Executor,
  { kind, userId, rows }: { kind: 'prompt' | 'chain'; userId: number; rows: readonly Placed[] },
): Promise<Placed[]> {
  const names = await readNames(db, { kind, ids: rows.map(({ id }) => id), viewerId: userId })
  return rows
    .map((row) => ({ ...row, slug: names.get(row.id) ?? row.slug }))
    .toSorted((a, b) => (a.slug < b.slug ? -1 : 1))
}

const among = (column: typeof prompts.id | typeof chains.id, ids: readonly number[] | undefined) =>
  ids === undefined ? undefined : sql`${column} = any(${sql.param([...ids])}::integer[])`

function hasLabel({
  labels,
  id,
  label,
}: {
  labels: typeof promptLabels | typeof chainLabels
  id: typeof prompts.id | typeof chains.id
  label: string | undefined
}) {
  if (label === undefined) return undefined
  return sql`exists (select from ${labels} where ${labels.recordId} = ${id} and ${labels.label} = ${label})`
}

export async function listExportedPrompts(db: Executor, scope: Scope): Promise<Placed[]> {
  const { userId, ownership, promptIds, label } = scope
  const isOwn = eq(prompts.ownerId, userId)
  const own = {
    all: undefined,
    mine: isOwn,
    shared: and(ne(prompts.ownerId, userId), isSharedWith('prompt', userId)),
  }
  const rows = await db
    .select({ id: prompts.id, slug: prompts.slug, length: prompts.contentLength })
    .from(prompts)
    .where(
      and(
        promptsVisibleTo(userId),
        own[ownership],
        among(prompts.id, promptIds),
        hasLabel({ labels: promptLabels, id: prompts.id, label }),
      ),
    )
  return inOrder(db, { kind: 'prompt', userId, rows })
}

export interface ExportedPrompt {
  id: number
  slug: string
  title: string
  content: string
  settings: PromptSettings | null
  category: string
  tags: { name: string }[]
  isActive: boolean
}

interface Wanted {
  ids: readonly number[]
  label: string | undefined
}

/** As they are, or as their version of the label has it; those that are gone are absent. */
export function readExportedPrompts(db: Executor, { ids, label }: Wanted): Promise<ExportedPrompt[]> {
  const { id, slug, isActive } = prompts
  const shown = { id, slug, isActive, category: categories.name, tags: promptTagList }
  const isWanted = among(id, ids)
  if (label === undefined) {
    const { title, content, settings } = prompts
    return db
      .select({ ...shown, title, content, settings })
      .from(prompts)
      .innerJoin(categories, eq(categories.id, prompts.categoryId))
      .where(isWanted)
  }
  const { title, content, settings } = promptVersions
  return db
    .select({ ...shown, title, content, settings })
    .from(prompts)
    .innerJoin(categories, eq(categories.id, prompts.categoryId))
    .innerJoin(promptLabels, and(eq(promptLabels.recordId, id), eq(promptLabels.label, label)))
    .innerJoin(
      promptVersions,
      and(eq(promptVersions.promptId, id), eq(promptVersions.number, promptLabels.version)),
    )
    .where(isWanted)
}

/** What makes prompts skills, by the prompt; a part that is a prompt which the person does not see is left out. */
export async function readSkills(
  db: Executor,
  { ids, userId }: { ids: readonly number[]; userId: number },
): Promise<Map<number, FolderSkill>> {
  const { promptId, description, parts } = promptSkills
  const rows = await db
    .select({ promptId, description, parts })
    .from(promptSkills)
    .where(sql`${promptId} = any(${sql.param([...ids])}::integer[])`)
  const linked = rows.flatMap((row) => row.parts.flatMap((part) => part.promptId ?? []))
  const slugs = await readSlugs(db, { ids: linked, userId })
  return new Map(
    rows.map((row) => {
      const shown = row.parts.flatMap(({ path, promptId: id, variable }): FolderSkill['parts'] => {
        const prompt = id === undefined ? undefined : slugs.get(id)
        if (prompt !== undefined) return [{ path, prompt }]
        return variable === undefined ? [] : [{ path, variable }]
      })
      return [row.promptId, { description: row.description, parts: shown }]
    }),
  )
}

export async function listExportedChains(db: Executor, scope: Scope): Promise<Placed[]> {
  const { userId, ownership, chainIds, label } = scope
  const isOwn = eq(chains.ownerId, userId)
  const isShared = and(ne(chains.ownerId, userId), isSharedWith('chain', userId))
  const own = { all: undefined, mine: isOwn, shared: isShared }
  const rows = await db
    .select({ id: chains.id, slug: chains.slug, length: sql<number>`0` })
    .from(chains)
    .where(
      and(
        chainsVisibleTo(userId),
        own[ownership],
        among(chains.id, chainIds),
        hasLabel({ labels: chainLabels, id: chains.id, label }),
      ),
    )
  return inOrder(db, { kind: 'chain', userId, rows })
}

export async function findExportedChain(db: Executor, id: number) {
  const {
    slug,
    name,
    description,
    stopsWithoutValue,
    stopsWhenCut,
    runsVisibleTo,
    exampleRequests,
    asksFirst,
  } = chains
  const [found] = await db
    .select({
      slug,
      name,
      description,
      stopsWithoutValue,
      stopsWhenCut,
      runsVisibleTo,
      exampleRequests,
      asksFirst,
      tags: chainColumns.tags,
    })
    .from(chains)
    .where(eq(chains.id, id))
  return found
}

type KeptRow = Omit<KeptStep, 'settings'> & { settings?: string }

export async function readExportedSteps(db: Executor, chainId: number) {
  const rows = await db
    .select()
    .from(chainSteps)
    .where(eq(chainSteps.chainId, chainId))
    .orderBy(asc(chainSteps.position), asc(chainSteps.id))
  return rows.map(withSettings)
}

export async function findExportedVersion(db: Executor, { id, label }: { id: number; label: string }) {
  const { name, description, stopsWithoutValue, stopsWhenCut, steps } = chainVersions
  const [found] = await db
    .select({ name, description, stopsWithoutValue, stopsWhenCut, steps })
    .from(chainVersions)
    .innerJoin(
      chainLabels,
      and(eq(chainLabels.recordId, chainVersions.chainId), eq(chainLabels.label, label)),
    )
    .where(and(eq(chainVersions.chainId, id), eq(chainVersions.number, chainLabels.version)))
  // The type doesn't say how a version keeps settings.
  return found && { ...found, steps: (found.steps as unknown as KeptRow[]).map(withKeptSettings) }
}

export async function readSlugs(
  db: Executor,
  { ids, userId }: { ids: readonly number[]; userId: number },
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: prompts.id, slug: prompts.slug })
    .from(prompts)
    .where(and(inArray(prompts.id, [...ids]), promptsVisibleTo(userId)))
  const names = await readNames(db, { kind: 'prompt', ids, viewerId: userId })
  return new Map(rows.map(({ id, slug }) => [id, names.get(id) ?? slug]))
}

export function listExportedSuites(
  db: Executor,
  { kind, ids }: { kind: 'prompt' | 'chain'; ids: readonly number[] },
) {
  const of = kind === 'prompt' ? testSuites.promptId : testSuites.chainId
  return db
    .select({ id: testSuites.id, recordId: sql<number>`${of}`, name: testSuites.name })
    .from(testSuites)
    .where(sql`${of} = any(${sql.param([...ids])}::integer[])`)
    .orderBy(asc(asciiKey(testSuites.name)), asc(testSuites.id))
}

export async function findExportedSuite(db: Executor, id: number) {
  const [suite] = await db.select().from(testSuites).where(eq(testSuites.id, id))
  if (suite === undefined) return undefined
  const cases = await db
    .select()
    .from(testCases)
    .where(eq(testCases.suiteId, id))
    .orderBy(asc(testCases.position), asc(testCases.id))
  return { suite, cases }
}
