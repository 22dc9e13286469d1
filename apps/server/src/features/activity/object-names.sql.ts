import type { ActivityObject } from '@catenary/contracts'
import { and, eq, inArray, ne, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import {
  apiTokens,
  backups,
  categories,
  chains,
  groups,
  labelMoves,
  modelProviders,
  models,
  prompts,
  scheduledRuns,
  tags,
  testSuites,
  users,
  variables,
  views,
} from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'
import {
  chainsVisibleTo,
  groupsOf,
  promptsVisibleTo,
  variablesVisibleTo,
} from '../../database/statements/visible-rows.ts'

interface Named {
  table: PgTable
  id: PgColumn
  name: PgColumn
  /** Absent: everyone sees the name. */
  isSeenBy?: (viewerId: Placeholder) => SQL | undefined
}

/** Whose names are read for a reader of the activity, as no row of it has them. */
const NAMED: Partial<Record<ActivityObject, Named>> = {
  account: { table: users, id: users.id, name: users.displayUsername },
  backup: { table: backups, id: backups.id, name: backups.name },
  category: { table: categories, id: categories.id, name: categories.name },
  chain: { table: chains, id: chains.id, name: chains.name, isSeenBy: chainsVisibleTo },
  group: { table: groups, id: groups.id, name: groups.name, isSeenBy: isSeenGroup },
  model: { table: models, id: models.id, name: models.alias },
  model_provider: { table: modelProviders, id: modelProviders.id, name: modelProviders.name },
  prompt: { table: prompts, id: prompts.id, name: prompts.title, isSeenBy: promptsVisibleTo },
  schedule: {
    table: scheduledRuns,
    id: scheduledRuns.id,
    name: scheduledRuns.name,
    isSeenBy: (viewerId) => eq(scheduledRuns.createdBy, viewerId),
  },
  suite: {
    table: testSuites,
    id: testSuites.id,
    name: testSuites.name,
    isSeenBy: (viewerId) => eq(testSuites.ownerId, viewerId),
  },
  tag: { table: tags, id: tags.id, name: tags.name },
  token: {
    table: apiTokens,
    id: apiTokens.id,
    name: apiTokens.name,
    isSeenBy: (viewerId) => eq(apiTokens.createdBy, viewerId),
  },
  variable: { table: variables, id: variables.id, name: variables.name, isSeenBy: variablesVisibleTo },
  view: { table: views, id: views.id, name: views.name, isSeenBy: (viewerId) => eq(views.ownerId, viewerId) },
}

/** Its members, and admins. */
function isSeenGroup(viewerId: Placeholder): SQL {
  return sql`(
    ${groups.id} = any(array(${groupsOf(viewerId)}))
    or exists (select from ${users} where ${users.id} = ${viewerId} and ${users.role} = 'admin')
  )`
}

interface WantedNames {
  type: ActivityObject
  ids: number[]
  viewerId: number
}

/** The current names of these, by id: those that the viewer may see. */
export async function readObjectNames(
  db: Executor,
  { type, ids, viewerId }: WantedNames,
): Promise<Map<number, string>> {
  const rows = await listNamed(db, { type, ids, viewerId })
  return new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])))
}

interface NamedRow {
  id: number
  name: string | null
}

async function listNamed(db: Executor, { type, ids, viewerId }: WantedNames): Promise<NamedRow[]> {
  const named = NAMED[type]
  if (named === undefined) return []
  const { table, id, name, isSeenBy } = named
  const rows = await db
    .select({ id, name })
    .from(table)
    .where(and(sql`${id} = any(${sql.placeholder('ids')})`, isSeenBy?.(sql.placeholder('viewerId'))))
    .prepare(`list_names_of_${type}`)
    .execute({ ids, viewerId })
  return rows as NamedRow[]
}

/** Why labels were moved, by the id of the move: of those where something was said. */
export async function readMoveReasons(db: Executor, ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const { id, reason } = labelMoves
  const rows = await db
    .select({ id, reason })
    .from(labelMoves)
    .where(and(inArray(id, ids), ne(reason, '')))
  return new Map(rows.map((row) => [row.id, row.reason]))
}
