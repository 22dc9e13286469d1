import type { ChainVersion } from '@catenary/contracts'
import type { FieldChange } from '../../../components/text-diff/field-changes.tsx'
import { settingChanges, settingTextChanges } from '../../model-settings/settings-text.ts'
import { CUT_LABEL, CUT_STOPS, STOP_LABEL, STOPS } from '../chain-fields.tsx'
import { changesOf, flowChanges, flowTextChanges } from '../steps/flow/flow-form.ts'
import { EACH_FORM } from '../steps/kind-forms.ts'
import { kindOf } from '../steps/kinds.tsx'
import { TOKENS_LABEL } from '../tokens-label.ts'

export type VersionStep = ChainVersion['steps'][number]

export interface StepPair {
  before: VersionStep | null
  after: VersionStep | null
  places: { before: number; after: number }
}

/** The same step belongs together wherever it stands, else those that make the same output; in the order of the later version. */
export function pairSteps({
  before,
  after,
}: {
  before: readonly VersionStep[]
  after: readonly VersionStep[]
}): StepPair[] {
  const left = new Set(before)
  const take = (fits: (step: VersionStep) => boolean) => {
    const found = [...left].find(fits) ?? null
    if (found) left.delete(found)
    return found
  }
  const byId = new Map(after.map((step) => [step, take(({ id }) => id === step.id)]))
  const pairs = after.map((step) => ({
    before:
      byId.get(step) ?? take(({ outputVariableName: name }) => name === step.outputVariableName) ?? null,
    after: step as VersionStep | null,
  }))
  const gone = [...left].map((step) => ({ before: step as VersionStep | null, after: null }))
  return [...pairs, ...gone].map((pair) => ({
    ...pair,
    places: {
      before: pair.before ? before.indexOf(pair.before) + 1 : 0,
      after: pair.after ? after.indexOf(pair.after) + 1 : 0,
    },
  }))
}

const STEP_FIELDS: [label: string, show: (step: VersionStep) => string][] = [
  ['Title', ({ title }) => title],
  ['Output', ({ outputVariableName }) => outputVariableName],
  ['Linked prompt', ({ promptId }) => (promptId === null ? 'none' : `#${promptId}`)],
]

export function fieldChanges({
  pair: { before, after },
  nameOf,
}: {
  pair: StepPair
  nameOf: (model: string) => string
}): FieldChange[] {
  const sides = { before: before ?? {}, after: after ?? {} }
  const flow = [
    ...changesOf(sides, [{ label: 'Kind', show: (step) => kindOf(step).label }]),
    ...flowChanges(sides),
    ...EACH_FORM.flatMap(({ own }) => own?.changes(sides) ?? []),
  ]
  if (!before || !after) return flow
  const fields: typeof STEP_FIELDS = [
    ...STEP_FIELDS,
    ['Model', ({ model }) => (model === null ? 'none' : nameOf(model))],
  ]
  return [
    ...fields.flatMap(([label, show]) =>
      show(before) === show(after) ? [] : [{ label, before: show(before), after: show(after) }],
    ),
    ...flow,
    ...settingChanges({ before, after, nameOf, tokensLabel: TOKENS_LABEL }),
  ]
}

export function textChanges({ before, after }: StepPair): FieldChange[] {
  const content = { label: 'Content', before: before?.content ?? '', after: after?.content ?? '' }
  const sides = { before: before ?? {}, after: after ?? {} }
  return [
    ...(content.before === content.after ? [] : [content]),
    ...flowTextChanges(sides),
    ...EACH_FORM.flatMap(({ own }) => own?.textChanges(sides) ?? []),
    ...settingTextChanges(sides),
  ]
}

/** Steps that were added or removed around it don't count as moves. */
export function isMoved(pair: StepPair, pairs: readonly StepPair[]): boolean {
  if (!pair.before || !pair.after) return false
  const kept = pairs.filter(({ before, after }) => before && after)
  const rankIn = (side: 'before' | 'after') =>
    kept.filter(({ places }) => places[side] < pair.places[side]).length
  return rankIn('before') !== rankIn('after')
}

export function chainChanges({
  before,
  after,
}: {
  before: ChainVersion
  after: ChainVersion
}): FieldChange[] {
  const settings: FieldChange[] = [
    { label: 'Name', before: before.name, after: after.name },
    { label: 'Description', before: before.description, after: after.description },
    {
      label: STOP_LABEL,
      before: STOPS[before.stopsWithoutValue],
      after: STOPS[after.stopsWithoutValue],
    },
    {
      label: CUT_LABEL,
      before: CUT_STOPS[before.stopsWhenCut],
      after: CUT_STOPS[after.stopsWhenCut],
    },
  ]
  return settings.filter((setting) => setting.before !== setting.after)
}
