import { type ListPromptsQuery, type Ownership, searchWords } from '@catenary/contracts'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { prompts, promptTags } from '../../database/schema/index.ts'
import { promptTitleWords, promptWords } from '../../database/statements/prompt-search.ts'
import { areInTitlesAlone, containing, hasTrigram } from '../../database/statements/text-search.ts'
import { isSharedWith } from '../../database/statements/visible-rows.ts'

export type PromptFilter = Pick<
  ListPromptsQuery,
  'search' | 'searchIn' | 'ownership' | 'categoryId' | 'tagIds'
>

export interface ListScope {
  viewerId: number | undefined
  filter: PromptFilter
}

interface SearchedText {
  in: 'text' | 'title'
  /** More than a few share one parameter. */
  words: number | 'many'
  patterns: number
}

/** What statements differ in; everything else is a value. */
export interface Shape {
  isGuest: boolean
  ownership: Ownership
  hasCategory: boolean
  hasTags: boolean
  searchesIn: SearchedText['in'] | undefined
  words: SearchedText['words']
  patterns: number
}

export type Values = Record<string, unknown>

const value = sql.placeholder
const { id } = prompts

/** The rows that `canViewRecord` lets the viewer see, in parts that each have indexes of their own. */
export function visibleParts({ isGuest, ownership }: Shape): (SQL | undefined)[] {
  const viewerId = value('viewerId')
  const isPublic = sql`${prompts.isPublic}`
  const isPrivate = sql`not ${prompts.isPublic}`
  const isOwn = eq(prompts.ownerId, viewerId)
  const isShared = isSharedWith('prompt', viewerId)
  if (ownership === 'mine') return [and(isPublic, isOwn), and(isPrivate, isOwn)]
  if (ownership === 'shared') return [isShared]
  return isGuest ? [isPublic] : [isPublic, and(isPrivate, isOwn), and(isPrivate, isShared)]
}

const MANY = 4
const numbers = (count: number) => Array.from({ length: count }, (_, number) => number)

function hasEachWord(text: SQL, words: Shape['words']): SQL | undefined {
  if (words === 'many') {
    const missing = sql`select from unnest(${value('words')}::text[]) as word where strpos(${text}, word) = 0`
    return sql`not exists (${missing})`
  }
  return and(...numbers(words).map((number) => sql`strpos(${text}, ${value(`word${number}`)}) > 0`))
}

function isSearched({ searchesIn, words, patterns }: Shape): SQL | undefined {
  if (searchesIn === undefined) return undefined
  const inIndex = numbers(patterns).map((number) => sql`${promptWords} like ${value(`pattern${number}`)}`)
  // Words that the index has compared need no second comparison.
  if (searchesIn === 'text' && patterns === words) return and(...inIndex)
  return and(...inIndex, hasEachWord(searchesIn === 'title' ? promptTitleWords : promptWords, words))
}

export function isMatch(shape: Shape): SQL | undefined {
  const { hasCategory, hasTags } = shape
  const isTagged = sql`${id} in (
    select ${promptTags.promptId} from ${promptTags} where ${promptTags.tagId} = any(${value('tagIds')}::integer[])
  )`
  return and(
    hasCategory ? eq(prompts.categoryId, value('categoryId')) : undefined,
    hasTags ? isTagged : undefined,
    isSearched(shape),
  )
}

export function searchedText(
  { search, searchIn }: PromptFilter,
  { byIndex }: { byIndex: boolean },
): SearchedText | undefined {
  const words = searchWords(search ?? '')
  if (words.length === 0) return undefined
  return {
    in: searchIn === 'title' || areInTitlesAlone(words) ? 'title' : 'text',
    words: words.length > MANY ? 'many' : words.length,
    patterns: byIndex ? indexedWords(words).length : 0,
  }
}

/** The longest words narrow a search most. */
function indexedWords(words: readonly string[]): string[] {
  return words
    .filter(hasTrigram)
    .toSorted((one, other) => other.length - one.length)
    .slice(0, MANY)
}

export function shapeOf({ viewerId, filter }: ListScope, text: SearchedText | undefined): Shape {
  const { ownership, categoryId, tagIds = [] } = filter
  return {
    isGuest: viewerId === undefined,
    ownership,
    hasCategory: categoryId !== undefined,
    hasTags: tagIds.length > 0,
    searchesIn: text?.in,
    words: text?.words ?? 0,
    patterns: text?.patterns ?? 0,
  }
}

export function valuesOf({ viewerId, filter: { search = '', categoryId, tagIds } }: ListScope): Values {
  const words = searchWords(search)
  const numbered = (name: string, all: readonly string[]) =>
    all.map((one, number) => [`${name}${number}`, one])
  return {
    viewerId,
    words,
    ...Object.fromEntries(numbered('word', words.slice(0, MANY))),
    ...Object.fromEntries(numbered('pattern', indexedWords(words).map(containing))),
    categoryId,
    tagIds,
  }
}
