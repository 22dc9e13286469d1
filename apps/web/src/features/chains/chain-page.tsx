import type { Chain, ChainStep } from '@catenary/contracts'
import { type ChainWarning, checkChain, isHint, takesInput } from '@catenary/domain'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlertIcon } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import { PanelBoundary } from '../../components/panel-boundary.tsx'
import { part } from '../../components/part.tsx'
import { Banner } from '../../components/ui/banner.tsx'
import { Button } from '../../components/ui/button.tsx'
import { NARROW, PHONE, useMediaQuery } from '../../lib/appearance/media-query.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { useShortcut } from '../../lib/keyboard/use-shortcut.ts'
import { useOpenItem } from '../../lib/open-item.ts'
import { useSession } from '../../lib/session/session.tsx'
import { countText } from '../../lib/text/count-text.ts'
import { OpenHandOver } from '../records/hand-overs/open-hand-over.tsx'
import { allVariablesQuery } from '../variables/variables.queries.ts'
import { ChainHeader, ChainIntroduction } from './chain-header.tsx'
import { StepSkeletons } from './chain-loader.tsx'
import { DeleteChainDialog } from './delete-chain-dialog.tsx'
import { ChainAnswerLink, hasAnswer, useChainAnswer } from './run/chain-answer.tsx'
import type { StartFrom } from './run/chain-run.ts'
import { AddStepButton, ChainRunActions } from './run/chain-run-actions.tsx'
import { ChainRunAnnouncer } from './run/chain-run-announcer.tsx'
import { ChainRunAside } from './run/chain-run-aside.tsx'
import { ChainRunBanner } from './run/chain-run-banner.tsx'
import { ChainRunStrip } from './run/chain-run-progress.tsx'
import { useRunsInAddress } from './run/history/use-runs-in-address.ts'
import { isBusy, useChainRun } from './run/use-chain-run.ts'
import { useRunRequest } from './run/use-run-request.tsx'
import { useStepRuns } from './run/use-step-runs.ts'
import { useWantedRun } from './run/use-wanted-run.ts'
import { DeleteStepDialog } from './steps/delete-step-dialog.tsx'
import { StepPreviewDialog } from './steps/preview/preview-button.tsx'
import { stepsAsRun } from './steps/step-as-run.ts'
import { StepList } from './steps/step-list.tsx'
import { StepViewDialog } from './steps/step-view-dialog.tsx'
import { StepsEmpty } from './steps/steps-empty.tsx'
import { type OpenStep, useOpenStep } from './steps/use-open-step.ts'
import { useStepActions } from './steps/use-step-actions.ts'
import { useWaysOut } from './steps/use-ways-out.ts'

const EvaluationsDialog = part(() => import('../evaluations/evaluations-dialog.tsx'))
const StepDialog = part(() => import('./steps/step-dialog.tsx'))
const EditChainDialog = part(() => import('./edit-chain-dialog.tsx'))
const ChainVersionsDialog = part(() => import('./versions/chain-versions-dialog.tsx'))

const PHONE_BAR =
  'flex shrink-0 gap-2 border-t border-line bg-surface px-3.5 py-2 max-[360px]:gap-1 max-[360px]:px-2'

export interface ChainPageProps {
  chain: Chain
  onOpenModels?: (() => void) | undefined
  renderApiAccess: (props: { chain: Chain; takesInput: boolean }) => ReactNode
  onDeleted: () => void
  onDuplicated: (id: number) => void
}

