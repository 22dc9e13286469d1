import { expect, test } from 'vitest'
import { gatesOf, rowsOf, shownRows, summariesOf, tagsOf } from './evaluation-rows.ts'
import type { EvaluationView } from './evaluation-view.ts'
import { makeEvaluation } from './testing/make-evaluation.ts'

const evaluation = makeEvaluation([
  ['passed', 'passed', 'passed'],
  ['passed', 'passed', 'failed: 151 words, at most 140'],
  ['failed: invents a number', 'passed', 'failed: invents a number'],
  ['passed', 'failed: answers in English', 'passed'],
])
const everything: EvaluationView = {
  ...{ search: '', tags: [], onlyRegressions: false, failing: null, sort: 'test', baseline: null },
}
const shown = (view: Partial<EvaluationView>, baseline = 0) =>
  shownRows(rowsOf(evaluation, baseline), { ...everything, ...view }).map(({ test }) => test.position)

test('each cell shows how it differs from the pinned target', () => {
  const changes = rowsOf(evaluation, 0).map(({ cells }) => cells.map(({ change }) => change))
  expect(changes).toEqual([
    [null, null, null],
    [null, null, 'regression'],
    [null, 'fixed', 'also'],
    [null, 'regression', null],
  ])
  const pinned = rowsOf(evaluation, 1).map(({ cells }) => cells.map(({ change }) => change))
  expect(pinned[3]).toEqual(['fixed', null, 'fixed'])
})

test('a row is found by its words and tags; filters show only what regressed or fails in a version', () => {
  expect(shown({ search: 'CASE 2' })).toEqual([1])
  expect(shown({ search: 'people of case 3' })).toEqual([2])
  expect(shown({ tags: ['tone'] })).toEqual([1, 3])
  expect(shown({ onlyRegressions: true })).toEqual([1, 3])
  expect(shown({ onlyRegressions: true }, 1)).toEqual([1, 2])
  expect(shown({ failing: 4 })).toEqual([2])
  expect(shown({ failing: 7 })).toEqual([1, 2, 3])
  expect(tagsOf(evaluation)).toEqual(['launch', 'tone'])
})

test('what fails most comes first, else the suite’s order holds', () => {
  expect(shown({ sort: 'failures' })).toEqual([2, 1, 3, 0])
  expect(shown({ sort: 'test' })).toEqual([0, 1, 2, 3])
})

test('sorted by difference, regressions come first, then fixes', () => {
  expect(shown({ sort: 'difference' })).toEqual([1, 3, 2, 0])
})

test('the summary of a target counts its regressions, and the baseline has none', () => {
  const lines = summariesOf(evaluation, 0).map(({ passed, counted, regressions }) => [
    passed,
    counted,
    regressions,
  ])
  expect(lines).toEqual([
    [3, 4, 0],
    [3, 4, 1],
    [2, 4, 1],
  ])
})

test('the newest version that does not carry a gated label is judged, by the cells of all its models', () => {
  expect(gatesOf({ ...evaluation, gates: ['production'] })).toEqual([
    { label: 'production', version: 7, failing: 3, hidden: 0 },
  ])
  expect(gatesOf({ ...evaluation, gates: ['production'], status: 'running' })).toEqual([])
  expect(gatesOf(evaluation)).toEqual([])
})
