import type { ListedPrompt } from '@catenary/contracts'
import {
  BookOpenIcon,
  CopyIcon,
  CopyPlusIcon,
  ListChecksIcon,
  PencilIcon,
  PlayIcon,
  PlugIcon,
  SquareCheckIcon,
  Trash2Icon,
  UsersIcon,
} from 'lucide-react'
import { Link } from 'wouter'
import { DropdownMenuItem } from '../../components/ui/dropdown-menu.tsx'
import { useSession } from '../../lib/session/session.tsx'
import { HandOverItem } from '../records/hand-overs/open-hand-over.tsx'
import { copyContent, type PromptActions } from './prompt-actions.ts'
import { useReadContent } from './prompts.queries.ts'

export interface PromptMenuItemsProps {
  prompt: ListedPrompt
  actions: PromptActions
  withExecute: boolean
}

export function PromptMenuItems({ prompt, actions, withExecute }: PromptMenuItemsProps) {
  const { user } = useSession()
  const read = useReadContent()
  return (
    <>
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
      {user && (
        <DropdownMenuItem asChild>
          <Link href={`/prompts/${prompt.id}/tests`}>
            <ListChecksIcon />
            Tests
          </Link>
        </DropdownMenuItem>
      )}
      {user && (
        <DropdownMenuItem onSelect={() => actions.duplicate(prompt)}>
          <CopyPlusIcon />
          Duplicate
        </DropdownMenuItem>
      )}
      {user?.username === prompt.owner && (
        <DropdownMenuItem onSelect={() => actions.share(prompt)}>
          <UsersIcon />
          Share
        </DropdownMenuItem>
      )}
      <HandOverItem id={prompt.id} owner={prompt.owner} />
      {user && prompt.canEdit && (
        <DropdownMenuItem onSelect={() => actions.serve(prompt)}>
          <BookOpenIcon />
          Skill
        </DropdownMenuItem>
      )}
      {user && (
        <DropdownMenuItem asChild>
          <Link href={`/connect?prompt=${prompt.id}`}>
            <PlugIcon />
            Connect
          </Link>
        </DropdownMenuItem>
      )}
      {user && (
        <DropdownMenuItem onSelect={() => actions.select(prompt)}>
          <SquareCheckIcon />
          Select
        </DropdownMenuItem>
      )}
      {prompt.canDelete && (
        <DropdownMenuItem variant="destructive" onSelect={() => actions.remove(prompt)}>
          <Trash2Icon />
          Delete
        </DropdownMenuItem>
      )}
    </>
  )
}

export function canRun({ isActive, canExecute }: ListedPrompt): boolean {
  return isActive && canExecute
}
