import type { RunDetails, RunStep } from '@catenary/contracts'
import { describe, expect, it } from 'vitest'
import { makeChain, makeStep } from '../../../testing/make-chain.ts'
import { piecesOf, sourcesOf } from './chain-input-sources.ts'
import { answerStepOf, mayRunFrom, positionsOf, resultTextOf, sumOf } from './chain-run.ts'
import { differencesOf, pairSteps } from './history/chain-comparison-steps.ts'

const step = (fields: Partial<RunStep>): RunStep => ({
  id: 1,
  position: 0,
  status: 'completed',
  title: 'Collect',
  model: 'claude',
  modelId: null,
  provider: null,
  finishReason: null,
  fallback: null,
  promptId: null,
  promptLabel: null,
  promptVersion: null,
  outputVariableName: 'tickets',
  executedAt: null,
  inputContent: null,
  inputSegments: [],
  resolved: {},
  attachments: [],
  systemPrompt: '',
  aiResponse: null,
  outputVariableValue: null,
  error: null,
  errorCode: null,
  skipReason: null,
  retries: 0,
  inputTokens: 10,
  outputTokens: 5,
  costUsd: 0.25,
  cachedTokens: null,
  savedUsd: null,
  durationMs: 1000,
  ...fields,
})
const collect = step({})
const count = step({ position: 1, title: 'Count', outputVariableName: 'counts' })

describe('a run on the page of its chain', () => {
  const { steps } = makeChain()
  const positions = (known: RunStep[] | undefined) =>
    positionsOf({
      steps,
      run: { steps: [collect, count], details: known && { steps: known } },
    })

  it('can be gone on from at each step before which all have ended well, as far as its texts are seen', () => {
    const details = { steps: [collect, count, step({ position: 2, outputVariableName: 'digest' })] }
    const from = (index: number, run: Partial<Parameters<typeof mayRunFrom>[0]['run']> = {}) => {
      const known = { ...details, ...run.details }
      return mayRunFrom({
        steps,
        index,
        run: { status: 'failed', sight: 'own', steps: known.steps, ...run, details: known as RunDetails },
      })
    }
    expect([0, 1, 2].map((index) => from(index))).toEqual([false, true, true])
    const broken = { steps: [collect, step({ position: 1, outputVariableName: 'counts', status: 'failed' })] }
    expect([1, 2].map((index) => from(index, { details: broken as RunDetails }))).toEqual([true, false])
    // A step that came into the chain since: whether its output is needed is not known here.
    expect(from(2, { details: { steps: [collect] } as RunDetails })).toBe(true)
    expect(from(2, { status: 'running' })).toBe(false)
    expect(from(2, { sight: 'figures' })).toBe(false)
  })

  it('finds each step by its output, wherever it stands now, and a renamed one by its place', () => {
    const moved = [
      step({ outputVariableName: 'counts' }),
      step({ position: 1, outputVariableName: 'tickets' }),
    ]
    expect(positions(moved)).toEqual([1, 0, undefined])
    expect(positions([collect, step({ position: 1, outputVariableName: 'old' })])).toEqual([0, 1, undefined])
    expect(positions(undefined)).toEqual([0, 1, undefined])
  })

  it('finds steps without an output by their place', () => {
    const stops = [1, 2].map((id) => makeStep({ id, outputVariableName: '' }))
    const known = stops.map((_, position) => step({ position, outputVariableName: '' }))
    const run = { steps: known, details: { steps: known } }
    expect(positionsOf({ steps: stops, run })).toEqual([0, 1])
  })

  it('sums what its models took: a step that asks none is no unknown', () => {
    const none = { inputTokens: null, outputTokens: null, costUsd: null }
    expect(sumOf([collect, step({ ...none, model: null })]).inputTokens).toBe(10)
    expect(sumOf([collect, step(none)]).inputTokens).toBeNull()
  })

  it('takes its answer from the last step that gave something', () => {
    const answered = step({ aiResponse: 'All told.' })
    const skipped = step({ position: 1, status: 'skipped', aiResponse: '' })
    const waiting = step({ position: 2, status: 'waiting' })
    expect(answerStepOf([answered, skipped, waiting])).toBe(answered)
    const instead = { ...skipped, aiResponse: 'Nothing.' }
    expect(answerStepOf([answered, instead, waiting])).toBe(instead)
  })

  it('sums what the steps took, and knows no cost of a run of which one is not known', () => {
    const waiting = step({ status: 'waiting', costUsd: null, durationMs: null })
    expect(sumOf([collect, count, waiting])).toMatchObject({
      inputTokens: 20,
      costUsd: 0.5,
      durationMs: 2000,
    })
    expect(sumOf([collect, step({ costUsd: null })]).costUsd).toBeNull()
    expect(sumOf([waiting]).durationMs).toBeNull()
  })

  it('‘Last Execution Result’ shows the output, or the raw result.', () => {
    expect(resultTextOf({ output: 'All told.', result: { output: 'All told.' } })).toBe('All told.')
    expect(resultTextOf({ output: '', result: { output: '' } })).toBe('{\n  "output": ""\n}')
  })
})

describe('a rendered input', () => {
  const origin = { variableId: 1, revision: 2, source: 'https://example.org/a', at: '2026-11-21T09:05:00' }
  const digest = step({
    position: 2,
    inputContent: 'Of one: NEWS, two and NEWS.',
    inputSegments: [
      { start: 3, end: 6, kind: 'output', name: 'input' },
      { start: 8, end: 12, kind: 'variable', name: 'news' },
      { start: 14, end: 17, kind: 'output', name: 'counts' },
      { start: 22, end: 26, kind: 'variable', name: 'news' },
    ],
    resolved: { news: { ...origin, type: 'api', cachedAt: '2026-11-20T09:05:00', error: 'No answer' } },
  })
  const sources = sourcesOf({ step: digest, steps: [collect, count, digest], timeZone: 'UTC' })

  it('Explain says which part of an input came from which variable, step or input, when, or why it is missing.', () => {
    expect(
      sources.map(({ reference, from, when, error, count }) => [reference, from, when, error, count]),
    ).toEqual([
      ['{{input}}', 'input of the run', '', null, 1],
      [
        '$<news>',
        'API variable · https://example.org/a · revision 2',
        'cached since Nov 20, 2026 9:05 AM',
        'No answer',
        2,
      ],
      ['{{counts}}', 'output of step 2, Count', '', null, 1],
    ])
  })

  it('is cut where a source begins or ends, and ends where no more is to be shown', () => {
    const cut = (length: number) =>
      piecesOf({ step: digest, sources, length }).map(({ text, source }) => [text, source?.name])
    expect(
      cut(100)
        .map(([text]) => text)
        .join(''),
    ).toBe(digest.inputContent)
    expect(cut(10)).toEqual([
      ['Of ', undefined],
      ['one', 'input'],
      [': ', undefined],
      ['NE', 'news'],
    ])
  })
})

describe('two runs beside each other', () => {
  it('Two runs stand side by side with steps aligned by output, and differences in tokens, time and cost. The address keeps it.', () => {
    const pairs = pairSteps({
      before: [collect, step({ position: 1, outputVariableName: 'gone' })],
      after: [count, step({ position: 1, model: 'gemini', aiResponse: 'Other.' })],
    })
    expect(pairs.map((pair) => [pair.name, differencesOf(pair)])).toEqual([
      ['counts', ['only in the later run']],
      ['tickets', ['position', 'model', 'output']],
      ['gone', ['only in the earlier run']],
    ])
    expect(differencesOf({ name: 'tickets', before: collect, after: collect })).toEqual([])
  })
})
