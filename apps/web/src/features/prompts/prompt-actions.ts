import type { ListedPrompt } from '@catenary/contracts'
import { copyText } from '../../components/copy/copy-text.ts'
import { toast } from '../../lib/toast.ts'

/** What can be done with a prompt of the list; the page asks a guest to log in first. */
export interface PromptActions {
  /** Opens it: as a form for editors, else read-only. */
  open: (prompt: ListedPrompt) => void
  edit: (prompt: ListedPrompt) => void
  remove: (prompt: ListedPrompt) => void
  /** Makes an own private copy. */
  duplicate: (prompt: ListedPrompt) => void
  /** Shares it by name; for its owner. */
  share: (prompt: ListedPrompt) => void
  /** Serves it to agents as a skill; for its editors. */
  serve: (prompt: ListedPrompt) => void
  execute: (prompt: ListedPrompt) => void
  /** Chooses it, or no more, for what is done with several. */
  select: (prompt: ListedPrompt) => void
}

/** Tells that a prompt's content was copied. */
export function toastCopied(): void {
  toast({ title: 'Copied to clipboard', description: 'Prompt content has been copied to clipboard' })
}

/** Copies a prompt's content from a place where no button can show that it was copied. */
export async function copyContent(content: string | Promise<string>): Promise<void> {
  if (await copyText(content)) toastCopied()
}
