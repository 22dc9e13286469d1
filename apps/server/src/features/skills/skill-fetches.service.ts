import type { ListQuery, PromptFetch, User } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import type { ListPage } from '../../list-page.ts'
import { openPromptForChange } from '../prompts/prompts.ts'
import type { Fetches } from '../tokens/tokens.ts'

interface Wanted {
  id: number
  user: User
  query: ListQuery
}

export type SkillFetches = ReturnType<typeof createSkillFetches>

/** Who fetched a prompt, or the skill that it is. */
export function createSkillFetches({
  db,
  fetches,
}: {
  db: Database
  fetches: Pick<Fetches, 'listOfPrompt'>
}) {
  return {
    /** For who may change the prompt: others' fetches with their names, never with those of their tokens. */
    async list({ id, user, query }: Wanted): Promise<ListPage<PromptFetch>> {
      await db.transaction((tx) => openPromptForChange({ db: tx }, { id, user }))
      return fetches.listOfPrompt({ promptId: id, user, query })
    },
  }
}
