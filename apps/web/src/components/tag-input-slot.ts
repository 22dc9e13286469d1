import type { Tag } from '@catenary/contracts'
import type { ReactNode, Ref } from 'react'

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
