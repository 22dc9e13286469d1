import type { BulkReply, Tag } from '@catenary/contracts'
import { AppError, type ErrorCode } from '../../errors.ts'

const TAGS_MAX = 50
/** What is wrong with one record; the rest is wrong with all of them. */
const OF_ONE: readonly ErrorCode[] = ['invalid', 'forbidden', 'not_found', 'conflict', 'gone']

/** Changes one record after the other: what is refused for one keeps no other from its change. */
export async function changeEach(
  ids: readonly number[],
  change: (id: number) => Promise<unknown>,
): Promise<BulkReply> {
  const reply: BulkReply = { done: [], failed: [] }
  for (const id of new Set(ids)) {
    try {
      await change(id)
      reply.done.push(id)
    } catch (error) {
      if (!(error instanceof AppError && OF_ONE.includes(error.code))) throw error
      reply.failed.push({ id, error: error.message })
    }
  }
  return reply
}

/** The ids of a record's tags once it has that one or has it no more; undefined where that is so already. */
export function tagIdsAfter(
  tags: readonly Tag[],
  { tagId, isOn }: { tagId: number; isOn: boolean },
): number[] | undefined {
  const ids = tags.map(({ id }) => id)
  if (ids.includes(tagId) === isOn) return undefined
  if (!isOn) return ids.filter((id) => id !== tagId)
  if (ids.length >= TAGS_MAX) throw new AppError('invalid', `It already has ${TAGS_MAX} tags`)
  return [...ids, tagId]
}
