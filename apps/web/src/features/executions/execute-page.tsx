import type { ListedVariable, Prompt } from '@catenary/contracts'
import { ArrowLeftIcon, HistoryIcon } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { ContentView } from '../../components/content-viewer/content-viewer.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Badge } from '../../components/ui/badge.tsx'
import { Button } from '../../components/ui/button.tsx'
import { useMediaQuery } from '../../lib/media-query.ts'
import { useModels } from '../../lib/models.ts'
import { toast } from '../../lib/toast.ts'
import { isPageCovered } from '../../lib/use-shortcut.ts'
import { ExecutePanel, TWO_PANES } from './execute-panel.tsx'
import { ExecutionMenu } from './execution-menu.tsx'
import { modelOf } from './models.ts'
import {
  type ExecutionOptions,
  type ExecutionTab,
  type ExecutionView,
  useExecution,
} from './use-execution.ts'

export interface ExecutePageProps {
  prompt: Prompt
  variables: readonly ListedVariable[]
  createVariable: (name: string) => void
  renderDriveConnect: ExecutionOptions['renderDriveConnect']
  onBack: () => void
  /** Shows what the prompt was, to who may edit it. */
  onShowVersions: () => void
}

/** The page that runs one prompt; model, tab and open history are kept in the address. */
export default function ExecutePage({
  prompt,
  variables,
  createVariable,
  renderDriveConnect,
  onBack,
  onShowVersions,
}: ExecutePageProps) {
  const [contentView, setContentView] = useState<ContentView>('rendered')
  const [view, changeView] = useViewInAddress()
  const isWide = useMediaQuery(TWO_PANES)
  const execution = useExecution({
    prompt,
    variables,
    createVariable,
    renderDriveConnect,
    view,
    onViewChange: changeView,
    onFailure: ({ title, reason, advice }) =>
      toast({ title, description: `${reason} ${advice}`, variant: 'destructive' }),
  })
  useStopOnEscape(execution.isRunning ? execution.stop : null)
  const answer = { contentView, onContentViewChange: setContentView }
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-prompt-id={prompt.id}>
      <PageHeader
        title={prompt.title}
        start={
          <Button
            variant="ghost"
            size="icon"
            aria-label="Back"
            onClick={onBack}
            className="-ml-1.5 max-md:ml-0"
          >
            <ArrowLeftIcon />
          </Button>
        }
        badges={
          <div className="flex shrink-0 gap-2 max-md:hidden">
            <Badge>{prompt.category}</Badge>
            <Badge variant={prompt.isActive ? 'ok' : 'neutral'}>
              {prompt.isActive ? 'Active' : 'Inactive'}
            </Badge>
          </div>
        }
        action={
          isWide ? (
            <Button variant="ghost" disabled={!prompt.canEdit} onClick={onShowVersions}>
              <HistoryIcon />
              Version {prompt.version}
            </Button>
          ) : (
            <ExecutionMenu
              run={execution.run}
              onShowVersions={prompt.canEdit ? onShowVersions : undefined}
              {...answer}
            />
          )
        }
      />
      <ExecutePanel execution={execution} {...answer} />
    </div>
  )
}

const TABS: readonly ExecutionTab[] = ['prompt', 'response', 'history']

/** `?model=claude&tab=response&history=open`; what is as usual stays out. */
function useViewInAddress(): [ExecutionView, (change: Partial<ExecutionView>) => void] {
  const [params, setParams] = useSearchParams()
  const models = useModels()
  const view: ExecutionView = {
    model: modelOf({ name: params.get('model'), models }),
    tab: TABS.find((tab) => tab === params.get('tab')) ?? 'prompt',
    isHistoryOpen: params.get('history') === 'open',
  }
  const change = ({ model, tab, isHistoryOpen }: Partial<ExecutionView>) =>
    setParams(
      (params) => {
        const next = new URLSearchParams(params)
        if (model) next.set('model', model)
        if (tab === 'prompt') next.delete('tab')
        else if (tab) next.set('tab', tab)
        if (isHistoryOpen === true) next.set('history', 'open')
        if (isHistoryOpen === false) next.delete('history')
        return next
      },
      { replace: true },
    )
  return [view, change]
}

/** Escape stops the run, unless something on top of the page is what it closes. */
function useStopOnEscape(stop: (() => void) | null): void {
  const onEscape = useEffectEvent(() => stop?.())
  const isActive = stop !== null
  useEffect(() => {
    if (!isActive) return
    const listen = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !isPageCovered()) onEscape()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [isActive])
}