export function ChainPage({ chain, onOpenModels, ...props }: ChainPageProps) {
  useDocumentTitle(chain.name)
  const isPhone = useMediaQuery(PHONE)
  const isNarrow = useMediaQuery(NARROW)
  const openStep = useOpenStep(chain.steps)
  const openEdit = useOpenItem('edit')
  const openSchedule = useOpenItem('schedule')
  const [scheduledInput, setScheduledInput] = useState('')
  const [shown, setShown] = useState<Shown>(null)
  const { actions, deleting, closeDeleting } = useStepActions({ chain, ...openStep })
  const { steps, warnings, asked } = useChainWarnings(chain)
  const running = useChainRun(chain)
  const answer = useChainAnswer(running)
  const { waysOut, newVariable } = useWaysOut(chain)
  const request = useRunRequest({ chain, steps, warnings: asked, waysOut, running })
  const stepRuns = useStepRuns({ chain, running, onOpenModels, onRunFrom: request.askFrom })
  useWantedRun(() => request.ask())
  const address = useRunsInAddress()
  const addStep = () => chain.canEdit && openStep.show({ kind: 'create' })
  const edit = () => chain.canEdit && openEdit.show({ kind: 'open', id: chain.id })
  useShortcut({ id: 'create', onPress: addStep })
  useShortcut({ id: 'edit', onPress: edit })

  const hasSteps = chain.steps.length > 0
  const apiAccess =
    // What comes before it has to be known: it would be pushed down by it.
    chain.canEdit && answer.isKnown && props.renderApiAccess({ chain, takesInput: takesInput(steps) })
  const addStepHere = hasSteps && chain.canEdit ? addStep : undefined
  const runActions = (
    <ChainRunActions
      chain={chain}
      running={running}
      address={address}
      scheduledInput={scheduledInput}
      onAddStep={addStepHere}
      onExecute={() => request.ask()}
    />
  )
  const scheduleThis = (input: string) => {
    setScheduledInput(input)
    openSchedule.show({ kind: 'create' })
  }
  return (
    <>
      <ChainHeader
        chain={chain}
        onEdit={edit}
        onDelete={() => setShown('deletion')}
        onDuplicated={props.onDuplicated}
        onShowVersions={() => setShown('versions')}
        onEvaluate={() => setShown('evaluations')}
        actions={isPhone ? null : runActions}
      />
      <ChainRunBanner chainId={chain.id} running={running} />
      {isPhone && hasSteps && <ChainRunStrip run={running.run} isKnown={answer.isKnown} />}
      <div className="flex min-h-0 flex-1 max-xl:flex-col max-xl:overflow-y-auto">
        <section
          aria-label="Steps"
          className="min-w-0 flex-1 px-6 pt-5 pb-16 max-xl:flex-none max-xl:pb-5 max-md:px-3.5 max-md:pt-3.5 xl:overflow-y-auto"
        >
          <div className="mx-auto grid max-w-[860px] gap-4">
            <ChainIntroduction
              chain={chain}
              isSortable={addStepHere !== undefined}
              addStep={isPhone && addStepHere && <AddStepButton onClick={addStepHere} />}
            />
            <ChainWarnings warnings={asked} steps={chain.steps} />
            {!hasSteps ? (
              <StepsEmpty onAdd={chain.canEdit ? addStep : undefined} />
            ) : answer.isKnown ? (
              <div className="grid gap-3">
                <StepList
                  chain={chain}
                  warnings={warnings}
                  waysOut={waysOut}
                  actions={actions}
                  runs={stepRuns}
                  hasAnswer={hasAnswer(answer)}
                />
                <PanelBoundary title="The result">
                  <ChainAnswerLink
                    answer={answer}
                    running={running}
                    onSchedule={chain.canExecute ? scheduleThis : undefined}
                    onCall={chain.canEdit ? showApiAccess : undefined}
                  />
                </PanelBoundary>
              </div>
            ) : (
              // Its last run folds the steps: they would move under the reader's eyes.
              <StepSkeletons className="pl-[76px] max-md:pl-[38px]" />
            )}
            {!isNarrow && apiAccess}
          </div>
        </section>
        {(answer.isKnown || !isNarrow) && (
          <ChainRunAside chain={chain} running={running} address={address} request={request} />
        )}
        {/* So that what loads late does not push the runs away. */}
        {isNarrow && <div className="px-6 pt-1 pb-16 max-md:px-3.5">{apiAccess}</div>}
      </div>
      {isPhone && <div className={PHONE_BAR}>{runActions}</div>}
      <ChainRunAnnouncer run={running.run} texts={running.texts} steps={chain.steps} />
      {request.dialog}
      {newVariable}
      <ChainDialogs
        chain={chain}
        step={openStep}
        edit={openEdit}
        shown={shown}
        onRunFrom={isBusy(running) ? undefined : request.askFrom}
        onClose={() => setShown(null)}
        onDeleted={props.onDeleted}
      />
      {deleting && <DeleteStepDialog chain={chain} step={deleting} onClose={closeDeleting} />}
    </>
  )
}

