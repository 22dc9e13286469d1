import type { ListedVariable, Prompt } from '@catenary/contracts'
import { Maximize2Icon } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { ContentView } from '../../components/content-viewer/content-viewer.tsx'
import { Badge } from '../../components/ui/badge.tsx'
import { Button } from '../../components/ui/button.tsx'
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogHeader,
  DialogTitle,
} from '../../components/ui/dialog.tsx'
import { useMediaQuery } from '../../lib/appearance/media-query.ts'
import { toast } from '../../lib/toast.ts'
import { useDefaultModel, useModels } from '../model-settings/models.ts'
import { ExecutePanel, TWO_PANES } from './execute-panel.tsx'
import { RunMenu } from './run-menu.tsx'
import { modelOf } from './targets/models.ts'
import { DEFAULT_VIEW, type ExecuteView, useExecute } from './use-execute.ts'

export interface ExecuteDialogProps {
  prompt: Prompt
  variables: readonly ListedVariable[]
  createVariable: (name: string) => void
  onClose: () => void
  pageHref: string
}

export default function ExecuteDialog({
  prompt,
  variables,
  createVariable,
  onClose,
  pageHref,
}: ExecuteDialogProps) {
  const [contentView, setContentView] = useState<ContentView>('rendered')
  const [chosen, setChosen] = useState<Partial<ExecuteView>>({})
  const models = useModels()
  const isWide = useMediaQuery(TWO_PANES)
  const state = useExecute({
    prompt,
    variables,
    createVariable,
    view: {
      ...DEFAULT_VIEW,
      model: modelOf({ name: prompt.model ?? null, own: useDefaultModel(), models }),
      isHistoryOpen: false,
      ...chosen,
    },
    onViewChange: (change) => setChosen((chosen) => ({ ...chosen, ...change })),
    onFailure: ({ reason }) =>
      toast({ title: 'Error', description: `Failed to execute prompt: ${reason}`, variant: 'destructive' }),
  })
  const answer = { contentView, onContentViewChange: setContentView }
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent
        data-prompt-id={prompt.id}
        aria-describedby="execute-dialog-prompt"
        className="h-[min(820px,calc(100dvh-32px))] max-w-[1160px] max-md:h-dvh max-md:max-h-dvh max-md:w-screen max-md:rounded-none max-md:border-0"
        onInteractOutside={(event) => state.isRunning && event.preventDefault()}
        onEscapeKeyDown={(event) => {
          if (!state.isRunning) return
          event.preventDefault()
          state.stop()
        }}
      >
        <DialogHeader
          className="border-b border-line pt-3.5 max-md:px-3.5"
          actions={
            isWide ? (
              <Button variant="ghost" size="sm" asChild>
                <Link href={pageHref}>
                  <Maximize2Icon />
                  Open as a page
                </Link>
              </Button>
            ) : (
              <RunMenu title={prompt.title} run={state.run} {...answer} className="-my-2.5" />
            )
          }
        >
          <DialogTitle>Execute Prompt</DialogTitle>
          <DialogDescription asChild>
            <div id="execute-dialog-prompt" className="flex min-w-0 items-center gap-2">
              <span dir="auto" className="truncate">
                {prompt.title}
              </span>
              <Badge className="max-md:hidden">{prompt.category}</Badge>
              <Badge variant={prompt.isActive ? 'ok' : 'neutral'} className="max-md:hidden">
                {prompt.isActive ? 'Active' : 'Inactive'}
              </Badge>
            </div>
          </DialogDescription>
        </DialogHeader>
        <ExecutePanel state={state} {...answer} />
      </DialogContent>
    </Dialog>
  )
}
