import type { ListedPrompt } from '@catenary/contracts'
import { CheckIcon, CopyIcon, EllipsisIcon, PencilIcon, PlayIcon, Trash2Icon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../components/ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '../../components/ui/dropdown-menu.tsx'
import { useCopied } from '../../components/use-copied.ts'
import { cn } from '../../lib/utils.ts'
import { copyContent, type PromptActions, toastCopied } from './prompt-actions.ts'
import { useReadContent } from './prompts.queries.ts'

interface PromptButtonProps {
  prompt: ListedPrompt
  actions: PromptActions
}

/**
 * Copy, edit and delete as small buttons: seen on hover and focus, without taking room before, and always there for
 * who reads the page otherwise.
 */
export function QuietActions({ prompt, actions }: PromptButtonProps) {
  const read = useReadContent()
  const { isCopied, copy } = useCopied({ text: () => read(prompt), onCopied: toastCopied })
  return (
    <div className="relative z-1 flex w-0 shrink-0 overflow-hidden opacity-0 group-focus-within/prompt:w-auto group-focus-within/prompt:overflow-visible group-focus-within/prompt:opacity-100 group-hover/prompt:w-auto group-hover/prompt:overflow-visible group-hover/prompt:opacity-100">
      <QuietButton label={isCopied ? 'Copied!' : 'Copy'} onClick={() => void copy()}>
        {isCopied ? <CheckIcon className="text-ok" /> : <CopyIcon />}
      </QuietButton>
      {prompt.canEdit && (
        <QuietButton label="Edit" onClick={() => actions.edit(prompt)}>
          <PencilIcon />
        </QuietButton>
      )}
      {prompt.canDelete && (
        <QuietButton label="Delete" onClick={() => actions.remove(prompt)}>
          <Trash2Icon />
        </QuietButton>
      )}
    </div>
  )
}

interface QuietButtonProps {
  label: string
  onClick: () => void
  children: ReactNode
}

/** Its hint is the browser's: a library draws so many that another one's cost is felt. */
function QuietButton({ label, onClick, children }: QuietButtonProps) {
  return (
    <Button
      variant="ghost"
      size="icon-sm"
      title={label}
      aria-label={label}
      onClick={onClick}
      className="w-6.5 text-text-3 [&_svg]:size-3.5!"
    >
      {children}
    </Button>
  )
}

/** The same as a menu, for phones and touch. */
export function ActionMenu({ prompt, actions, withExecute }: PromptButtonProps & { withExecute?: boolean }) {
  const read = useReadContent()
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          variant="ghost"
          size="icon"
          aria-label={`More: ${prompt.title}`}
          className="z-1 size-11 text-text-3"
        >
          <EllipsisIcon />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        {withExecute && canRun(prompt) && (
          <DropdownMenuItem onSelect={() => actions.execute(prompt)}>
            <PlayIcon />
            Execute with AI
          </DropdownMenuItem>
        )}
        <DropdownMenuItem onSelect={() => void copyContent(read(prompt))}>
          <CopyIcon />
          Copy
        </DropdownMenuItem>
        {prompt.canEdit && (
          <DropdownMenuItem onSelect={() => actions.edit(prompt)}>
            <PencilIcon />
            Edit
          </DropdownMenuItem>
        )}
        {prompt.canDelete && (
          <DropdownMenuItem variant="destructive" onSelect={() => actions.remove(prompt)}>
            <Trash2Icon />
            Delete
          </DropdownMenuItem>
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

/** Runs the prompt; absent when it may not be run. On a desk it fills with colour only under the pointer. */
export function ExecuteButton({ prompt, actions, compact }: PromptButtonProps & { compact: boolean }) {
  if (!canRun(prompt)) return null
  return (
    <Button
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

function canRun({ isActive, canExecute }: ListedPrompt): boolean {
  return isActive && canExecute
}
