import { CHAIN_INPUT, type ChainStep } from '@catenary/contracts'
import { askOutputSchema, type ChainWarning, type CheckedStep, checkChain, stepTitle } from '@catenary/domain'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'
import type { EditorOutput } from '../../../components/prompt-editor/prompt-editor-completion.ts'
import { readyNumberOf } from '../../../lib/text/number-of.ts'
import { fieldPaths } from '../../model-settings/output/field-paths.ts'
import { promptQuery } from '../../prompts/prompts.queries.ts'
import { readyAskOf } from './ask/ask-form.ts'
import { readyConditionOf } from './flow/condition-input.ts'
import { stepsAsRun } from './step-as-run.ts'
import type { StepFormInput } from './step-fields.tsx'

export interface StepChecks {
  outputs: EditorOutput[]
  warnings: ChainWarning[]
  index: number
}

const INPUTS: EditorOutput[] = [
  { name: CHAIN_INPUT.whole, origin: 'the whole input of the run' },
  { name: CHAIN_INPUT.lastMessage, origin: 'the last user message' },
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
  const { content, systemPrompt, messages, output, outputVariableName, position } = deferred
  const { kind, onlyIf, default: value, ifItFails, outcome, stopText } = deferred
  const linked = useLinkedTexts(values)
  const place = placeOf({ steps, step, position })
  const condition = useMemo(() => readyConditionOf(onlyIf) ?? undefined, [onlyIf])
  const prompting = useMemo(
    (): CheckedStep => ({
      content,
      systemPrompt: systemPrompt || linked?.systemPrompt,
      messages: messages.length > 0 ? messages : linked?.messages,
      outputVariableName,
      output: 'schema' in output ? output : linked?.output,
      onlyIf: condition,
      default: value || undefined,
      ifItFails,
    }),
    [content, systemPrompt, messages, output, outputVariableName, linked, condition, value, ifItFails],
  )
  const ending = useMemo(
    (): CheckedStep => ({
      content: '',
      outputVariableName: '',
      onlyIf: condition,
      stop: { outcome, text: stopText },
    }),
    [condition, outcome, stopText],
  )
  const asked = useMemo(
    (): CheckedStep => ({
      content: '',
      outputVariableName,
      onlyIf: condition,
      default: value || undefined,
      ask: readyAskOf(deferred),
    }),
    [outputVariableName, condition, value, deferred],
  )
  const mine = { prompt: prompting, ask: asked, stop: ending }[kind]
  const outputs = useMemo(() => [...outputsBefore({ steps, step, place }), ...INPUTS], [steps, step, place])
  const warnings = useMemo(
    () => warningsWith({ mine, place, steps, step, variables }),
    [mine, place, steps, step, variables],
  )
  return { outputs, warnings, index: place }
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

function outputsBefore({ steps, step, place }: Place & { place: number }): EditorOutput[] {
  return steps
    .filter(({ id }) => id !== step?.id)
    .slice(0, place)
    .map((other, index) => {
      const output: EditorOutput = {
        name: other.outputVariableName,
        origin: `step ${index + 1} · ${stepTitle(other)}`,
      }
      const schema = other.output?.schema ?? (other.ask && askOutputSchema(other.ask))
      if (schema) output.fields = fieldPaths(schema)
      return output
    })
    .filter(({ name }) => name !== '')
    .toReversed()
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
  // A new step, and what will use it, are still to be written.
  const isPremature = (kind: ChainWarning['kind']) => step === null && kind === 'unused-output'
  return next.filter(
    ({ step: about, kind, name }) =>
      !isPremature(kind) && (about === place || !before.has(`${kind}.${name}`)),
  )
}
