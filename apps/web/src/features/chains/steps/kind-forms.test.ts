import { STEP_KINDS } from '@catenary/contracts'
import { expect, test } from 'vitest'
import { makeStep } from '../../../testing/make-chain.ts'
import { flowRows } from './flow/flow-form.ts'
import { EACH_FORM, kindFormOf } from './kind-forms.ts'
import { stepFormFor } from './step-form.ts'
import { stepInput, storedRows } from './step-input.ts'

test('what a kind adds to the form of a step is read of a stored step and shown in conflicts, by that kind alone', () => {
  const shared = new Set(['kind', ...Object.keys(storedRows), ...Object.keys(flowRows)])
  const added = Object.keys(stepInput.shape).filter((field) => !shared.has(field))
  const named = (fieldsOf: (kind: (typeof EACH_FORM)[number]) => object | undefined) =>
    EACH_FORM.flatMap((kind) => Object.keys(fieldsOf(kind) ?? {})).toSorted()
  expect(named(({ own }) => own?.rows)).toEqual(added.toSorted())
  expect(named(({ own }) => own?.inputOf(makeStep({ id: 1 })))).toEqual(added.toSorted())
})

test.each(STEP_KINDS)('a step of kind %s is saved by a form of its own', (kind) => {
  const saved = stepFormFor([]).safeParse(stepInput.parse({ kind, outputVariableName: 'answer' }))
  const isShown = (field: PropertyKey = '') => field !== 'kind' && field in stepInput.shape
  expect(saved.error?.issues.filter(({ path }) => !isShown(path[0])) ?? []).toEqual([])
})

test.each(STEP_KINDS)('the checks read nothing of a step of kind %s that its title changes', (kind) => {
  const values = stepInput.parse({ kind, outputVariableName: 'answer' })
  const ready = { onlyIf: undefined, forEach: undefined, linked: undefined }
  const { checked } = kindFormOf({ kind })
  expect(checked({ ...values, title: 'Another' }, ready)).toEqual(checked(values, ready))
})