/** The chain’s steps as they run, what there is to say of them, and what of that is asked before a run. */
function useChainWarnings(chain: Chain) {
  const { data: variables } = useQuery(allVariablesQuery)
  const steps = useMemo(() => stepsAsRun(chain.steps), [chain.steps])
  const warnings = useMemo(
    () => checkChain({ steps, variables: variables?.map(({ name }) => name) }),
    [steps, variables],
  )
  const asked = useMemo(() => warnings.filter((warning) => !isHint(warning)), [warnings])
  return { steps, warnings, asked }
}

function ChainWarnings({
  warnings,
  steps,
}: {
  warnings: readonly ChainWarning[]
  steps: readonly ChainStep[]
}) {
  if (warnings.length === 0) return null
  const indexes = [...new Set(warnings.flatMap(({ step }) => step ?? []))]
  return (
    <Banner role="note" aria-label="Warnings" icon={<TriangleAlertIcon />} className="md:ml-[76px]">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span>{countText(warnings.length, 'warning')} to read before you run this chain:</span>{' '}
        {indexes.map((index) => (
          <Button
            key={index}
            variant="link"
            className="text-warn underline"
            onClick={() => showStep(steps[index]?.id)}
          >
            step {index + 1}
          </Button>
        ))}
      </p>
    </Banner>
  )
}

function showStep(id: number | undefined): void {
  const step = document.querySelector<HTMLElement>(`[data-step-id="${id}"]`)
  step?.scrollIntoView({ block: 'center' })
  step?.querySelector<HTMLElement>('[data-step-title]')?.focus({ preventScroll: true })
}

type OpenedItem = ReturnType<typeof useOpenItem>
type Shown = 'versions' | 'evaluations' | 'deletion' | null

interface ChainDialogsProps {
  chain: Chain
  step: OpenStep
  edit: OpenedItem
  shown: Shown
  onRunFrom: StartFrom | undefined
  onClose: () => void
  onDeleted: () => void
}

function ChainDialogs({ chain, step, edit, shown, onRunFrom, onClose, onDeleted }: ChainDialogsProps) {
  const { user } = useSession()
  const { open } = step
  const opened = open?.kind === 'open' ? chain.steps.find(({ id }) => id === open.id) : null
  const closeStep = () => step.show(null)
  return (
    <>
      {user && open && opened !== undefined && chain.canEdit && (
        <DialogSuspense>
          <StepDialog
            key={opened?.id ?? `new.${step.elseOf?.id}`}
            chain={chain}
            step={opened}
            elseOf={opened === null ? step.elseOf : undefined}
            userId={user.id}
            onClose={closeStep}
          />
        </DialogSuspense>
      )}
      {opened && !chain.canEdit && <StepViewDialog chain={chain} step={opened} onClose={closeStep} />}
      {user && step.previewed && (
        <DialogSuspense>
          <StepPreviewDialog
            chain={chain}
            step={step.previewed}
            valuesOf={step.valuesOf}
            onChoose={(id) => step.previewed && step.showPreview(step.previewed, id)}
            onRunFrom={onRunFrom}
            onClose={() => step.showPreview(null)}
          />
        </DialogSuspense>
      )}
      {user && edit.open && chain.canEdit && (
        <DialogSuspense>
          <EditChainDialog chain={chain} userId={user.id} onClose={() => edit.show(null)} />
        </DialogSuspense>
      )}
      <OpenHandOver kind="chain" nameOf={(id) => (id === chain.id ? chain.name : undefined)} />
      {shown === 'versions' && (
        <DialogSuspense>
          <ChainVersionsDialog chain={chain} onClose={onClose} />
        </DialogSuspense>
      )}
      {shown === 'evaluations' && (
        <DialogSuspense>
          <EvaluationsDialog record={{ kind: 'chain', id: chain.id, name: chain.name }} onClose={onClose} />
        </DialogSuspense>
      )}
      {shown === 'deletion' && <DeleteChainDialog chain={chain} onDeleted={onDeleted} onClose={onClose} />}
    </>
  )
}

function showApiAccess(): void {
  const card = document.getElementById('api-access')
  card?.scrollIntoView({ block: 'start' })
  card?.querySelector<HTMLElement>('button, a[href]')?.focus({ preventScroll: true })
}
