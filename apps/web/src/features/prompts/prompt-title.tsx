import type { ListedPrompt } from '@catenary/contracts'
import type { MouseEvent } from 'react'
import { matchesShortcut, useAriaKeys } from '../../lib/keyboard/shortcuts.ts'
import { cn } from '../../lib/utils.ts'
import type { PromptActions } from './prompt-actions.ts'
import { canRun } from './prompt-menu-items.tsx'

export function PromptTitle({
  prompt,
  actions,
  isSelected,
  className,
}: {
  prompt: ListedPrompt
  actions: PromptActions
  isSelected: boolean
  className?: string
}) {
  const editKeys = useAriaKeys('edit')
  const removeKeys = useAriaKeys('remove')
  const selectKeys = useAriaKeys('select')
  const runKeys = useAriaKeys('run')
  return (
    <h2 className={cn('min-w-0 text-md font-[570] tracking-[-0.01em]', className)}>
      <a
        href={`/?prompt=${prompt.id}`}
        data-grid-focus
        aria-description={isSelected ? 'Selected' : undefined}
        data-prompt-id={prompt.id}
        title={prompt.title}
        dir="auto"
        onClick={(event) => {
          if (opensElsewhere(event)) return
          event.preventDefault()
          actions.open(prompt)
        }}
        onKeyDown={(event) => {
          if (matchesShortcut({ event, id: 'edit' })) {
            // Otherwise the form that opens would get the letter.
            event.preventDefault()
            actions.edit(prompt)
          }
          if (matchesShortcut({ event, id: 'remove' })) actions.remove(prompt)
          if (matchesShortcut({ event, id: 'run' }) && canRun(prompt)) {
            event.preventDefault()
            actions.execute(prompt)
          }
        }}
        aria-keyshortcuts={[editKeys, removeKeys, selectKeys, canRun(prompt) && runKeys]
          .filter(Boolean)
          .join(' ')}
        className="block max-w-full truncate text-left outline-none after:absolute after:inset-0 after:rounded-card focus-visible:after:shadow-[0_0_0_3px_var(--ring)]"
      >
        {prompt.title}
      </a>
    </h2>
  )
}

function opensElsewhere({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return ctrlKey || metaKey || shiftKey || altKey
}
