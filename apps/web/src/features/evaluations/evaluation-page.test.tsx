import type { Evaluation } from '@catenary/contracts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { show } from '../chains/testing/show.tsx'
import { stubChainApi, writesOf } from '../chains/testing/stub-chain-api.ts'
import { earlier } from '../prompt-runs/testing/open-execute-page.tsx'
import { EvaluationPage } from './evaluation-page.tsx'
import { makeEvaluation } from './testing/make-evaluation.ts'

const ONE = 'GET /api/evaluations/14'

beforeEach(() => {
  window.history.replaceState(null, '', '/evaluations/14')
  Element.prototype.hasPointerCapture = () => false
  Element.prototype.scrollIntoView = () => undefined
  // jsdom has no layout: a fixed height decides what is near.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(800)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(1200)
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const evaluation = makeEvaluation([
  ['passed', 'passed', 'passed'],
  ['passed', 'passed', 'failed: 151 words, at most 140'],
  ['failed: invents a number', 'passed', 'failed: invents a number'],
  ['passed', 'failed: answers in English', 'passed'],
])

function open(
  shown: Evaluation | Evaluation[] = evaluation,
  answers: Parameters<typeof stubChainApi>[0] = {},
) {
  const sent = stubChainApi({
    [ONE]: [shown].flat().map((one) => () => Response.json(one)),
    'GET /api/evaluations?promptId=3': () => Response.json([]),
    ...answers,
  })
  show(<EvaluationPage id={14} />)
  return { sent }
}

const rows = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent?.slice(0, 6))
const cellsOf = (row: number) => within(screen.getAllByRole('row')[row] as HTMLElement).getAllByRole('cell')

test('An evaluation shows how many tests pass with the 95 % interval, cost, p50 and p95, regressions, and score against cost, failures first.', async () => {
  open()
  expect(await screen.findByRole('heading', { name: 'Evaluation #14' })).toBeTruthy()
  const [baseline, second, third] = screen.getAllByRole('columnheader')
  expect(baseline?.textContent).toContain('production')
  expect(baseline?.textContent).toContain('baseline')
  expect(baseline?.textContent).toContain('3 of 4 pass')
  expect(second?.textContent).toContain('1 regression')
  expect(third?.textContent).toContain('2 of 4 pass')
  const texts = cellsOf(2).map(({ textContent }) => textContent)
  expect(texts[0]).toBe('Case 2, v4 · Claude: Pass2.1 s · $0.015')
  expect(texts[2]).toBe('Case 2, v7 · Gemini: 151 words, at most 1402.1 s · $0.015regression')
  expect(cellsOf(1).map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Case 3, v4 · Claude: invents a number/),
    expect.stringMatching(/fixed$/),
    expect.stringMatching(/also in v4$/),
  ])
  expect(screen.getByRole('img', { name: /^v4 · Claude: 75 %, \$0.060; v7 · Claude: 75 %/ })).toBeTruthy()
  expect(screen.getByText(/This evaluation cost/).textContent).toBe(
    'This evaluation cost $0.42, estimated $0.38 to $0.61',
  )
})

