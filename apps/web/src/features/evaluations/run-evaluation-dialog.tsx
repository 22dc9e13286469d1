import { EVALUATION_COST_LIMIT_MAX_USD, EVALUATION_TARGETS_MAX } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { SwitchField } from '../../components/forms/switch-field.tsx'
import { PlainDialog } from '../../components/plain-dialog.tsx'
import { Badge } from '../../components/ui/badge.tsx'
import { ChoiceSelect } from '../../components/ui/choice-select.tsx'
import { Field } from '../../components/ui/field.tsx'
import { NumberInput } from '../../components/ui/number-input.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { errorMessage } from '../../lib/errors.ts'
import { countText } from '../../lib/text/count-text.ts'
import { numberOf, numberProblem, numberText } from '../../lib/text/number-of.ts'
import { ShownFills } from '../fills/shown-fills.tsx'
import { useModels } from '../model-settings/models.ts'
import { privateNamesOf } from '../variables/private-refusal.ts'
import { EstimatePanel } from './estimate-panel.tsx'
import {
  type EvaluatedRecord,
  estimateQuery,
  evaluableQuery,
  useStartEvaluation,
} from './evaluations.queries.ts'
import {
  baselineOf,
  type EvaluatedVersion,
  type EvaluationChoices,
  firstChoices,
  proposedCostLimit,
  targetsOf,
} from './run-evaluation-form.ts'

interface RunEvaluationDialogProps {
  record: EvaluatedRecord & { name: string }
  /** The initial choices; those that no longer exist are left out. */
  initial?: { suiteId?: number; versions?: readonly number[]; models?: readonly string[] } | undefined
  onStarted: (id: number) => void
  onClose: () => void
}

export default function RunEvaluationDialog(props: RunEvaluationDialogProps) {
  const { record, onClose } = props
  const { data, error, refetch } = useQuery(evaluableQuery(record))
  if (data?.suites.some(({ caseCount }) => caseCount > 0)) return <Choices {...props} {...data} />
  return (
    <PlainDialog title="Run evaluation" {...(data || error ? {} : { 'aria-busy': true })} onClose={onClose}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-40 rounded-control" />}
      {data && (
        <EmptyState
          title="No tests yet"
          about="tests"
          description={`To evaluate “${record.name}”, save a run as a test, or import a file of tests.`}
        />
      )}
    </PlainDialog>
  )
}

interface ChoicesProps extends RunEvaluationDialogProps {
  suites: readonly { id: number; name: string; caseCount: number }[]
  versions: readonly EvaluatedVersion[]
}

