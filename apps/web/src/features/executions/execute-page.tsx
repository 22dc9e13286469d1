import type { ListedVariable, ModelAlias, Prompt } from '@catenary/contracts'
import { ArrowLeftIcon } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { ContentView } from '../../components/content-viewer/content-viewer.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Badge } from '../../components/ui/badge.tsx'
import { Button } from '../../components/ui/button.tsx'
import { useMediaQuery } from '../../lib/media-query.ts'
import { useModels } from '../../lib/models.ts'
import { toast } from '../../lib/toast.ts'
import { isPageCovered, useShortcut } from '../../lib/use-shortcut.ts'
import { CopyNote } from './copy-saving.tsx'
import { ExecuteActions } from './execute-actions.tsx'
import { ExecutePanel, TWO_PANES } from './execute-panel.tsx'
import { ExecutionMenu } from './execution-menu.tsx'
import { modelOf } from './models.ts'
import { PromptRecentRuns } from './prompt-recent-runs.tsx'
import {
  COMPARED_MAX,
  type ExecutionOptions,
  type ExecutionTab,
  type ExecutionView,
  useExecution,
} from './use-execution.ts'
import { type SavedCopyOptions, useSavedCopy } from './use-saved-copy.ts'

export interface ExecutePageProps {
  prompt: Prompt
  variables: readonly ListedVariable[]
  createVariable: (name: string) => void
  renderDriveConnect: ExecutionOptions['renderDriveConnect']
  onBack: () => void
  onSave: SavedCopyOptions['onSave']
  /** For who may edit it. */
  onEdit: () => void
  /** Shows what the prompt was, to who may edit it. */
  onShowVersions: () => void
  /** Makes the prompt a step, which runs with that model. */
  onUseInChain: (model: ModelAlias) => void
}

/** The page that runs one prompt; model, tab and open history are kept in the address. */
export default function ExecutePage({
  prompt,
  variables,
  createVariable,
  renderDriveConnect,
  onBack,
  onSave,
  ...open
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
  const copy = useSavedCopy({ execution, onSave })
  useStopOnEscape(execution.isRunning ? execution.stop : null)
  useShortcut({ id: 'save', onPress: () => copy?.save() })
  useShortcut({ id: 'edit', onPress: () => prompt.canEdit && open.onEdit() })
  const answer = { contentView, onContentViewChange: setContentView }
  const actions = {
    onEdit: prompt.canEdit ? open.onEdit : undefined,
    onShowVersions: prompt.canEdit ? open.onShowVersions : undefined,
    onUseInChain: () => open.onUseInChain(view.model),
  }
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
          <div className="flex shrink-0 items-center gap-2 max-md:hidden">
            <Badge>{prompt.category}</Badge>
            <Badge variant={prompt.isActive ? 'ok' : 'neutral'}>
              {prompt.isActive ? 'Active' : 'Inactive'}
            </Badge>
            <PromptRecentRuns promptId={prompt.id} />
          </div>
        }
        action={
          isWide ? (
            <ExecuteActions version={prompt.version} copy={copy} {...actions} />
          ) : (
            <ExecutionMenu run={execution.run} {...actions} {...answer} />
          )
        }
      />
      <ExecutePanel
        execution={execution}
        saving={copy && <CopyNote copy={copy} isWide={isWide} />}
        {...answer}
      />
    </div>
  )
}

const TABS: readonly ExecutionTab[] = ['prompt', 'response', 'history']

/** `?model=claude&tab=response&history=open&compare=12,15`; what is as usual stays out. */
function useViewInAddress(): [ExecutionView, (change: Partial<ExecutionView>) => void] {
  const [params, setParams] = useSearchParams()
  const models = useModels()
  const view: ExecutionView = {
    model: modelOf({ name: params.get('model'), models }),
    tab: TABS.find((tab) => tab === params.get('tab')) ?? 'prompt',
    isHistoryOpen: { open: true, closed: false }[params.get('history') ?? ''] ?? null,
    compared: runsIn(params.get('compare') ?? ''),
  }
  const change = ({ model, tab, isHistoryOpen, compared }: Partial<ExecutionView>) =>
    setParams(
      (params) => {
        const next = new URLSearchParams(params)
        if (model) next.set('model', model)
        if (tab === 'prompt') next.delete('tab')
        else if (tab) next.set('tab', tab)
        if (typeof isHistoryOpen === 'boolean') next.set('history', isHistoryOpen ? 'open' : 'closed')
        if (compared?.length === 0) next.delete('compare')
        else if (compared) next.set('compare', compared.join(','))
        return next
      },
      { replace: true },
    )
  return [view, change]
}

/** The ids of two runs or more, as many as are laid side by side. */
function runsIn(list: string): number[] {
  const ids = [...new Set(list.split(',').map(Number))].filter((id) => Number.isInteger(id) && id > 0)
  return ids.length < 2 ? [] : ids.slice(0, COMPARED_MAX)
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
