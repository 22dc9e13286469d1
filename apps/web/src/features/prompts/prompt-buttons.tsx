import type { ListedPrompt } from '@catenary/contracts'
import { CheckIcon, CopyIcon, EllipsisIcon, PlayIcon } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { useCopied } from '../../components/copy/use-copied.ts'
import { Button } from '../../components/ui/button.tsx'
import { DropdownMenu, DropdownMenuContent, DropdownMenuTrigger } from '../../components/ui/dropdown-menu.tsx'
import { cn } from '../../lib/utils.ts'
import { type PromptActions, toastCopied } from './prompt-actions.ts'
import { canRun, PromptMenuItems } from './prompt-menu-items.tsx'
import { useReadContent } from './prompts.queries.ts'

export interface PromptButtonProps {
  prompt: ListedPrompt
  actions: PromptActions
}

/** Its hint is the browser's: a library draws so many that another one's cost is felt. */
export function CopyAction({
  prompt,
  className,
}: Pick<PromptButtonProps, 'prompt'> & { className?: string }) {
  const read = useReadContent()
  const { isCopied, copy } = useCopied({ text: () => read(prompt), onCopied: toastCopied })
  const label = isCopied ? 'Copied!' : 'Copy'
  return (
    <Button
      variant="ghost"
      size="icon-sm"
      title={label}
      aria-label={label}
      onClick={() => void copy()}
      className={cn('z-1 w-6.5 text-text-3 [&_svg]:size-3.5!', className)}
    >
      {isCopied ? <CheckIcon className="text-ok" /> : <CopyIcon />}
    </Button>
  )
}

interface ActionMenuProps extends PromptButtonProps {
  compact: boolean
  withExecute?: boolean
}

/** Everything that can be done with a prompt. The menu is made as its button is reached: a library draws many of them. */
export function ActionMenu({ prompt, actions, compact, withExecute = false }: ActionMenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [isMade, setIsMade] = useState(false)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <span className="relative z-1 inline-flex">
      <Button
        ref={button}
        id={id}
        variant="ghost"
        size={compact ? 'icon' : 'icon-sm'}
        title={compact ? undefined : 'More'}
        aria-label={`More: ${prompt.title}`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        // Before the key: a menu that sees it puts the focus on its first item.
        onFocus={() => setIsMade(true)}
        onClick={() => setIsOpen(true)}
        className={cn('text-text-3', compact ? 'size-11' : 'w-6.5')}
      >
        <EllipsisIcon />
      </Button>
      {(isMade || isOpen) && (
        <DropdownMenu open={isOpen} onOpenChange={setIsOpen}>
          <DropdownMenuTrigger asChild>
            <span aria-hidden="true" className="pointer-events-none absolute inset-0" />
          </DropdownMenuTrigger>
          <DropdownMenuContent
            align="end"
            aria-labelledby={id}
            onCloseAutoFocus={(event) => {
              event.preventDefault()
              button.current?.focus()
            }}
          >
            <PromptMenuItems prompt={prompt} actions={actions} withExecute={withExecute} />
          </DropdownMenuContent>
        </DropdownMenu>
      )}
    </span>
  )
}

export function ExecuteButton({ prompt, actions, compact }: PromptButtonProps & { compact: boolean }) {
  if (!canRun(prompt)) return null
  return (
    <Button
      data-grid-run
      variant={compact ? 'primary' : 'ghost'}
      size={compact ? 'md' : 'sm'}
      onClick={() => actions.execute(prompt)}
      className={cn(
        'z-1 [&_svg]:size-3.5',
        compact
          ? 'min-h-10'
          : 'gap-1.5 px-2.5 text-text group-focus-within/prompt:bg-accent group-focus-within/prompt:text-on-accent group-hover/prompt:bg-accent group-hover/prompt:text-on-accent hover:bg-accent-hover! hover:text-on-accent!',
      )}
    >
      <PlayIcon />
      Execute with AI
    </Button>
  )
}