function Choices({ record, suites, versions, initial, onStarted, onClose }: ChoicesProps) {
  const models = useModels()
  const configured = models.filter((model) => model.configured)
  const [choices, setChoices] = useState(() =>
    firstChoices({ suites, versions, models: configured, initial }),
  )
  const change = (changed: Partial<EvaluationChoices>) => setChoices((before) => ({ ...before, ...changed }))
  const { mutate, isPending, error } = useStartEvaluation()
  const targets = targetsOf({ kind: record.kind, ...choices })
  const isTooMany = targets.length > EVALUATION_TARGETS_MAX
  const asked = { suiteId: choices.suiteId, targets, judgeModel: choices.judgeModel, reuse: choices.reuse }
  const estimate = useQuery({
    ...estimateQuery(asked),
    enabled: targets.length > 0 && !isTooMany && choices.suiteId > 0,
  })
  const { asksToFill = [] } = estimate.data ?? {}
  const proposed = estimate.data ? proposedCostLimit(estimate.data) : null
  const ceilingUsd = choices.costLimit === '' ? proposed : numberOf(choices.costLimit)
  const isCostLimit = ceilingUsd !== null && ceilingUsd > 0 && ceilingUsd <= EVALUATION_COST_LIMIT_MAX_USD
  const start = () => {
    if (!isCostLimit) return
    mutate(
      { ...asked, ...fillsOf(asksToFill), ceilingUsd, baseline: baselineOf(targets, versions) },
      {
        onSuccess: ({ id }) => onStarted(id),
        // A private name that has come into the texts since is shown, for the next press.
        onError: (failure) => void (privateNamesOf(failure) !== null && estimate.refetch()),
      },
    )
  }
  const toggle = <Value,>(list: readonly Value[], value: Value): Value[] =>
    list.includes(value) ? list.filter((one) => one !== value) : [...list, value]
  return (
    <FormDialog
      onClose={onClose}
      title="Run evaluation"
      description={`Runs the tests of a suite on each target, with your keys and values.`}
      submitLabel="Run evaluation"
      pendingLabel="Starting..."
      pending={isPending}
      submitDisabled={targets.length === 0 || isTooMany || !isCostLimit || !estimate.data}
      error={error && errorMessage(error)}
      onSubmit={start}
      className="max-w-[680px]"
    >
      <Field label="Test suite">
        <ChoiceSelect
          choices={suites.map(({ id, name, caseCount }) => ({
            value: String(id),
            label: `${name} · ${countText(caseCount, 'test')}`,
          }))}
          value={String(choices.suiteId)}
          onChange={(id) => change({ suiteId: Number(id) })}
          placeholder="Choose a suite"
        />
      </Field>
      <div className="grid items-start gap-4 md:grid-cols-2">
        <VersionChoices
          versions={versions}
          chosen={choices.versions}
          onToggle={(number) => change({ versions: toggle(choices.versions, number) })}
        />
        {record.kind === 'prompt' && (
          <ModelChoices
            models={models}
            chosen={choices.models}
            onToggle={(alias) => change({ models: toggle(choices.models, alias) })}
          />
        )}
      </div>
      {isTooMany && <TooMany targets={targets.length} />}
      <div className="grid items-start gap-4 md:grid-cols-2">
        <Field label="Graded by" hint="For model-graded assertions">
          <ChoiceSelect
            choices={[
              { value: 'usual', label: 'Default model' },
              ...configured.map(({ alias, label }) => ({ value: alias, label })),
            ]}
            value={choices.judgeModel ?? 'usual'}
            onChange={(alias) => change({ judgeModel: alias === 'usual' ? null : alias })}
          />
        </Field>
        <Field
          label="Cost limit in US dollars"
          hint="Nothing new starts once it is spent"
          error={
            ceilingUsd === null || isCostLimit
              ? undefined
              : (numberProblem(choices.costLimit) ??
                `More than 0, at most ${EVALUATION_COST_LIMIT_MAX_USD.toLocaleString('en')}`)
          }
        >
          <NumberInput
            placeholder={numberText(proposed)}
            value={choices.costLimit}
            onChange={(event) => change({ costLimit: event.target.value })}
          />
        </Field>
      </div>
      <SwitchField
        label="Reuse unchanged results"
        hint="When the test, version, model and judge are the same as in an earlier evaluation"
        checked={choices.reuse}
        onChange={(reuse) => change({ reuse })}
      />
      <ShownFills names={asksToFill} place="texts" act="Running it" />
      <EstimatePanel
        estimate={estimate.data}
        error={estimate.error}
        isOld={estimate.isPlaceholderData}
        hasTargets={targets.length > 0}
      />
    </FormDialog>
  )
}

interface ModelChoicesProps {
  models: ReturnType<typeof useModels>
  chosen: EvaluationChoices['models']
  onToggle: (alias: EvaluationChoices['models'][number]) => void
}

function ModelChoices({ models, chosen, onToggle }: ModelChoicesProps) {
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">Models</legend>
      <div className="grid rounded-control border border-line p-1">
        {models.map(({ alias, label, configured, keyVariable }) => (
          <label
            key={alias}
            className="flex min-h-8 items-center gap-2.5 rounded-tag px-2 text-sm hover:bg-hover has-disabled:text-text-3 pointer-coarse:min-h-11"
          >
            <input
              type="checkbox"
              checked={chosen.includes(alias)}
              disabled={!configured}
              onChange={() => onToggle(alias)}
              className="size-4 accent-accent"
            />
            <span className="min-w-0 truncate">
              {label}
              {!configured && <span className="text-xs text-text-3"> · set {keyVariable}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

const fillsOf = (asked: readonly string[]) => (asked.length > 0 ? { fills: [...asked] } : {})

function TooMany({ targets }: { targets: number }) {
  return (
    <p role="alert" className="text-xs text-danger">
      {targets} targets: at most {EVALUATION_TARGETS_MAX} at once.
    </p>
  )
}

interface VersionChoicesProps {
  versions: readonly EvaluatedVersion[]
  chosen: readonly number[]
  onToggle: (number: number) => void
}

function VersionChoices({ versions, chosen, onToggle }: VersionChoicesProps) {
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">Versions</legend>
      <div className="grid max-h-46 overflow-y-auto rounded-control border border-line p-1">
        {versions.map(({ number, note, labels }) => (
          <label
            key={number}
            className="flex min-h-8 min-w-0 items-center gap-2.5 rounded-tag px-2 text-sm hover:bg-hover pointer-coarse:min-h-11"
          >
            <input
              type="checkbox"
              checked={chosen.includes(number)}
              onChange={() => onToggle(number)}
              className="size-4 shrink-0 accent-accent"
            />
            <span className="shrink-0">v{number}</span>
            {labels.map((label) => (
              <Badge key={label} variant="accent">
                {label}
              </Badge>
            ))}
            <span title={note} className="min-w-0 truncate text-xs text-text-3">
              {note}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
