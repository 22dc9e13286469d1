import type { ChainVersion } from '@catenary/contracts'
import { expect, test } from 'vitest'
import { makeStep } from '../../../testing/make-chain.ts'
import { chainChanges, fieldChanges, isMoved, pairSteps, textChanges } from './chain-version-changes.ts'

const collect = makeStep({ id: 1, outputVariableName: 'tickets' })
const count = makeStep({ id: 2, outputVariableName: 'counts' })
const write = makeStep({ id: 3, outputVariableName: 'digest' })

const placesOf = (pairs: ReturnType<typeof pairSteps>) =>
  pairs.map(({ places: { before, after } }) => [before, after])

test('a step is paired with itself, else with what makes the same output; in the order of the later version', () => {
  const copy = makeStep({ id: 9, outputVariableName: 'digest' })
  const renamed = { ...collect, outputVariableName: 'cases' }
  const added = makeStep({ id: 10, outputVariableName: 'tickets' })
  const pairs = pairSteps({ before: [collect, count, write], after: [added, copy, renamed] })
  expect(placesOf(pairs)).toEqual([
    [0, 1],
    [3, 2],
    [1, 3],
    [2, 0],
  ])
})

test('a step is moved when it stands at another place among those that both have', () => {
  const taken = pairSteps({ before: [collect, count, write], after: [count, write] })
  expect(taken.map((pair) => isMoved(pair, taken))).toEqual([false, false, false])
  const swapped = pairSteps({ before: [collect, count, write], after: [count, collect, write] })
  expect(swapped.map((pair) => isMoved(pair, swapped))).toEqual([true, true, false])
})

test('fields and texts that differ are named with their earlier values', () => {
  const [pair] = pairSteps({
    before: [collect],
    after: [{ ...collect, model: 'gemini', temperature: 0.2, promptId: 7, content: 'Group.', title: '' }],
  })
  if (!pair) throw new Error('no pair')
  expect(fieldChanges({ pair, nameOf: (model) => model.toUpperCase() })).toEqual([
    { label: 'Title', before: 'Step 1', after: '' },
    { label: 'Linked prompt', before: 'none', after: '#7' },
    { label: 'Model', before: 'CLAUDE', after: 'GEMINI' },
    { label: 'Temperature', before: 'the model’s default', after: '0.2' },
  ])
  expect(textChanges(pair)).toEqual([{ label: 'Content', before: 'Go on.', after: 'Group.' }])
})

test('of how a step is run, what differs is said in words', () => {
  const step = makeStep({ id: 1 })
  const [pair] = pairSteps({
    before: [step],
    after: [
      {
        ...step,
        effort: 'low',
        fallbackModel: 'gemini',
        moreFallbackModels: ['openai', 'custom'],
        stop: ['END', '\n'],
        messages: [{ role: 'assistant', content: 'Good day' }],
      },
    ],
  })
  if (!pair) throw new Error('no pair')
  const shown = fieldChanges({ pair, nameOf: (model) => model.toUpperCase() })
  expect(shown.map(({ label, after }) => [label, after])).toEqual([
    ['Fallback model', 'GEMINI'],
    ['More fallback models', 'OPENAI, CUSTOM'],
    ['Effort', 'Low'],
    ['Stop texts', '"END", "\\n"'],
  ])
  expect(textChanges(pair)).toEqual([{ label: 'Turns', before: '', after: 'Assistant: Good day' }])
})

test('when a step runs and how it ends a run are said in words, of an added step too', () => {
  const step = makeStep({ id: 1 })
  const onlyIf = { all: [{ ref: 'tickets', op: 'is_empty' as const }] }
  const after = { ...step, onlyIf, default: 'None.', ifItFails: 'go_on' as const }
  const [pair] = pairSteps({ before: [step], after: [after] })
  if (!pair) throw new Error('no pair')
  expect(fieldChanges({ pair, nameOf: String })).toEqual([
    { label: 'When it runs', before: 'Always', after: 'Only if tickets is empty' },
    { label: 'If it fails', before: 'The run fails', after: 'The run goes on' },
  ])
  expect(textChanges(pair)).toEqual([{ label: 'Output when skipped', before: '', after: 'None.' }])
  const stop = {
    ...step,
    id: 2,
    kind: 'stop' as const,
    content: '',
    stop: { outcome: 'failed' as const, text: 'Spam.' },
  }
  const [added] = pairSteps({ before: [], after: [stop] })
  if (!added) throw new Error('no pair')
  expect(fieldChanges({ pair: added, nameOf: String }).map(({ label, after }) => [label, after])).toEqual([
    ['Kind', 'Stop'],
    ['The run ends as', 'Failed'],
  ])
  expect(textChanges(added)).toEqual([{ label: 'Text that the run ends with', before: '', after: 'Spam.' }])
})

test('how often a step runs is said in words, of a list that changed only in part too', () => {
  const step = makeStep({ id: 1 })
  const forEach = { list: 'tickets', as: 'ticket', max: 50, atOnce: 3 } as const
  const once = { ...forEach, onFailure: 'stop', result: 'text' } as const
  const changesOf = (before: typeof step, after: typeof step) => {
    const [pair] = pairSteps({ before: [before], after: [after] })
    if (!pair) throw new Error('no pair')
    return fieldChanges({ pair, nameOf: String })
  }
  const said =
    'For each ticket of tickets, up to 50, 3 at once; if one fails: the step fails; results combined as text'
  expect(changesOf(step, { ...step, forEach: once })).toEqual([
    { label: 'How often it runs', before: 'Once', after: said },
  ])
  const leaving = { ...once, onFailure: 'leave_out', result: 'json' } as const
  expect(changesOf({ ...step, forEach: once }, { ...step, forEach: leaving })).toEqual([
    {
      label: 'How often it runs',
      before: said,
      after:
        'For each ticket of tickets, up to 50, 3 at once; if one fails: it is left out; results combined as a JSON list',
    },
  ])
})

test('of the settings only those that changed are named', () => {
  const version: ChainVersion = {
    ...{ number: 1, note: '', author: 'ada', createdAt: '2026-05-01T10:00:00.000Z' },
    ...{
      name: 'Digest',
      description: '',
      stopsWithoutValue: 'unwatched',
      stopsWhenCut: 'unwatched',
      steps: [],
    },
  }
  expect(chainChanges({ before: version, after: version })).toEqual([])
  const after: ChainVersion = { ...version, name: 'Monday digest', stopsWithoutValue: 'always' }
  expect(chainChanges({ before: version, after }).map(({ label, after }) => [label, after])).toEqual([
    ['Name', 'Monday digest'],
    ['Stop when a value is unavailable', 'In every run'],
  ])
})
