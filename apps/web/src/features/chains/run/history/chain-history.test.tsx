import type { ChainRunSummary } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { TooltipProvider } from '../../../../components/ui/tooltip.tsx'
import { createQueryClient } from '../../../../lib/query-client.ts'
import { makeChain } from '../../../../testing/make-chain.ts'
import { makeLoopStep } from '../../testing/make-items.ts'
import { makeRun, makeRunStep } from '../../testing/make-run.ts'
import { ChainRunTexts } from '../chain-run-texts.ts'
import type { ChainRunning } from '../use-chain-run.ts'
import { differencesOf } from './chain-comparison-steps.ts'
import { ChainHistory } from './chain-history.tsx'

const TIME = new Date(2026, 10, 21, 9, 5).toISOString()
const summary: ChainRunSummary = {
  id: 218,
  chainId: 12,
  chainName: 'Monday digest',
  chainVersion: 4,
  chainLabel: 'production',
  status: 'failed',
  trigger: 'schedule',
  token: null,
  apiCall: null,
  executedAt: TIME,
  finishedAt: null,
  executedBy: 'ada',
  stepCount: 2,
  completedSteps: 1,
  cutSteps: 0,
  error: 'It rests.',
  ...{ canResume: true, canStop: true, sight: 'own', isSeenByEditors: false },
  ...{ usesPrivateValues: false, sharing: 'none' },
  inputTokens: 1000,
  outputTokens: 204,
  costUsd: 0.25,
  cachedTokens: 780,
  savedUsd: 0.011,
  durationMs: 7700,
}
const details = makeRun({
  ...summary,
  input: 'the board',
  steps: [
    makeRunStep(),
    makeRunStep({
      id: 2,
      position: 1,
      status: 'failed',
      title: '',
      model: 'claude',
      inputContent: null,
      systemPrompt: '',
      aiResponse: null,
      outputVariableValue: null,
      error: 'It rests.',
    }),
  ],
})

const onRunAgain = vi.fn()
const onRunFrom = vi.fn()
const onCompare = vi.fn()
const resume = vi.fn()
const running: ChainRunning = {
  run: null,
  texts: new ChainRunTexts(),
  phase: 'idle',
  resultId: null,
  newestResultAt: null,
  start: vi.fn(),
  stop: vi.fn(),
  isStopping: false,
  resume,
  allow: vi.fn(),
  retryItems: vi.fn(),
  isResuming: false,
  hasNone: false,
  isShownKnown: true,
  offered: null,
  showOffered: vi.fn(),
  close: vi.fn(),
  followAgain: vi.fn(),
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

function showHistory(answers: Record<string, () => Response>) {
  const sent: string[] = []
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    const key = `${init?.method ?? 'GET'} ${path}`
    sent.push(key)
    return answers[key]?.() ?? Response.json({ error: 'Out of luck' }, { status: 500 })
  })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <TooltipProvider>
        <ChainHistory
          chain={makeChain()}
          running={running}
          compared={null}
          onCompare={onCompare}
          onRunAgain={onRunAgain}
          onRunFrom={onRunFrom}
        />
      </TooltipProvider>
    </QueryClientProvider>,
  )
  return sent
}

const LIST = 'GET /api/chains/12/executions?limit=50'
const choose = async (item: string) => {
  await userEvent.click(await screen.findByRole('button', { name: 'More: Execution #218' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: item }))
}

test('Who else sees a run is said to whoever ran another’s chain, and not of each run with private values.', async () => {
  const seen = { ...summary, isSeenByEditors: true }
  const runs = [seen, { ...seen, id: 217, usesPrivateValues: true }]
  for (const [username, lines] of [
    ['vera', 1],
    ['ada', 0],
  ] as const) {
    showHistory({
      [LIST]: () => Response.json(runs),
      'GET /api/user': () => Response.json({ id: 1, username, email: 'a@example.org', role: 'user' }),
    })
    await screen.findByRole('article', { name: 'Execution #217' })
    await waitFor(() => expect(screen.queryAllByText(/Seen by the chain’s owner/)).toHaveLength(lines))
    cleanup()
  }
})

