import type { ListedVariable, ModelAlias, Prompt } from '@catenary/contracts'
import { ArrowLeftIcon } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import type { ContentView } from '../../components/content-viewer/content-viewer.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Badge } from '../../components/ui/badge.tsx'
import { Button } from '../../components/ui/button.tsx'
import { useFirstFocus } from '../../components/ui/use-first-focus.ts'
import { type AddressChange, idsIn, useAddress } from '../../lib/address.ts'
import { useMediaQuery } from '../../lib/appearance/media-query.ts'
import { isEscape } from '../../lib/keyboard/pressed.ts'
import { isPageCovered, useShortcut } from '../../lib/keyboard/use-shortcut.ts'
import { toast } from '../../lib/toast.ts'
import { type KnownModel, useDefaultModel, useModels } from '../model-settings/models.ts'
import { ExecutePanel, TWO_PANES } from './execute-panel.tsx'
import { ExecuteActions, RunMenu } from './run-menu.tsx'
import { CopyNote } from './saving/copy-saving.tsx'
import { useCopyDraft } from './saving/use-copy-draft.tsx'
import { type SavedCopyOptions, useSavedCopy } from './saving/use-saved-copy.ts'
import { modelOf } from './targets/models.ts'
import { TARGETS_MAX, textsIn } from './targets/targets.ts'
import { COMPARED_MAX, type ExecuteTab, type ExecuteView, useExecute } from './use-execute.ts'

export interface ExecutePageProps {
  prompt: Prompt
  variables: readonly ListedVariable[]
  createVariable: (name: string) => void
  onBack: () => void
  onSave: SavedCopyOptions['onSave']
  onEdit: () => void
  onShowVersions: () => void
  onUseInChain: (model: ModelAlias) => void
  onEvaluate?: () => void
  onShowTests?: () => void
  onSaveTest?: (executionId: number) => void
}

export default function ExecutePage({
  prompt,
  variables,
  createVariable,
  onBack,
  onSave,
  ...open
}: ExecutePageProps) {
  const [contentView, setContentView] = useState<ContentView>('rendered')
  const [view, changeView] = useViewInAddress(prompt)
  const isWide = useMediaQuery(TWO_PANES)
  const state = useExecute({
    prompt,
    variables,
    createVariable,
    view,
    keepsInputs: true,
    onViewChange: changeView,
    onFailure: ({ title, reason, advice }) =>
      toast({ title, description: `${reason} ${advice}`, variant: 'destructive' }),
  })
  const { copy, saveText } = useSavedCopy({ state, onSave })
  const draft = useCopyDraft({ state, onBack })
  useStopOnEscape(state.isRunning ? state.stop : null)
  const page = useFirstFocus()
  useShortcut({ id: 'save', onPress: () => copy?.save() })
  useShortcut({ id: 'edit', onPress: () => prompt.canEdit && open.onEdit() })
  const answer = { contentView, onContentViewChange: setContentView }
  const { onSaveTest } = open
  const [only] = state.runs.length === 1 && !state.isRunning ? state.runs : []
  const executionId = only?.executionId ?? null
  const acts = {
    version: prompt.version,
    onEdit: prompt.canEdit ? open.onEdit : undefined,
    onShowVersions: prompt.canEdit ? open.onShowVersions : undefined,
    onUseInChain: () => open.onUseInChain(view.model),
    onEvaluate: open.onEvaluate,
    onShowTests: open.onShowTests,
    onSaveTest: onSaveTest && executionId !== null ? () => onSaveTest(executionId) : undefined,
  }
  return (
    <div ref={page} className="flex min-h-0 flex-1 flex-col" data-prompt-id={prompt.id}>
      <PageHeader
        title={prompt.title}
        start={
          <Button
            variant="ghost"
            size="icon"
            aria-label="Back"
            onClick={draft.onBack}
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
          </div>
        }
        action={
          isWide ? (
            <ExecuteActions title={prompt.title} copy={copy} acts={acts} />
          ) : (
            <RunMenu title={prompt.title} run={state.run} acts={acts} {...answer} />
          )
        }
      />
      <ExecutePanel
        state={state}
        saving={
          <>
            {draft.notice}
            {copy && <CopyNote copy={copy} isWide={isWide} />}
          </>
        }
        columns={{ onSaveText: saveText, onSaveTest }}
        {...answer}
      />
      {draft.question}
    </div>
  )
}

/** Escape stops the run, unless something on top of the page is what it closes. */
function useStopOnEscape(stop: (() => void) | null): void {
  const onEscape = useEffectEvent(() => stop?.())
  const isActive = stop !== null
  useEffect(() => {
    if (!isActive) return
    const listen = (event: KeyboardEvent) => {
      if (isEscape(event) && !event.defaultPrevented && !isPageCovered()) onEscape()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [isActive])
}

const TABS: readonly ExecuteTab[] = ['prompt', 'response', 'history']
const RATED = ['up', 'down'] as const

/** `?model=claude&with=openai,gemini&texts=copy,3&tab=response&history=open&rated=up&compare=12,15`; what is as usual stays out. */
function useViewInAddress({
  version,
  model: own,
}: Pick<Prompt, 'version' | 'model'>): [ExecuteView, (change: Partial<ExecuteView>) => void] {
  const [params, changeAddress] = useAddress()
  const models = useModels()
  const texts = textsIn({ list: params.get('texts') ?? '', version })
  const view: ExecuteView = {
    model: modelOf({ name: params.get('model') ?? own ?? null, own: useDefaultModel(), models }),
    otherModels: modelsIn({ list: params.get('with') ?? '', models }).slice(
      0,
      Math.floor(TARGETS_MAX / texts.length) - 1,
    ),
    texts,
    tab: TABS.find((tab) => tab === params.get('tab')) ?? 'prompt',
    isHistoryOpen: params.get('history') === 'open',
    compared: runsIn(params.get('compare')),
    rated: RATED.find((rated) => rated === params.get('rated')) ?? null,
  }
  return [view, (change) => changeAddress(inAddress(change), { replace: true })]
}

function inAddress(change: Partial<ExecuteView>): AddressChange {
  const { model, otherModels, texts, tab, isHistoryOpen, compared, rated } = change
  const history = isHistoryOpen ? 'open' : ''
  return {
    model,
    with: otherModels?.join(','),
    texts: texts && (texts.join(',') === 'copy' ? '' : texts.join(',')),
    tab: tab === 'prompt' ? '' : tab,
    history: isHistoryOpen === undefined ? undefined : history,
    compare: compared?.join(','),
    rated,
  }
}

function modelsIn({ list, models }: { list: string; models: readonly KnownModel[] }): ModelAlias[] {
  return list.split(',').filter((name) => models.some(({ alias }) => alias === name))
}

function runsIn(list: string | null): number[] {
  const ids = [...new Set(idsIn(list))]
  return ids.length < 2 ? [] : ids.slice(0, COMPARED_MAX)
}
