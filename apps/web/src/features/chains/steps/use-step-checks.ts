import { CHAIN_INPUT, type ChainStep, type ForEach, givesJson, ITEM_NAMES } from '@catenary/contracts'
import {
  type ChainWarning,
  type CheckedStep,
  checkChain,
  type JsonSchema,
  schemaOfItem,
  schemaOfOutput,
  stepTitle,
} from '@catenary/domain'
import { replaceEqualDeep, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useRef } from 'react'
import type {
  EditorOutput,
  EditorOutputField,
} from '../../../components/prompt-editor/prompt-editor-completion.ts'
import { readyNumberOf } from '../../../lib/text/number-of.ts'
import { fieldPaths } from '../../model-settings/output/field-paths.ts'
import { promptQuery } from '../../prompts/prompts.queries.ts'
import { readyConditionOf } from './flow/condition-input.ts'
import { readyLoopOf } from './flow/loop-input.ts'
import { kindFormOf } from './kind-forms.ts'
import { stepsAsRun } from './step-as-run.ts'
import type { StepFormInput } from './step-input.ts'

export interface StepChecks {
  outputs: EditorOutput[]
  /** What the step's texts may name besides, where it goes through a list. */
  itemOutputs: EditorOutput[]
  warnings: ChainWarning[]
  index: number
}

const NONE: EditorOutput[] = []
const INPUTS: EditorOutput[] = [
  { name: CHAIN_INPUT.whole, origin: 'the whole input of the run' },
  { name: CHAIN_INPUT.lastMessage, origin: 'the last user message', fields: [] },
]

export function useStepChecks({
  steps,
  step,
  values,
  variables,
}: {
  steps: readonly ChainStep[]
  step: ChainStep | null
  values: StepFormInput
  variables: readonly string[] | undefined
}): StepChecks {
  const deferred = useDeferredValue(values)
  const { position, onlyIf, forEach } = deferred
  const linked = useLinkedTexts(values)
  const place = placeOf({ steps, step, position })
  const condition = useMemo(() => readyConditionOf(onlyIf) ?? undefined, [onlyIf])
  const loop = useMemo(() => readyLoopOf(forEach) ?? undefined, [forEach])
  const mine = useSame(
    useMemo(
      () => kindFormOf(deferred).checked(deferred, { onlyIf: condition, forEach: loop, linked }),
      [deferred, condition, loop, linked],
    ),
  )
  const earlier = useMemo(
    () => steps.filter(({ id }) => id !== step?.id).slice(0, place),
    [steps, step?.id, place],
  )
  const outputs = useMemo(() => [...outputsOf(earlier), ...INPUTS], [earlier])
  const itemOutputs = useMemo(
    () => (mine.forEach ? outputsOfItem(mine.forEach, earlier) : NONE),
    [mine.forEach, earlier],
  )
  const warnings = useMemo(
    () => warningsWith({ mine, place, steps, step, variables }),
    [mine, place, steps, step, variables],
  )
  return { outputs, itemOutputs, warnings, index: place }
}

/** What is unchanged stays the same object: the checks remember what they read of each, and texts may be long. */
function useSame(step: CheckedStep): CheckedStep {
  const last = useRef(step)
  last.current = replaceEqualDeep(last.current, step)
  return last.current
}

function useLinkedTexts({ promptId, promptLabel, promptVersion }: StepFormInput) {
  const isCurrent = promptId !== null && promptLabel === null && promptVersion === null
  const { data } = useQuery({ ...promptQuery(promptId ?? 0), enabled: isCurrent })
  return isCurrent ? data : undefined
}

interface Place {
  steps: readonly ChainStep[]
  step: ChainStep | null
}

/** Where the position puts the step: steps run by position, then as they were added. */
function placeOf({ steps, step, position }: Place & { position: string }): number {
  const wanted = readyNumberOf(position) ?? 0
  const id = step?.id ?? Number.POSITIVE_INFINITY
  const isBefore = (other: ChainStep) =>
    other.position < wanted || (other.position === wanted && other.id < id)
  return steps.filter((other) => other.id !== step?.id && isBefore(other)).length
}

function outputsOf(earlier: readonly ChainStep[]): EditorOutput[] {
  return earlier
    .map((other, index) => {
      const output: EditorOutput = {
        name: other.outputVariableName,
        origin: `step ${index + 1} · ${stepTitle(other)}`,
      }
      if (givesJson(other)) output.fields = fieldsOf(other)
      return output
    })
    .filter(({ name }) => name !== '')
    .toReversed()
}

function outputsOfItem(loop: ForEach, earlier: readonly ChainStep[]): EditorOutput[] {
  const schemas = new Map(
    earlier.flatMap((step): [string, JsonSchema][] => {
      const schema = schemaOfOutput(step)
      return schema ? [[step.outputVariableName, schema]] : []
    }),
  )
  // Any item may be JSON, with fields of which nothing is known here.
  const fields = fieldPaths(schemaOfItem(loop, schemas) ?? {})
  return [
    { name: loop.as, origin: `each item of ${loop.list || 'the list'}`, fields },
    { name: ITEM_NAMES.number, origin: 'number of the item, from 1' },
  ]
}

/** Of a list of answers, those of its first. */
function fieldsOf({ forEach, ...step }: ChainStep): EditorOutputField[] {
  const schema = schemaOfOutput(step)
  const fields = schema ? fieldPaths(schema) : []
  return forEach ? fields.map((field) => ({ ...field, path: `[0].${field.path}` })) : fields
}

function warningsWith({
  mine,
  place,
  steps,
  step,
  variables,
}: Place & { mine: CheckedStep; place: number; variables: readonly string[] | undefined }): ChainWarning[] {
  const names = variables ? { variables } : {}
  const others = steps.filter(({ id }) => id !== step?.id)
  const before = new Set(
    checkChain({ steps: stepsAsRun(steps), ...names }).map(({ kind, name }) => `${kind}.${name}`),
  )
  const next = checkChain({ steps: stepsAsRun(others).toSpliced(place, 0, mine), ...names })
  // A new step, and what will use it, are still to be written; so is the list of a loop that was just begun.
  const isPremature = ({ kind, name }: ChainWarning) =>
    (step === null && (kind === 'unused-output' || (kind === 'unused-item' && mine.content === ''))) ||
    (kind === 'unknown-list' && name === '')
  return next.filter(
    (warning) =>
      !isPremature(warning) && (warning.step === place || !before.has(`${warning.kind}.${warning.name}`)),
  )
}
