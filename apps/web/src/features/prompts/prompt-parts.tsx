import type { Prompt, Tag } from '@catenary/contracts'
import { TagChip } from '../../components/tag-chip.tsx'
import { cn } from '../../lib/utils.ts'
import type { PromptActions } from './prompt-actions.ts'

/** The title, whose button covers the whole card or row around it. */
export function PromptTitle({
  prompt,
  actions,
  className,
}: {
  prompt: Prompt
  actions: PromptActions
  className?: string
}) {
  return (
    <h2 className={cn('min-w-0 text-md font-[570] tracking-[-0.01em]', className)}>
      <button
        type="button"
        data-grid-focus
        data-prompt-id={prompt.id}
        title={prompt.title}
        onClick={() => actions.open(prompt)}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.metaKey || event.altKey) return
          if (event.key === 'e') actions.edit(prompt)
          if (event.key === 'Delete') actions.remove(prompt)
        }}
        aria-keyshortcuts="e Delete"
        className="block max-w-full truncate text-left outline-none after:absolute after:inset-0 after:rounded-[inherit] focus-visible:after:shadow-[0_0_0_3px_color-mix(in_oklch,var(--accent)_22%,transparent)]"
      >
        {prompt.title}
      </button>
    </h2>
  )
}

/** Widths of a chip's frame and of an average letter, in px: enough to tell what fits in one line. */
const CHIP_FRAME = 20
const LETTER = 6.6

/** As many tags as fit in one line of that width, and how many more there are. */
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
          className="relative z-1 shrink-0 text-xs text-text-3"
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
