import type { Prompt } from '@catenary/contracts'
import { PlayIcon } from 'lucide-react'
import { CopyButton } from '../../components/copy/copy-button.tsx'
import { TemplateText } from '../../components/template-text.tsx'
import { RelativeTime } from '../../components/time/relative-time.tsx'
import { Button } from '../../components/ui/button.tsx'
import {
  Dialog,
  DialogBody,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from '../../components/ui/dialog.tsx'
import { TagChip } from '../library/tags/tag-chip.tsx'
import { toastCopied } from './prompt-actions.ts'

export interface PromptViewDialogProps {
  prompt: Prompt
  onExecute?: (() => void) | undefined
  onClose: () => void
}

export function PromptViewDialog({ prompt, onExecute, onClose }: PromptViewDialogProps) {
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent aria-describedby="prompt-view-facts">
        <DialogHeader>
          <DialogTitle className="wrap-anywhere">{prompt.title}</DialogTitle>
          <DialogDescription id="prompt-view-facts" className="text-xs text-text-3">
            {prompt.category} · by {prompt.owner} · Updated <RelativeTime time={prompt.updatedAt} />
          </DialogDescription>
        </DialogHeader>
        <DialogBody>
          <div className="rounded-control border border-line bg-inset p-3">
            <TemplateText text={prompt.content} className="text-text" />
          </div>
          {prompt.tags.length > 0 && (
            <div className="flex flex-wrap gap-[5px]">
              {prompt.tags.map((tag) => (
                <TagChip key={tag.id} tag={tag} />
              ))}
            </div>
          )}
        </DialogBody>
        <DialogFooter>
          <CopyButton text={prompt.content} showLabel variant="secondary" size="md" onCopied={toastCopied} />
          {onExecute && (
            <Button onClick={onExecute}>
              <PlayIcon />
              Execute with AI
            </Button>
          )}
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}
