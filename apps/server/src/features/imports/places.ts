import { nameKey, type User } from '@catenary/contracts'
import type { Transaction } from '../../db/executor.ts'
import { categoryIdOf, tagIdsOf } from '../library/library.ts'
import type { Chosen, Import } from './import-types.ts'
import type { Incoming } from './imports.policy.ts'

const DEFAULT_CATEGORY = 'General'

/** Categories and tags of what is made, which are made where they are not there. */
export async function findPlaces(
  tx: Transaction,
  { user, request, creating }: { user: User; request: Import['request']; creating: readonly Chosen[] },
) {
  const prompts = creating.map(({ match }) => match.incoming.prompt)
  const own = request.tag == null ? [] : [request.tag]
  const names = [...new Set([...own, ...prompts.flatMap((prompt) => prompt.tags)])]
  const tagIds = await tagIdsOf({ db: tx }, { kind: 'prompt', names, user })
  const named = new Map<string | undefined, number>()
  for (const name of [...new Set(prompts.map(({ category }) => category))].sort()) {
    const isGiven = name === undefined && request.categoryId !== undefined
    const id = isGiven
      ? request.categoryId
      : await categoryIdOf({ db: tx }, { name: name ?? DEFAULT_CATEGORY, user })
    if (id !== undefined) named.set(name, id)
  }
  return ({ prompt: { tags: wanted, category } }: Incoming) => ({
    categoryId: named.get(category) ?? 0,
    tagIds: [...own, ...wanted].flatMap((name) => tagIds.get(nameKey(name)) ?? []),
  })
}
