import { type PromptSettings, searchText } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { prompts } from '../schema/index.ts'

/** What search reads of a prompt, where the program has read it; else as the database does, until it has. */
export const promptWords = sql`coalesce(${prompts.searchText}, ${prompts.searched} collate "C")`
export const promptTitleWords = sql`coalesce(${prompts.searchTitle}, lower(${prompts.title} collate "C"))`
export const promptOrder = sql<string>`coalesce(${prompts.orderTitle}, ${prompts.titleOrder})`

/** What the index of random characters writes grows with it: ten times as many took 1.6 s and more of a full disk than is kept aside. */
const WORDS_MAX = 20_000
const DIGITS = 10
/** An index takes 2,700 bytes. */
const ORDER_MAX = 600

interface Texts {
  title: string
  content: string
  settings?: PromptSettings | null | undefined
}

/** What is written with each of a prompt's texts: each word once, as search asks for words alone. */
export function promptSearchColumns({ title, content, settings }: Texts) {
  const { systemPrompt = '', messages = [] } = settings ?? {}
  const all = [title, content, systemPrompt, ...messages.map((turn) => turn.content)].map(searchText)
  const words = new Set(all.flatMap((text) => text.split(' ')))
  const [searchTitle = ''] = all
  return {
    searchText: [...words].join(' ').slice(0, WORDS_MAX).toWellFormed(),
    searchTitle,
    orderTitle: searchTitle
      .replace(/\d+/g, (number) => number.padStart(DIGITS, '0').slice(-DIGITS))
      .slice(0, ORDER_MAX)
      .toWellFormed(),
  }
}