test('The details of a step that went through a list say what became of its items, which are retried from there.', async () => {
  const loop = makeLoopStep(10, { id: 2, position: 1, title: 'Answer each', aiResponse: 'Dear all.' })
  const run = { ...details, status: 'completed' as const, canResume: false, steps: [makeRunStep(), loop] }
  showHistory({
    [LIST]: () => Response.json([{ ...summary, status: 'completed', canResume: false }]),
    'GET /api/executions/218': () => Response.json(run),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'View Details' }))
  const steps = within(await screen.findByRole('list', { name: 'Steps of execution #218' }))
  await userEvent.click(steps.getByRole('button', { name: /Answer each/ }))
  expect(steps.getByText(/^done · 2 left out/)).toBeTruthy()
  expect(steps.getByText('8 of 10 done · 2 failed')).toBeTruthy()
  expect(steps.getByText('For each item of tickets, up to 200')).toBeTruthy()
  expect(steps.queryByText('No input content')).toBeNull()
  await userEvent.click(steps.getByRole('button', { name: 'Retry 2 failed items' }))
  expect(running.retryItems).toHaveBeenCalledWith(218, 1)
})

test('of two runs, a step of many items is told apart by what became of them', () => {
  const [before, after] = [makeLoopStep(10), makeLoopStep(12)]
  expect(differencesOf({ name: 'tickets', before, after })).toEqual(['items'])
  expect(differencesOf({ name: 'tickets', before, after: before })).toEqual([])
})

