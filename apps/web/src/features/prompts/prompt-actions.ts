import type { ListedPrompt } from '@catenary/contracts'
import { copyText } from '../../components/copy/copy-text.ts'
import { toast } from '../../lib/toast.ts'

export interface PromptActions {
  open: (prompt: ListedPrompt) => void
  edit: (prompt: ListedPrompt) => void
  remove: (prompt: ListedPrompt) => void
  duplicate: (prompt: ListedPrompt) => void
  share: (prompt: ListedPrompt) => void
  serve: (prompt: ListedPrompt) => void
  execute: (prompt: ListedPrompt) => void
  /** Chooses it, or no more, for what is done with several. */
  select: (prompt: ListedPrompt) => void
}

export function toastCopied(): void {
  toast({ title: 'Copied to clipboard', description: 'Prompt content has been copied to clipboard' })
}

export async function copyContent(content: string | Promise<string>): Promise<void> {
  if (await copyText(content)) toastCopied()
}
