import type { ListPromptsQuery, Ownership } from '@catenary/contracts'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { prompts, promptTags } from '../../db/schema/index.ts'
import { containing, hasTrigram, isInTitlesAlone } from '../../db/sql/text-search.ts'
import { promptsSharedWith } from '../../db/sql/visible-rows.ts'

export type PromptFilter = Pick<
  ListPromptsQuery,
  'search' | 'searchIn' | 'ownership' | 'categoryId' | 'tagIds'
>

export interface ListScope {
  viewerId: number | undefined
  filter: PromptFilter
}

/** Where a statement looks for the text of a search. */
type SearchedText = 'index' | 'text' | 'title' | 'index and title'

/** What statements differ in; everything else is a value. */
export interface Shape {
  isGuest: boolean
  ownership: Ownership
  hasCategory: boolean
  hasTags: boolean
  text: SearchedText | undefined
}

export type Values = Record<string, unknown>

const value = sql.placeholder
const { id } = prompts

/** The rows that `canSeePrompt` lets the viewer see, in parts that each have indexes of their own. */
export function visibleParts({ isGuest, ownership }: Shape): (SQL | undefined)[] {
  const viewerId = value('viewerId')
  const isPublic = sql`${prompts.isPublic}`
  const isPrivate = sql`not ${prompts.isPublic}`
  const isOwn = eq(prompts.ownerId, viewerId)
  const isShared = promptsSharedWith(viewerId)
  if (ownership === 'mine') return [and(isPublic, isOwn), and(isPrivate, isOwn)]
  if (ownership === 'shared') return [isShared]
  return isGuest ? [isPublic] : [isPublic, and(isPrivate, isOwn), and(isPrivate, isShared)]
}

const inText = sql`strpos(${prompts.searched}, lower(${value('search')})) > 0`
const inTitle = sql`strpos(lower(${prompts.title}), lower(${value('search')})) > 0`
const inIndex = sql`${prompts.searched} like lower(${value('pattern')})`

const SEARCHED: Record<SearchedText, SQL | undefined> = {
  index: inIndex,
  text: inText,
  title: inTitle,
  'index and title': and(inIndex, inTitle),
}

export function isMatch({ hasCategory, hasTags, text }: Shape): SQL | undefined {
  const isTagged = sql`${id} in (
    select ${promptTags.promptId} from ${promptTags} where ${promptTags.tagId} = any(${value('tagIds')}::integer[])
  )`
  return and(
    hasCategory ? eq(prompts.categoryId, value('categoryId')) : undefined,
    hasTags ? isTagged : undefined,
    text && SEARCHED[text],
  )
}

export function searchedText(
  { search, searchIn }: PromptFilter,
  { byIndex }: { byIndex: boolean },
): SearchedText | undefined {
  if (!search) return undefined
  const isTitle = searchIn === 'title' || isInTitlesAlone(search)
  if (byIndex && hasTrigram(search)) return isTitle ? 'index and title' : 'index'
  return isTitle ? 'title' : 'text'
}

export function shapeOf({ viewerId, filter }: ListScope, text: SearchedText | undefined): Shape {
  const { ownership, categoryId, tagIds = [] } = filter
  return {
    isGuest: viewerId === undefined,
    ownership,
    hasCategory: categoryId !== undefined,
    hasTags: tagIds.length > 0,
    text,
  }
}

export function valuesOf({ viewerId, filter: { search = '', categoryId, tagIds } }: ListScope): Values {
  return { viewerId, search, pattern: containing(search), categoryId, tagIds }
}
