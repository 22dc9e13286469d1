import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { Profiler } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TooltipProvider } from '../../../components/ui/tooltip.tsx'
import { createQueryClient } from '../../../lib/query-client.ts'
import { toastStore } from '../../../lib/toast.ts'
import { makeChain } from '../../../testing/make-chain.ts'
import { chainQuery } from '../chains.queries.ts'
import { makeRun, makeRunState } from '../testing/make-run.ts'
import { ChainStepText } from './chain-step-text.tsx'
import { type ChainRunning, useChainRun } from './use-chain-run.ts'

const chain = makeChain()
let running: ChainRunning
let server: ReturnType<typeof fakeServer>

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  window.history.replaceState(null, '', '/chains/12')
  server = fakeServer()
  vi.stubGlobal('fetch', server.fetch)
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

const RUNNING = makeRunState('running', 'completed', 'running', 'waiting')
const COMPLETED = makeRunState('completed', 'completed', 'completed', 'completed')
const FAILED = makeRunState('failed', 'completed', 'failed', 'waiting')

/** Answers by path; the event stream is the test's to write, or refused. */
function fakeServer() {
  const sent: string[] = []
  /** The last of each. */
  const bodies = new Map<string, unknown>()
  const answers = new Map<string, () => Response>([
    ['POST /api/chains/12/execute', () => Response.json({ id: 218 }, { status: 201 })],
    ['POST /api/executions/218/resume', () => Response.json({ id: 218 })],
    ['POST /api/executions/218/cancel', () => Response.json(RUNNING)],
    ['GET /api/user', () => Response.json({ id: 1, username: 'ada', email: 'a@b.c', role: 'user' })],
    ['GET /api/chains/12', () => Response.json(chain)],
    ['GET /api/chains/12/executions?limit=50', () => Response.json([])],
    ['GET /api/executions/218', () => Response.json(makeRun({ status: 'running' }))],
    ['GET /api/executions/218/status', () => Response.json(RUNNING)],
  ])
  const streams: ReadableStreamDefaultController<Uint8Array>[] = []
  const fetch = async (path: string, init?: RequestInit): Promise<Response> => {
    const key = `${init?.method ?? 'GET'} ${path}`
    sent.push(key)
    if (typeof init?.body === 'string') bodies.set(key, JSON.parse(init.body))
    const answer = answers.get(key)
    if (answer) return answer()
    if (!path.endsWith('/events')) return Response.json({ error: `No answer for ${key}` }, { status: 500 })
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void streams.push(controller) })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
  const say = (event: string, data: unknown) =>
    act(async () => {
      streams.at(-1)?.enqueue(new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
      await vi.advanceTimersByTimeAsync(100)
    })
  const count = (key: string) => sent.filter((each) => each === key).length
  return { fetch, sent, bodies, answers, streams, say, count }
}

const drawn = vi.fn()
function Page() {
  useQuery(chainQuery(chain.id))
  running = useChainRun(chain)
  return (
    <>
      <p>{`phase ${running.phase}, run ${running.run?.status}, result ${running.resultId}`}</p>
      {[0, 1, 2].map((position) => (
        <Profiler key={position} id={`${position}`} onRender={drawn}>
          <ChainStepText texts={running.texts} position={position}>
            <p>nothing yet</p>
          </ChainStepText>
        </Profiler>
      ))}
    </>
  )
}

async function showPage() {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <TooltipProvider>
        <Page />
      </TooltipProvider>
    </QueryClientProvider>,
  )
  await waitFor(() => expect(server.count('GET /api/chains/12/executions?limit=50')).toBe(1))
}

const start = () => act(async () => running.start({}))
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
const toasted = () => toastStore.getSnapshot().map(({ title, description }) => [title, description])
const POLL = 'GET /api/executions/218/status'

test('A run that a schedule starts offers itself and leaves the view alone.', async () => {
  server.answers.set('GET /api/executions/218', () => Response.json(makeRun({ status: 'completed' })))
  server.answers.set(POLL, () => Response.json(COMPLETED))
  await showPage()
  await start()
  await screen.findByText('phase idle, run completed, result 218')
  const { input: _, output: __, ...listed } = makeRun({ id: 219, status: 'running', trigger: 'schedule' })
  server.answers.set('GET /api/chains/12/executions?limit=50', () => Response.json([listed]))
  await start()
  await waitFor(() => expect(running.offered?.id).toBe(219))
  expect(running.run?.id).toBe(218)
  act(() => running.showOffered())
  expect(window.location.search).toBe('?run=219')
  expect(running.offered).toBeNull()
})

