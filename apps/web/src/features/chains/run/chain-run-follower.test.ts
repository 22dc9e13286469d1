import type { RunState, WaitingFor } from '@catenary/contracts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeRunState } from '../testing/make-run.ts'
import { followRun } from './chain-run-follower.ts'
import { ChainRunTexts } from './chain-run-texts.ts'

const waitingFor: WaitingFor = {
  askId: 7,
  title: 'Approve it',
  since: '2026-11-30T09:30:00.000Z',
  deadline: '2026-12-01T09:30:00.000Z',
  people: ['ana'],
  groups: [],
}
const WAITING: RunState = { ...makeRunState('running', 'completed', 'asking'), waitingFor }
const RUNNING = makeRunState('running', 'completed', 'completed', 'running')
const POLL = '/api/executions/218/status'

let stream: ReadableStreamDefaultController<Uint8Array> | undefined
let polled: number
let follow: () => void
const states = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  polled = 0
})
afterEach(() => {
  follow()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

function begin({ hasStream }: { hasStream: boolean }) {
  vi.stubGlobal('fetch', async (path: string) => {
    if (path === POLL) {
      polled += 1
      return Response.json(WAITING)
    }
    if (!hasStream) return Response.json({ error: 'Not found' }, { status: 404 })
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        stream = controller
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  })
  follow = followRun({ id: 218, texts: new ChainRunTexts(), onState: states, onError: () => undefined })
}

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)
async function say(state: RunState) {
  stream?.enqueue(new TextEncoder().encode(`event: state\ndata: ${JSON.stringify(state)}\n\n`))
  await pass(100)
}

test('While a run waits for a person its page follows the events and polls no more, until it goes on.', async () => {
  begin({ hasStream: true })
  await pass(100)
  await say(WAITING)
  const before = polled
  await pass(600_000)
  expect(polled).toBe(before)
  await say(RUNNING)
  expect(states).toHaveBeenLastCalledWith(RUNNING)
  await pass(2_000)
  expect(polled).toBe(before + 1)
})

test('without events a run that waits is looked at twice a minute', async () => {
  begin({ hasStream: false })
  await pass(1_000)
  const before = polled
  await pass(60_000)
  expect(polled).toBe(before + 2)
})
