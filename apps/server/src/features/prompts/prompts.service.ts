import type { User } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import { countPromptsByCategory } from './prompts.repository.ts'

export type PromptsService = ReturnType<typeof createPromptsService>

export function createPromptsService({ db }: { db: Database }) {
  return {
    /** Category id → number of prompts in it that the viewer can see. */
    async countByCategory(viewer: User | null): Promise<Map<number, number>> {
      const rows = await countPromptsByCategory(db, { viewerId: viewer?.id })
      return new Map(rows.map((row) => [row.categoryId, row.count]))
    },
  }
}
