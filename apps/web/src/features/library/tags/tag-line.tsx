import type { Tag } from '@catenary/contracts'
import { cn } from '../../../lib/utils.ts'
import { TagChip } from './tag-chip.tsx'

/** Widths of a chip's frame and of an average letter, in px: enough to tell what fits in one line. */
const CHIP_FRAME = 20
const LETTER = 6.6

export function TagLine({
  tags,
  width,
  className,
}: {
  tags: readonly Tag[]
  width: number
  className?: string
}) {
  const shown = fitting({ tags, width })
  const rest = tags.slice(shown.length)
  return (
    <div className={cn('flex h-5 min-w-0 items-center gap-[5px] overflow-hidden', className)}>
      {shown.map((tag) => (
        <TagChip key={tag.id} tag={tag} />
      ))}
      {rest.length > 0 && (
        <span
          title={rest.map(({ name }) => name).join(', ')}
          className="relative z-1 shrink-0 text-xs leading-5 text-text-3"
        >
          +{rest.length}
        </span>
      )}
    </div>
  )
}

function fitting({ tags, width }: { tags: readonly Tag[]; width: number }): readonly Tag[] {
  let used = 0
  const end = tags.findIndex(({ name }) => {
    used += CHIP_FRAME + name.length * LETTER
    return used > width
  })
  return end === -1 ? tags : tags.slice(0, Math.max(end, 1))
}
