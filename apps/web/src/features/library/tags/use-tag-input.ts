import type { Tag } from '@catenary/contracts'
import { useRef } from 'react'
import type { TagInputHandle } from './tag-input.tsx'

/** A form's tags input, and what is sent of its tags: one that is typed but not yet added counts as well. */
export function useTagInput() {
  const ref = useRef<TagInputHandle>(null)
  const idsOf = async (tags: readonly Tag[]): Promise<number[]> =>
    ((await ref.current?.flush()) ?? tags).map(({ id }) => id)
  return { ref, idsOf }
}
