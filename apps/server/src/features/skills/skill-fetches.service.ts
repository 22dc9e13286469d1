import type { ListQuery, PromptFetch, User } from '@catenary/contracts'
import type { ListPage } from '../../list-page.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { openPromptForChange } from '../prompts/prompts.ts'
import { listFetchesOfPrompt } from '../tokens/tokens.ts'

interface Wanted {
  id: number
  user: User
  query: ListQuery
}

export type SkillFetches = ReturnType<typeof createSkillFetches>

/** Who fetched a prompt, or the skill that it is. */
export function createSkillFetches(ctx: Context) {
  return {
    /** For who may change the prompt: others' fetches with their names, never with those of their tokens. */
    async list({ id, user, query }: Wanted): Promise<ListPage<PromptFetch>> {
      await transaction(ctx, (ctx) => openPromptForChange(ctx, { id, user }))
      return listFetchesOfPrompt(ctx, { promptId: id, user, query })
    },
  }
}
