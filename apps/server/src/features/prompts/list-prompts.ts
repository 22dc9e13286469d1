import {
  COUNT_MAX,
  type ListedPrompt,
  type ListPromptsQuery,
  type PromptSort,
  type User,
} from '@catenary/contracts'
import * as z from 'zod'
import { type Context, onePerApp } from '../../platform/context.ts'
import {
  clipFields,
  cursorPosition,
  defineCursor,
  type ListPage,
  type ListRequest,
  toPage,
} from '../../platform/list-page.ts'
import { promptTallies } from '../library/library.ts'
import { groupIdsOf } from '../records/records.ts'
import type { ListedPromptRecord, PromptFilter } from './prompt-lists.sql.ts'
import { preparePromptLists } from './prompt-lists.sql.ts'
import { withRights } from './read-prompts.ts'

const { id, time, text } = cursorPosition

const CURSORS = {
  updated: defineCursor({ list: 'prompts updated', position: z.strictObject({ key: time, id }) }),
  created: defineCursor({ list: 'prompts created', position: z.strictObject({ key: z.literal(''), id }) }),
  title: defineCursor({ list: 'prompts title', position: z.strictObject({ key: text, id }) }),
}

const statements = onePerApp(({ db }) => preparePromptLists(db))

/** What the viewer can see, in the order that they ask for. Throws `invalid` for a cursor of another list. */
export async function listPrompts(
  ctx: Context,
  { user: viewer, query }: ListRequest<{ user: User | null }, ListPromptsQuery>,
): Promise<ListPage<ListedPrompt>> {
  const { sort, limit, cursor, ...filter } = query
  const after = CURSORS[sort].read(cursor)
  const listing = { viewerId: viewer?.id, filter, sort, after, limit: limit + 1 }
  const found = filter.search ? await statements(ctx).find(listing) : undefined
  const records = await statements(ctx).list({ ...listing, ids: found?.ids.slice(0, listing.limit) })
  return toPage({
    rows: records,
    limit,
    total: after ? undefined : await countPrompts(ctx, { ...listing, found: found?.count }),
    toItem: (record) => toListedPrompt(record, viewer),
    cursorOf: (record) => cursorAfter(sort, record),
  })
}

export async function promptListState(ctx: Context, viewer: User | null): Promise<string> {
  const tallies = await promptTallies(ctx)(viewer?.id)
  const state = tallies.map(({ changes }) => changes).join('.')
  if (viewer === null) return state
  // Of a record whose role came by a group nothing else changes as they leave it.
  const groupIds = await groupIdsOf(ctx, viewer)
  return [state, viewer.id, viewer.role, ...groupIds].join('.')
}

interface Counted {
  viewerId: number | undefined
  filter: PromptFilter
  /** How much the search has found, unless that is too much. */
  found: number | undefined
}

async function countPrompts(ctx: Context, { viewerId, filter, found }: Counted) {
  const { search, ownership, categoryId, tagIds = [] } = filter
  if (search) return found === undefined ? { count: COUNT_MAX, isMore: true } : { count: found }
  if (ownership !== 'all' || tagIds.length > 0)
    return { count: await statements(ctx).count({ viewerId, filter }) }
  const tallies = await promptTallies(ctx)(viewerId)
  const counted =
    categoryId === undefined ? tallies : tallies.filter((tally) => tally.categoryId === categoryId)
  return { count: counted.reduce((sum, { prompts }) => sum + prompts, 0) }
}

function toListedPrompt(record: ListedPromptRecord, viewer: User | null): ListedPrompt {
  const { contentLength, isSettingsLong, titleOrder: _, ...prompt } = record
  return { ...withRights(prompt, viewer), ...clipFields(contentLength, isSettingsLong) }
}

function cursorAfter(sort: PromptSort, { id, updatedAt, titleOrder }: ListedPromptRecord): string {
  if (sort === 'created') return CURSORS.created.write({ key: '', id })
  return CURSORS[sort].write({ key: sort === 'title' ? titleOrder : updatedAt, id })
}