test('A baseline can be pinned, and results filtered by regressions, differences, search and tags.', async () => {
  open()
  await screen.findByRole('heading', { name: 'Evaluation #14' })
  expect(rows()).toEqual(['Case 3', 'Case 2', 'Case 4', 'Case 1'])
  await userEvent.click(screen.getByRole('switch', { name: /Only regressions/ }))
  expect(rows()).toEqual(['Case 2', 'Case 4'])
  await userEvent.click(screen.getByRole('switch', { name: /Only regressions/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Order: Failures first' }))
  await userEvent.click(screen.getByRole('menuitemradio', { name: 'By difference' }))
  expect(rows()).toEqual(['Case 2', 'Case 4', 'Case 3', 'Case 1'])
  await userEvent.click(screen.getByRole('button', { name: 'Compare the others with v7 · Claude' }))
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent?.slice(0, 11))).toEqual([
    'v7 · Claude',
    'v4 · Claude',
    'v7 · Gemini',
  ])
  expect(cellsOf(1)[0]?.textContent).toMatch(/^Case \d, v7 · Claude: /)
  expect(window.location.search).toBe('?sort=difference&baseline=1')
})

test('A result opens its grades in words and its run.', async () => {
  const cell = { ...evaluation.cells[5], caseName: 'Case 2' }
  const results = [
    {
      type: 'word-count',
      passed: false,
      score: 0,
      reason: '151 words, at most 140',
      weight: 1,
      metric: null,
    },
    { type: 'javascript', passed: null, score: 0, reason: 'Code does not run here', weight: 1, metric: null },
  ]
  open(evaluation, {
    'GET /api/evaluations/14/cells/1/2': () => Response.json({ ...cell, results }),
    'GET /api/prompts/3/executions/112': () => Response.json({ ...earlier, id: 112 }),
  })
  await userEvent.click(await screen.findByRole('button', { name: /^Case 2, v7 · Gemini/ }))
  const dialog = await screen.findByRole('dialog')
  expect(await within(dialog).findByText('151 words, at most 140')).toBeTruthy()
  expect(within(dialog).getByText(/Not run:/).textContent).toBe('Not run: Code does not run here')
  expect(await within(dialog).findByText('gemini-test')).toBeTruthy()
})

test('Arrow keys move between results.', async () => {
  open()
  const first = await screen.findByRole('button', { name: /^Case 3, v4 · Claude:/ })
  const stops = () => [...document.querySelectorAll('[data-cell][tabindex="0"]')]
  expect(stops()).toEqual([first])
  first.focus()
  await userEvent.keyboard('{ArrowRight}{ArrowDown}')
  await waitFor(() => expect(document.activeElement?.getAttribute('data-cell')).toBe('1:1'))
  expect(stops()).toHaveLength(1)
})

test('while it runs it shows its progress and can be stopped', async () => {
  const running = makeEvaluation(
    [
      ['passed', 'running'],
      ['waiting', 'waiting'],
    ],
    {
      ...{ status: 'running', canStop: true, costUsd: 0.015, finishedAt: null },
    },
  )
  const stopped = { ...running, status: 'stopped' as const, stopReason: 'Stopped by ada', canStop: false }
  const { sent } = open([running, stopped], {
    'POST /api/evaluations/14/stop': () => Response.json(stopped),
  })
  expect(await screen.findByText('1 of 4 results')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Stop' }))
  expect(await screen.findByText('Stopped by ada')).toBeTruthy()
  expect(writesOf(sent).map(({ key }) => key)).toEqual(['POST /api/evaluations/14/stop'])
})

test('stopped at its cost limit it resumes with a higher one', async () => {
  const stopped = makeEvaluation([['passed', 'waiting']], {
    ...{
      status: 'stopped',
      stopReason: 'The cost limit is reached. Raise it to continue.',
      costUsd: 1.01,
      canResume: true,
    },
  })
  const { sent } = open(stopped, { 'POST /api/evaluations/14/resume': () => Response.json(stopped) })
  const field = await screen.findByRole('textbox', { name: 'New cost limit in US dollars' })
  await userEvent.type(field, '0.5')
  expect(screen.getByRole('button', { name: 'Resume' }).hasAttribute('disabled')).toBe(true)
  await userEvent.clear(field)
  await userEvent.type(field, '3')
  await userEvent.click(screen.getByRole('button', { name: 'Resume' }))
  await waitFor(() =>
    expect(writesOf(sent)).toEqual([{ key: 'POST /api/evaluations/14/resume', body: { ceilingUsd: 3 } }]),
  )
})

test('What keeps a gated label from moving is listed above the table.', async () => {
  open({ ...evaluation, gates: ['production'] })
  expect(await screen.findByText('production requires this suite to pass: 3 results fail')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Show 3 results' }))
  expect(rows()).toEqual(['Case 3', 'Case 2', 'Case 4'])
  await userEvent.click(screen.getByRole('button', { name: 'Fails in v7' }))
  expect(rows()).toHaveLength(4)
})

test('it is deleted after a confirmation', async () => {
  const { sent } = open(evaluation, {
    'DELETE /api/evaluations/14': () => new Response(null, { status: 204 }),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'More: Evaluation #14' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete evaluation' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(window.location.pathname).toBe('/execute/3'))
  expect(writesOf(sent).map(({ key }) => key)).toEqual(['DELETE /api/evaluations/14'])
})

test('another person’s evaluation that may use private values is there, and no more', async () => {
  const cells = [['private', 'private', 'private']] as const
  const kept = { finishedAt: null, costUsd: null, uncounted: null, estimate: null, startedBy: 'vera' }
  const { sent } = open(
    makeEvaluation(cells, { ...kept, status: 'started', isMine: false, canStop: true, canDelete: false }),
    { 'POST /api/evaluations/14/stop': () => Response.json(evaluation) },
  )
  expect(await screen.findByText('Uses private values: only vera sees more.')).toBeTruthy()
  expect(screen.getByText('started', { selector: 'span' })).toBeTruthy()
  expect(screen.queryByText(/This evaluation cost/)).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Stop' }))
  await waitFor(() => expect(writesOf(sent)[0]?.key).toBe('POST /api/evaluations/14/stop'))
})
