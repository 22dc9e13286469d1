import { ChevronDownIcon } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '../ui/dropdown-menu.tsx'
import { type CopiedText, useCopied } from './use-copied.ts'

/** A text with Markdown, copied as it is written or as it reads. */
export function CopyAsMenu({ markdown, plain }: { markdown: string; plain: CopiedText }) {
  const asMarkdown = useCopied({ text: markdown })
  const asPlain = useCopied({ text: plain })
  const isCopied = asMarkdown.isCopied || asPlain.isCopied
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={isCopied ? 'Copied!' : 'Copy as'}
          className="-ml-1 w-6 text-text-3"
        >
          <ChevronDownIcon />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem onSelect={() => void asMarkdown.copy()}>Copy as Markdown</DropdownMenuItem>
        <DropdownMenuItem onSelect={() => void asPlain.copy()}>Copy as plain text</DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