test.each([
  ['start', 'POST /api/chains/12/execute', 'Allow and execute', () => running.start({ input: 'Hi' })],
  ['resume', 'POST /api/executions/218/resume', 'Allow and resume', () => running.resume(218)],
])(
  'A private name that came since a run’s form was shown is allowed in one press. (%s)',
  async (_what, key, label, begin) => {
    const refusal = { error: 'Allow it first', code: 'private_values', details: [{ name: 'client' }] }
    const answers = [Response.json(refusal, { status: 409 }), Response.json({ id: 218 }, { status: 201 })]
    server.answers.set(key, () => answers.shift() ?? Response.error())
    await showPage()
    await act(async () => begin())
    await waitFor(() => expect(toasted().map(([title]) => title)).toEqual(['Yours, private: client']))
    const { action } = toastStore.getSnapshot()[0] ?? {}
    expect(action?.label).toBe(label)
    await act(async () => action?.onPress())
    await waitFor(() => expect(server.count(key)).toBe(2))
    expect(server.bodies.get(key)).toMatchObject({ fills: ['client'] })
  },
)

test('A start is announced once.', async () => {
  await showPage()
  await start()
  expect(toastStore.getSnapshot()).toMatchObject([{ title: 'Chain execution started', isSilent: true }])
})

test('The page polls the status at once and then every 2000 ms until the run ends, then fetches run and list. Toasts: ‘Chain execution started’, ‘Chain executed’.', async () => {
  await showPage()
  await start()
  await screen.findByText('phase executing, run running, result null')
  expect(toasted()).toEqual([['Chain execution started', 'Execution #218 is running.']])
  expect(window.location.search).toBe('?run=218')
  const before = server.count(POLL)
  expect(before).toBeGreaterThan(0)
  await pass(2000)
  expect(server.count(POLL)).toBe(before + 1)
  server.answers.set(POLL, () => Response.json(COMPLETED))
  server.answers.set('GET /api/executions/218', () => Response.json(makeRun({ status: 'completed' })))
  const lists = server.count('GET /api/chains/12/executions?limit=50')
  await pass(2000)
  await screen.findByText('phase idle, run completed, result 218')
  expect(toasted()).toEqual([['Chain executed', 'All 3 steps are done.']])
  expect(running.run?.details?.output).toBe('All told.')
  expect(server.count('GET /api/chains/12/executions?limit=50')).toBeGreaterThan(lists)
  const after = server.count(POLL)
  await pass(10_000)
  expect(server.count(POLL)).toBe(after)
})

test('Live text comes on top of the polling. A piece redraws one step, and the end is announced once: ‘Chain execution failed’.', async () => {
  const toasts = vi.fn()
  const stop = toastStore.subscribe(() => toasts(toastStore.getSnapshot()[0]?.title))
  await showPage()
  await start()
  await waitFor(() => expect(server.streams).not.toHaveLength(0))
  await server.say('state', RUNNING)
  drawn.mockClear()
  await server.say('delta', { position: 1, from: 0, text: 'Five ' })
  await server.say('delta', { position: 1, from: 5, text: 'themes.' })
  expect(screen.getByText('Five themes.')).toBeTruthy()
  expect(new Set(drawn.mock.calls.map(([id]) => id))).toEqual(new Set(['1']))
  server.answers.set(POLL, () => Response.json(FAILED))
  await server.say('state', FAILED)
  await server.say('end', { status: 'failed' })
  await pass(5000)
  stop()
  expect(toasts.mock.calls.map(([title]) => title)).toEqual([
    'Chain execution started',
    'Chain execution failed',
  ])
  expect(toasted()).toEqual([['Chain execution failed', 'Step 2 failed. Open it to see why.']])
  expect(running.run?.steps.map(({ status }) => status)).toEqual(['completed', 'failed', 'waiting'])
})

test('a stream that missed a piece or broke off is asked for again; without one the status suffices', async () => {
  await showPage()
  await start()
  await waitFor(() => expect(server.streams).not.toHaveLength(0))
  const before = server.streams.length
  await server.say('delta', { position: 1, from: 40, text: 'lost' })
  await pass(1000)
  expect(server.streams.length).toBe(before + 1)
  await server.say('delta', { position: 1, from: 0, text: 'All so far.' })
  expect(screen.getByText('All so far.')).toBeTruthy()
  server.answers.set('GET /api/executions/218/events', () => Response.json({}, { status: 500 }))
  await act(async () => server.streams.at(-1)?.close())
  server.answers.set(POLL, () => Response.json(COMPLETED))
  await pass(4000)
  await screen.findByText('phase idle, run completed, result 218')
})

