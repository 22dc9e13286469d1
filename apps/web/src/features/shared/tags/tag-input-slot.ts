import type { Tag } from '@catenary/contracts'
import { type ReactNode, type Ref, useRef } from 'react'

export interface TagInputHandle {
  /** Adds what is typed but not yet added, and gives all tags. */
  flush: () => Promise<Tag[]>
}

/** Renders a form's tags input, which belongs to another feature. */
export type TagInputSlot = (props: {
  value: readonly Tag[]
  onChange: (tags: Tag[]) => void
  ref: Ref<TagInputHandle>
}) => ReactNode

/** A form's tags input, and what is sent of its tags: one that is typed but not yet added counts as well. */
export function useTagInput() {
  const ref = useRef<TagInputHandle>(null)
  const idsOf = async (tags: readonly Tag[]): Promise<number[]> =>
    ((await ref.current?.flush()) ?? tags).map(({ id }) => id)
  return { ref, idsOf }
}
