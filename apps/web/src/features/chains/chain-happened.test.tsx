import type { Chain, ChainRunSummary, RunDetails } from '@catenary/contracts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeChain, makeStep } from '../../testing/make-chain.ts'
import { ChainLoader } from './chain-loader.tsx'
import { ChainPage } from './chain-page.tsx'
import { makePresence, makeRun, makeRunState, makeRunStep, presenceState } from './testing/make-run.ts'
import { show } from './testing/show.tsx'
import { stubChainApi, writesOf } from './testing/stub-chain-api.ts'

const onOpenModels = vi.fn()

beforeEach(() => {
  window.history.replaceState(null, '', '/chains/12')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

function showPage() {
  show(
    <ChainLoader
      id={12}
      render={(chain) => (
        <ChainPage
          chain={chain}
          onOpenModels={onOpenModels}
          renderApiAccess={() => null}
          onDeleted={vi.fn()}
          onDuplicated={vi.fn()}
        />
      )}
    />,
  )
}

/** The chain, and its only run as the list and the run's own address give it. */
function answerWith({ chain = makeChain(), run }: { chain?: Chain; run?: RunDetails } = {}) {
  const { steps: _, ...summary } = run ?? makeRun()
  const { status, canResume, canStop, sight } = summary
  return stubChainApi({
    'GET /api/chains/12': () => Response.json(chain),
    'GET /api/chains/12/executions?limit=50': () =>
      Response.json(run ? [summary as unknown as ChainRunSummary] : []),
    'GET /api/executions/218': () => Response.json(run),
    'GET /api/executions/218/status': () => {
      const statuses = run?.steps.map((step) => step.status) ?? []
      return Response.json({ ...makeRunState(status, ...statuses), canResume, canStop, sight })
    },
    'GET /api/users/administrators': () => Response.json({ names: ['maren'], others: 0 }),
    'POST /api/executions/218/resume': () => Response.json({ id: 218 }),
    'POST /api/chains/12/execute': () => Response.json({ id: 219 }, { status: 201 }),
  })
}

const ran = (fields: Parameters<typeof makeRunStep>[0], position: number) =>
  makeRunStep({ position, outputVariableName: ['tickets', 'counts', 'digest'][position] ?? '', ...fields })
const failedRun = (fields: Partial<RunDetails> = {}) =>
  makeRun({
    status: 'failed',
    canResume: true,
    error: 'It rests.',
    steps: [
      ran({ aiResponse: 'Three groups, of which one is large.' }, 0),
      ran(
        { status: 'failed', model: 'openai', modelId: 'gpt-test', error: 'It rests.', aiResponse: null },
        1,
      ),
      ran({ status: 'waiting', aiResponse: null }, 2),
    ],
    ...fields,
  })
const card = (name: string) => within(screen.getByRole('article', { name }))

test('A failed chain says so once when it is opened, with Resume, another model to try, and the models for administrators.', async () => {
  const sent = answerWith({ run: failedRun() })
  showPage()
  const again = await screen.findByRole('button', { name: 'Resume from here' })
  expect(again).toBeTruthy()
  expect(screen.getAllByText('It rests.')).toHaveLength(1)
  expect(await card('Count').findByText('gpt-test')).toBeTruthy()
  expect(screen.queryByText('Chain execution failed')).toBeNull()
  await userEvent.click(card('Count').getByRole('button', { name: 'Open models' }))
  expect(onOpenModels).toHaveBeenCalledOnce()
  await userEvent.click(card('Count').getByRole('button', { name: /^Try with Claude/ }))
  await waitFor(() =>
    expect(writesOf(sent)).toEqual([{ key: 'POST /api/executions/218/resume', body: { model: 'claude' } }]),
  )
})

test('A step that failed for what administrators alone can mend says whom to ask.', async () => {
  const error = 'API key not configured for openai. Set OPENAI_API_KEY.'
  const [first, , third] = failedRun().steps
  const keyless = ran({ status: 'failed', error, errorCode: 'model_not_configured', aiResponse: null }, 1)
  answerWith({ run: failedRun({ steps: [first, keyless, third].flatMap((step) => step ?? []) }) })
  showPage()
  expect(await screen.findByText(/Ask maren\. Step 1 is kept/)).toBeTruthy()
})

test('a run that is taken out of view stays out, and its place is kept', async () => {
  answerWith({ run: failedRun() })
  showPage()
  await userEvent.click(await screen.findByRole('button', { name: 'Hide this run' }))
  expect(screen.queryByRole('region', { name: 'Execution #218' })).toBeNull()
  expect(screen.getByRole('complementary', { name: 'Runs' })).toBeTruthy()
})

test('The right column keeps its place from the start.', async () => {
  answerWith()
  showPage()
  expect(await screen.findByText(/^No runs yet/)).toBeTruthy()
  expect(screen.getByRole('complementary', { name: 'Runs' })).toBeTruthy()
})

test('A chain whose last run can’t be had is shown without it after two seconds.', async () => {
  stubChainApi({
    'GET /api/chains/12': () => Response.json(makeChain()),
    'GET /api/chains/12/executions?limit=50': () => new Promise<Response>(() => undefined),
  })
  showPage()
  expect(await screen.findByRole('region', { name: 'Steps' })).toBeTruthy()
  expect(screen.queryByRole('article', { name: 'Count' })).toBeNull()
  expect(await screen.findByRole('article', { name: 'Count' })).toBeTruthy()
})

test('A finished step shows the beginning of its output, and which model answered.', async () => {
  const fallback = { model: 'gemini', reason: 'Claude is not available.' }
  answerWith({
    run: failedRun({
      steps: [
        ran({ model: 'claude', fallback, aiResponse: '## Findings\n\n* **Three** `groups`.' }, 0),
        ran({ status: 'failed' }, 1),
      ],
    }),
  })
  showPage()
  expect(await screen.findByText('Findings Three groups.')).toBeTruthy()
  expect(screen.getByText(/^Answered by Gemini, as Claude failed: Claude is not available\.$/)).toBeTruthy()
})

test('Another’s run can be run again as one’s own.', async () => {
  const run = failedRun({
    ...{ executedBy: 'vera', sight: 'figures', usesPrivateValues: true, canResume: false, canStop: false },
  })
  const sent = answerWith({ run })
  showPage()
  expect(await screen.findByText('Metrics only: this run used vera’s private values.')).toBeTruthy()
  expect(screen.getByText(/by vera/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Resume/ })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Run again as me' }))
  await waitFor(() => expect(writesOf(sent)[0]?.key).toBe('POST /api/chains/12/execute'))
})

test('Of a run that may use private values others see only that it is there, whose, when and its version (D68).', async () => {
  const run = makePresence()
  window.history.replaceState(null, '', '/chains/12?run=218')
  const sent = stubChainApi({
    'GET /api/chains/12': () => Response.json(makeChain()),
    'GET /api/chains/12/executions?limit=50': () => Response.json([run]),
    'GET /api/executions/218': () => Response.json(run),
    'GET /api/executions/218/status': () => Response.json(presenceState(run)),
    'POST /api/executions/218/cancel': () => Response.json(presenceState(run), { status: 202 }),
  })
  showPage()
  expect(await screen.findByText('Uses private values: only vera sees more.')).toBeTruthy()
  expect(screen.getByText('started')).toBeTruthy()
  expect(screen.getByText(/^Started by vera, version 3/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Resume|Run again/ })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Stop' }))
  await waitFor(() => expect(writesOf(sent)[0]?.key).toBe('POST /api/executions/218/cancel'))
  await userEvent.click(screen.getByRole('button', { name: 'Show Execution History' }))
  const row = within(await screen.findByRole('list', { name: 'Executions' }))
  expect(row.getByText('Uses private values: only vera sees more.')).toBeTruthy()
  expect(row.queryByRole('button')).toBeNull()
})

const doneRun = (fields: Partial<RunDetails> = {}) =>
  makeRun({
    ...{ status: 'completed', output: '## Three groups\n\nOne is large.', input: 'for the board' },
    ...{ stepCount: 3, completedSteps: 3, durationMs: 7900, inputTokens: 6000, outputTokens: 412 },
    steps: [0, 1, 2].map((position) =>
      ran({ title: ['Collect', 'Count', 'Write'][position] ?? '' }, position),
    ),
    ...fields,
  })

test('A chain ends in its answer: the last link shows it rendered, with Copy, thumbs, ‘Schedule this’ and ‘Call it from code’.', async () => {
  window.history.replaceState(null, '', '/chains/12?run=218')
  answerWith({ run: doneRun() })
  showPage()
  const answer = within(await screen.findByRole('figure', { name: 'Last Execution Result' }))
  expect(await answer.findByRole('heading', { name: 'Three groups' })).toBeTruthy()
  expect(answer.getByRole('button', { name: 'Copy' })).toBeTruthy()
  expect(answer.getByRole('button', { name: 'Good answer' })).toBeTruthy()
  expect(answer.getByRole('button', { name: 'Call it from code' })).toBeTruthy()
  expect(screen.getByText(/^#218 ·.*· started by hand$/)).toBeTruthy()
  await userEvent.click(answer.getByRole('button', { name: 'Schedule this' }))
  expect(window.location.search).toContain('schedule=new')
})

test('After a run its steps are one line each, which a press unfolds; the run says what each of them took.', async () => {
  window.history.replaceState(null, '', '/chains/12?run=218')
  answerWith({ run: doneRun() })
  showPage()
  await screen.findByRole('figure', { name: 'Last Execution Result' })
  const collect = card('Collect')
  await waitFor(() => expect(collect.getByText('Three groups.')).toBeTruthy())
  expect(collect.queryByRole('button', { name: 'Edit step: Collect' })).toBeNull()
  await userEvent.click(collect.getByRole('button', { name: /^done/ }))
  expect(collect.getByRole('button', { name: 'Edit step: Collect' })).toBeTruthy()
  const table = within(screen.getByRole('region', { name: 'Execution #218' })).getByRole('table')
  const first = within(table).getAllByRole('row')[1]?.textContent
  expect(first).toBe('1 Collect3.1 s1,204$0.25')
})

test('Until a run has its answer, the last link says so and keeps the last one; a failed run has none.', async () => {
  window.history.replaceState(null, '', '/chains/12?run=218')
  const before = doneRun({ id: 217, output: 'Five themes.' })
  const { steps: _, ...listed } = before
  const { steps: __, ...failed } = failedRun()
  let state = makeRunState('running', 'completed', 'running', 'waiting')
  stubChainApi({
    'GET /api/chains/12': () => Response.json(makeChain()),
    'GET /api/chains/12/executions?limit=50': () => Response.json([failed, listed]),
    'GET /api/executions/217': () => Response.json(before),
    'GET /api/executions/218': () => Response.json(failedRun()),
    'GET /api/executions/218/status': () => Response.json(state),
  })
  showPage()
  const notice = 'The answer appears here after step 3. Until then, the last result stays.'
  await screen.findByText(notice)
  const answer = await screen.findByRole('figure', { name: 'Last Execution Result' })
  expect(await within(answer).findByText('Five themes.')).toBeTruthy()
  // Beside each other: a result that came back only with the run's end would be found as well.
  expect(screen.getByText(notice)).toBeTruthy()

  state = makeRunState('running', 'completed', 'completed', 'running')
  await screen.findByText('The answer is on its way...')
  expect(screen.queryByText(notice)).toBeNull()
  expect(screen.queryByText('Five themes.')).toBeNull()

  state = makeRunState('failed', 'completed', 'completed', 'failed')
  expect(await screen.findByText('Execution #218 failed at step 3, so it has no answer.')).toBeTruthy()
  expect(await screen.findByText('Five themes.')).toBeTruthy()
  expect(screen.getByText(/^#217 · /)).toBeTruthy()
})

test('a chain’s first run promises no last result', async () => {
  window.history.replaceState(null, '', '/chains/12?run=218')
  const running = makeRunState('running', 'completed', 'running', 'waiting')
  answerWith({
    run: makeRun({ steps: running.steps.map(({ status }, position) => ran({ status }, position)) }),
  })
  showPage()
  expect(await screen.findByText('The answer appears here after step 3.')).toBeTruthy()
  expect(screen.queryByRole('figure', { name: 'Last Execution Result' })).toBeNull()
})

test('Of a result whose texts others keep, the last link shows the metrics alone.', async () => {
  window.history.replaceState(null, '', '/chains/12?run=218')
  answerWith({
    run: doneRun({ ...{ executedBy: 'vera', sight: 'figures', output: null, input: '' }, durationMs: 7900 }),
  })
  showPage()
  const answer = within(await screen.findByRole('region', { name: 'Last Execution Result' }))
  expect(answer.getByText('Metrics only: the texts of this run are not shared with you.')).toBeTruthy()
  expect(answer.getByText(/^3 of 3 steps · 7.9 s · 6,412 tokens/)).toBeTruthy()
  expect(answer.queryByRole('button')).toBeNull()
})

test('The result of an older run is headed by its number, not as the last one.', async () => {
  window.history.replaceState(null, '', '/chains/12?run=218')
  const { steps: _, ...later } = doneRun({ id: 220, executedAt: '2027-01-01T09:00:00.000Z' })
  stubChainApi({
    'GET /api/chains/12': () => Response.json(makeChain()),
    'GET /api/chains/12/executions?limit=50': () => Response.json([later]),
    'GET /api/executions/218': () => Response.json(doneRun()),
  })
  showPage()
  expect(await screen.findByRole('figure', { name: 'Result of Execution #218' })).toBeTruthy()
  expect(screen.queryByRole('figure', { name: 'Last Execution Result' })).toBeNull()
})

test('The newest runs stand beside the steps, with their median; each opens with a press.', async () => {
  const listed = [220, 219, 218].map((id) => {
    const { steps: _, ...summary } = doneRun({ id, durationMs: (id - 217) * 1000, costUsd: 0.01 })
    return summary
  })
  stubChainApi({
    'GET /api/chains/12': () => Response.json(makeChain()),
    'GET /api/chains/12/executions?limit=50': () => Response.json(listed),
    'GET /api/executions/220': () => Response.json(doneRun({ id: 220 })),
  })
  showPage()
  const runs = within(await screen.findByRole('region', { name: 'Recent runs' }))
  expect(runs.getByText('median 2.0 s, $0.010')).toBeTruthy()
  expect(runs.getByRole('link', { name: /^The last 3 runs/ })).toBeTruthy()
  expect(runs.getByRole('link', { name: /^#219/ }).getAttribute('href')).toBe('/chains/12?run=219')
})

test('a single run has neither bars nor a median', async () => {
  answerWith({ run: doneRun() })
  showPage()
  const runs = within(await screen.findByRole('region', { name: 'Recent runs' }))
  expect(runs.getByRole('link', { name: /^#218/ })).toBeTruthy()
  expect(runs.getAllByRole('link')).toHaveLength(1)
  expect(runs.queryByText(/^median/)).toBeNull()
})

test.each([
  ['shared, its runs open', { owner: 'olga', sharedLevel: 'shared' }, true],
  ['shared, its runs kept', { owner: 'olga', sharedLevel: 'shared', runsVisibleTo: 'runner' }, false],
  ['public', { owner: 'olga', sharedLevel: 'public' }, false],
  ['one’s own', { sharedLevel: 'shared' }, false],
] as const)('Who starts a run is told who sees it. (%s)', async (_, fields, isShown) => {
  answerWith({ chain: makeChain(fields) })
  showPage()
  await screen.findByText(/^No runs yet/)
  expect(screen.queryByText(/^olga and this chain’s editors can see your runs/) !== null).toBe(isShown)
})

test('An unused output is a hint, not a question.', async () => {
  const chain = makeChain({ steps: [makeStep({ id: 1, title: 'One' }), makeStep({ id: 2 })] })
  const sent = answerWith({ chain })
  showPage()
  expect(await screen.findByText('No step uses its output {{out_1}}.')).toBeTruthy()
  expect(screen.queryByRole('note', { name: 'Warnings' })).toBeNull()
  await screen.findByText(/^No runs yet/)
  await userEvent.click(screen.getByRole('button', { name: /^Execute Chain/ }))
  await waitFor(() => expect(writesOf(sent)[0]?.key).toBe('POST /api/chains/12/execute'))
})

test('The arcs of the step under the pointer stand out.', async () => {
  answerWith()
  showPage()
  await screen.findByText(/^No runs yet/)
  const pointed = () => document.querySelectorAll('[data-pointed]').length
  await waitFor(() => expect(document.querySelectorAll('svg path[d^="M35"]')).toHaveLength(1))
  await userEvent.hover(screen.getByRole('article', { name: 'Count' }))
  expect(pointed()).toBe(0)
  await userEvent.hover(screen.getByRole('article', { name: 'Write' }))
  expect(pointed()).toBe(1)
})