test('‘Failed to run chain’ clears the last result; ‘Error executing chain’ stands where there is no run id.', async () => {
  const before = makeRun({ status: 'completed', id: 217 })
  server.answers.set('GET /api/chains/12/executions?limit=50', () => Response.json([before]))
  await showPage()
  await screen.findByText('phase idle, run undefined, result 217')
  server.answers.set('POST /api/chains/12/execute', () => Response.json({ error: 'No' }, { status: 400 }))
  await start()
  await waitFor(() => expect(toasted()).toEqual([['Failed to run chain', '400: No']]))
  expect(running).toMatchObject({ phase: 'idle', resultId: null, run: null })
  server.answers.set('POST /api/chains/12/execute', () => Response.json({}))
  await start()
  const description = 'No execution ID was returned from the server'
  await waitFor(() => expect(toasted()).toEqual([['Error executing chain', description]]))
})

test('‘Error checking execution status’ ends the polling.', async () => {
  await showPage()
  await start()
  await screen.findByText('phase executing, run running, result null')
  server.answers.set(POLL, () => Response.json({ error: 'Out of luck' }, { status: 500 }))
  await pass(2000)
  expect(toasted()).toEqual([['Error checking execution status', '500: Out of luck']])
  expect(running).toMatchObject({ phase: 'idle', run: { isLost: true } })
  const after = server.count(POLL)
  await pass(10_000)
  expect(server.count(POLL)).toBe(after)
  server.answers.set(POLL, () => Response.json(RUNNING))
  await act(async () => running.followAgain())
  await screen.findByText('phase executing, run running, result null')
})

test('a server that is away for a while is polled on, without a report', async () => {
  await showPage()
  await start()
  await screen.findByText('phase executing, run running, result null')
  server.answers.set(POLL, () => Response.json({ error: 'The database is not available.' }, { status: 503 }))
  const before = { asked: server.count(POLL), toasts: toasted() }
  await pass(4000)
  expect(server.count(POLL)).toBeGreaterThan(before.asked + 1)
  expect(toasted()).toEqual(before.toasts)
  expect(running).toMatchObject({ phase: 'executing', run: { isLost: false } })
})

test('a person who may no longer see the run loses it from view, and the chain is fetched again', async () => {
  await showPage()
  await start()
  await screen.findByText('phase executing, run running, result null')
  server.answers.set(POLL, () => Response.json({ error: 'Execution not found' }, { status: 404 }))
  await pass(2000)
  await screen.findByText('phase idle, run undefined, result null')
  expect(server.count('GET /api/chains/12')).toBe(2)
  expect(window.location.search).toBe('')
})

test('A reload finds the run that goes on.', async () => {
  const { id, executedAt } = makeRun({ status: 'running' })
  const listed = { ...makeRun({ status: 'running' }), id, executedAt }
  server.answers.set('GET /api/chains/12/executions?limit=50', () => Response.json([listed]))
  await showPage()
  await screen.findByText('phase executing, run running, result null')
  server.answers.set('GET /api/chains/12/executions?limit=50', () => Response.json([]))
  server.answers.set(POLL, () => Response.json(COMPLETED))
  await pass(2000)
  await screen.findByText('phase idle, run completed, result 218')
  expect(toasted()[0]?.[0]).toBe('Chain executed')
  cleanup()
  const toasts = vi.fn()
  const stop = toastStore.subscribe(toasts)
  window.history.replaceState(null, '', '/chains/12?run=218')
  server.sent.length = 0
  await showPage()
  await screen.findByText('phase idle, run completed, result 218')
  stop()
  expect(toasts).not.toHaveBeenCalled()
})

test('a failed run goes on when it is resumed', async () => {
  server.answers.set(POLL, () => Response.json(FAILED))
  window.history.replaceState(null, '', '/chains/12?run=218')
  await showPage()
  await screen.findByText('phase idle, run failed, result null')
  server.answers.set(POLL, () => Response.json(RUNNING))
  await act(async () => running.resume(218))
  await screen.findByText('phase executing, run running, result null')
  server.answers.set('POST /api/executions/218/cancel', () =>
    Response.json({ error: 'Late' }, { status: 409 }),
  )
  await act(async () => running.stop())
  await waitFor(() => expect(toasted()).toEqual([['Failed to stop chain', '409: Late']]))
})