test('A row shows ‘Execution #{id}’, status badge and date. Its details load on demand: final output, steps, ‘No output available’, ‘No input content’, ‘No response available’.', async () => {
  const sent = showHistory({
    [LIST]: () => Response.json([summary]),
    'GET /api/executions/218': () => Response.json(details),
  })
  expect((await screen.findByText('failed')).className).toContain('text-danger')
  expect(screen.getByText('Execution #218')).toBeTruthy()
  expect(screen.getByText('Nov 21, 2026 9:05 AM')).toBeTruthy()
  expect(screen.getByText(/^Started by schedule/).textContent).toContain(
    '1 of 2 steps · 7.7 s · 1,204 tokens · $0.25 · cached 78 %, saved $0.011',
  )
  expect(sent).not.toContain('GET /api/executions/218')
  await userEvent.click(screen.getByRole('button', { name: 'View Details' }))
  expect(await screen.findByText('No output available')).toBeTruthy()
  const steps = within(screen.getByRole('list', { name: 'Steps of execution #218' }))
  await userEvent.click(steps.getByRole('button', { name: /Collect/ }))
  for (const text of ['GPT-4o', 'Saved as tickets', 'Group these.', 'You are terse.', '1,000 in, 204 out']) {
    expect(steps.getByText(text)).toBeTruthy()
  }
  expect(steps.getByText('Retries').nextSibling?.textContent).toBe('2')
  expect(await steps.findByText('Three groups.')).toBeTruthy()
  await userEvent.click(steps.getByRole('button', { name: /Untitled Step.*failed after 3 attempts/ }))
  expect(steps.getByText('No input content')).toBeTruthy()
  expect(steps.getByText('No response available')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Hide Details' }))
  expect(screen.queryByText('No output available')).toBeNull()
})

test('A run that began at a step says so, and which steps it took over; another one begins at any of its steps from there.', async () => {
  const from = { executionId: 12, position: 2, chainVersion: 4 }
  const run = {
    ...details,
    from,
    steps: [
      makeRunStep({ takenFrom: 12 }),
      makeRunStep({
        id: 2,
        position: 1,
        outputVariableName: 'counts',
        title: 'Count',
        fromOutside: ['input'],
      }),
    ],
  }
  showHistory({
    [LIST]: () =>
      Response.json([
        { ...summary, from },
        { ...summary, id: 217, from: { ...from, chainVersion: 3 } },
      ]),
    'GET /api/executions/218': () => Response.json(run),
  })
  expect(await screen.findByText(/version 4 \(production\), from #12, step 3 · /)).toBeTruthy()
  expect(screen.getByText(/version 4 \(production\), from #12 \(version 3\), step 3 · /)).toBeTruthy()
  await userEvent.click(screen.getAllByRole('button', { name: 'View Details' })[0] as HTMLElement)
  const steps = within(await screen.findByRole('list', { name: 'Steps of execution #218' }))
  const first = steps.getByRole('button', { name: /Collect/ })
  expect(within(first).getByText('from #12')).toBeTruthy()
  await userEvent.click(first)
  expect(steps.queryByRole('button', { name: 'Run from here' })).toBeNull()
  await userEvent.click(steps.getByRole('button', { name: /Count/ }))
  expect(steps.getByRole('button', { name: 'from outside' })).toBeTruthy()
  await userEvent.click(steps.getByRole('button', { name: 'Run from here' }))
  expect(onRunFrom).toHaveBeenCalledWith({ executionId: 218, position: 1 })
})

test('A chain’s run history names version and label.', async () => {
  const steps = [
    makeRunStep({ promptId: 7, promptVersion: 2, promptLabel: 'staging' }),
    makeRunStep({ id: 2, position: 1, title: 'Count', promptId: 7, promptVersion: 3 }),
  ]
  showHistory({
    [LIST]: () => Response.json([summary, { ...summary, id: 217, chainLabel: null }]),
    'GET /api/executions/218': () => Response.json({ ...details, steps }),
  })
  expect(
    await screen.findByText(/^Started by schedule by ada, version 4 \(production\) · 1 of 2 steps/),
  ).toBeTruthy()
  expect(screen.getByText(/^Started by schedule by ada, version 4 · 1 of 2 steps/)).toBeTruthy()
  await userEvent.click(screen.getAllByRole('button', { name: 'View Details' })[0] as HTMLElement)
  for (const step of await screen.findAllByRole('button', { name: /Collect|Count/ }))
    await userEvent.click(step)
  const linked = screen.getAllByText('Linked prompt').map((name) => name.nextSibling?.textContent)
  expect(linked).toEqual(['version 2 (staging)', 'version 3'])
})

test('a run with an answer that the model cut is not just completed', async () => {
  const whole = { ...summary, id: 219, status: 'completed' as const }
  showHistory({ [LIST]: () => Response.json([{ ...whole, id: 220, cutSteps: 1 }, whole]) })
  expect((await screen.findByText('completed, but cut')).className).toContain('text-warn')
  expect(screen.getByText('completed').className).toContain('text-ok')
})

test('Runs through a token carry its name in the history, and what of the request was ignored (D43).', async () => {
  const call = { path: '/v1/messages', ignored: ['tools', 'thinking'] }
  const through = { ...summary, trigger: 'token' as const, apiCall: call }
  showHistory({
    [LIST]: () =>
      Response.json([
        { ...through, token: { id: 5, name: 'Helpdesk' } },
        { ...through, id: 217, apiCall: null },
      ]),
  })
  expect(await screen.findByText(/^Called with token “Helpdesk”/)).toBeTruthy()
  expect(screen.getByText('POST /v1/messages')).toBeTruthy()
  expect(screen.getByText('ignored: tools, thinking')).toBeTruthy()
  expect(screen.getByText(/^Called with a deleted token/)).toBeTruthy()
})

test('‘No execution history found’, ‘Failed to load execution history. Please try refreshing.’, ‘Failed to load execution details’.', async () => {
  showHistory({ [LIST]: () => Response.json([]) })
  expect(await screen.findByText('No execution history found')).toBeTruthy()
  expect(screen.getByText('Execute this chain to see results here')).toBeTruthy()
  cleanup()
  showHistory({})
  expect(await screen.findByText('Failed to load execution history. Please try refreshing.')).toBeTruthy()
  cleanup()
  showHistory({ [LIST]: () => Response.json([summary]) })
  await userEvent.click(await screen.findByRole('button', { name: 'View Details' }))
  expect(await screen.findByText('Failed to load execution details')).toBeTruthy()
})

test('A run is deleted after a question, and run again with the same input.', async () => {
  let runs = [summary]
  const sent = showHistory({
    [LIST]: () => Response.json(runs),
    'GET /api/executions/218': () => Response.json(details),
    'DELETE /api/executions/218': () => new Response(null, { status: 204 }),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Resume' }))
  expect(resume).toHaveBeenCalledWith(218)
  await choose('Run again with this input')
  await waitFor(() => expect(onRunAgain).toHaveBeenCalledWith('the board'))
  await choose('Compare with another run')
  expect(onCompare).toHaveBeenCalledWith(218)
  await choose('Delete')
  expect(await screen.findByText(/^The run, its inputs and its outputs will be deleted/)).toBeTruthy()
  expect(sent).not.toContain('DELETE /api/executions/218')
  runs = []
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(screen.queryByText('Execution #218')).toBeNull())
})

test('10,000 runs come a page at a time.', async () => {
  const page = (from: number) =>
    Array.from({ length: 50 }, (_, index) => ({ ...summary, id: from - index, canResume: false }))
  const sent = showHistory({
    [LIST]: () => Response.json(page(10_000)),
    [`${LIST}&before=9951`]: () => Response.json(page(9950)),
  })
  expect(await screen.findAllByText(/^Execution #/)).toHaveLength(50)
  await userEvent.click(screen.getByRole('button', { name: 'Show older runs' }))
  await screen.findByText('Execution #9901')
  expect(screen.getAllByText(/^Execution #/)).toHaveLength(100)
  expect(sent.filter((key) => key.includes('before'))).toEqual([`${LIST}&before=9951`])
})
