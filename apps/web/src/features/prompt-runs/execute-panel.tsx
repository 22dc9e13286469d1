import { type ReactNode, Suspense, useRef } from 'react'
import type { ContentView } from '../../components/content-viewer/content-viewer.tsx'
import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import { part } from '../../components/part.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../../components/ui/tabs.tsx'
import { useMediaQuery } from '../../lib/appearance/media-query.ts'
import { useShortcut } from '../../lib/keyboard/use-shortcut.ts'
import { cn } from '../../lib/utils.ts'
import { ActionBar } from './action-bar.tsx'
import type { ColumnSlots } from './compare/live-columns.tsx'
import { HistoryPane } from './history/history-pane.tsx'
import { PromptPane } from './prompt-pane.tsx'
import { ResponsePane } from './response-pane.tsx'
import { CompareWith } from './targets/chosen-targets.tsx'
import type { ExecuteState, ExecuteTab } from './use-execute.ts'

const RunComparison = part(() => import('./compare/run-comparison.tsx'))
const LiveColumns = part(() => import('./compare/live-columns.tsx'))

export const TWO_PANES = '(min-width: 1024px)'
const THREE_ZONES = '(min-width: 1280px)'

export interface ExecutePanelProps {
  state: ExecuteState
  contentView: ContentView
  onContentViewChange: (view: ContentView) => void
  saving?: ReactNode
  columns?: ColumnSlots
}

export function ExecutePanel({ state, saving, columns, ...answer }: ExecutePanelProps) {
  const { view, changeView, run, runs, count } = state
  const isWide = useMediaQuery(TWO_PANES)
  const isSideBySide = runs.length > 1
  const response = isSideBySide ? (
    <Suspense>
      <LiveColumns
        state={state}
        fills={isWide}
        className={isWide ? 'h-[max(420px,calc(100cqh-88px))]' : ''}
        {...columns}
        {...answer}
      />
    </Suspense>
  ) : (
    <ResponsePane
      run={run}
      missing={state.missing}
      onStop={() => state.stop()}
      isNarrow={!isWide}
      {...answer}
    />
  )
  const isAlone = !isSideBySide && count === 1
  const prompt = <PromptPane state={state} saving={saving} isSplit={useMediaQuery(THREE_ZONES) && isAlone} />
  const history = (
    <HistoryPane
      state={state}
      isOpen={isWide ? view.isHistoryOpen : view.tab === 'history'}
      onSaveTest={columns?.onSaveTest}
      onToggle={isWide ? (isHistoryOpen) => changeView({ isHistoryOpen }) : undefined}
    />
  )
  const comparison = view.compared.length > 0 && (
    <DialogSuspense>
      <RunComparison
        promptId={state.prompt.id}
        ids={view.compared}
        onSaveTest={columns?.onSaveTest}
        onClose={() => changeView({ compared: [] })}
      />
    </DialogSuspense>
  )
  const actionBar = (
    <ActionBar
      state={state}
      hasValues={state.fields.length > 0}
      onStop={isWide && !isSideBySide ? undefined : () => state.stop()}
      compareWith={columns && <CompareWith state={state} />}
    />
  )
  if (isWide) {
    return (
      <PanelForm
        state={state}
        className={cn(
          'grid',
          isAlone ? 'grid-cols-[48fr_52fr] xl:grid-cols-[57fr_43fr]' : 'grid-cols-[minmax(324px,24fr)_76fr]',
        )}
      >
        <div className="flex min-h-0 min-w-0 flex-col border-r border-line bg-surface">
          <div className="min-h-0 flex-1 overflow-y-auto">{prompt}</div>
          {actionBar}
        </div>
        <div className="@container-size grid min-h-0 content-start gap-5 overflow-y-auto bg-bg px-6 py-4">
          {response}
          {history}
        </div>
        {comparison}
      </PanelForm>
    )
  }
  return (
    <PanelForm state={state} className="flex flex-col">
      <Tabs
        value={view.tab}
        onValueChange={(tab) => changeView({ tab: tab as ExecuteTab })}
        className="flex min-h-0 flex-1 flex-col"
      >
        <TabsList aria-label="Parts of this page" className="mx-6 mt-2.5 mb-1 flex max-md:mx-3.5">
          <TabsTrigger value="prompt">Prompt</TabsTrigger>
          <TabsTrigger value="response">Response</TabsTrigger>
          <TabsTrigger value="history">History</TabsTrigger>
        </TabsList>
        <div className="min-h-0 flex-1 overflow-y-auto">
          <TabsContent value="prompt" forceMount hidden={view.tab !== 'prompt'} className="outline-none">
            {prompt}
          </TabsContent>
          <TabsContent
            value="response"
            forceMount
            hidden={view.tab !== 'response'}
            className="px-6 py-2 outline-none max-md:px-3.5"
          >
            {response}
          </TabsContent>
          <TabsContent value="history" className="@container px-6 py-2 outline-none max-md:px-3.5">
            {history}
          </TabsContent>
        </div>
        {actionBar}
      </Tabs>
      {comparison}
    </PanelForm>
  )
}

interface PanelFormProps {
  state: ExecuteState
  className: string
  children: ReactNode
}

function PanelForm({ state, className, children }: PanelFormProps) {
  const form = useRef<HTMLFormElement>(null)
  useShortcut({ id: 'submit', within: form, onPress: state.execute })
  return (
    <form
      ref={form}
      data-runs
      aria-label="Execute Prompt"
      noValidate
      onSubmit={(event) => event.preventDefault()}
      className={cn('min-h-0 flex-1', className)}
    >
      {children}
    </form>
  )
}
