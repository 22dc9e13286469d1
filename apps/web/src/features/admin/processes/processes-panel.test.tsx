import type { ActiveRun, CurrentWork, WorkProcess } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query-client.ts'
import { toastStore } from '../../../lib/toast.ts'
import ProcessesPanel from './processes-panel.tsx'

const network = vi.fn<(path: string, init?: RequestInit) => Promise<Response>>()
let state: CurrentWork
const stopped: string[] = []

const run: ActiveRun = {
  id: 41,
  kind: 'chain',
  state: 'running',
  model: 'claude',
  trigger: 'schedule',
  username: 'Ada',
  startedAt: '2026-11-22T08:00:00.000Z',
  completedSteps: 1,
  stepCount: 3,
  heldUntil: null,
}

const process: WorkProcess = {
  id: 'a',
  role: 'all',
  version: '0.1.0',
  host: 'cellar',
  startedAt: '2026-11-22T08:00:00.000Z',
  seenAt: '2026-11-22T09:00:00.000Z',
  isLive: true,
  runs: 3,
  jobs: 1,
  poolSize: 10,
}

beforeEach(() => {
  stopped.length = 0
  state = {
    runs: [run],
    hasMoreRuns: false,
    queues: [
      {
        ...{ queue: 'mail', due: 10_000, later: 2, failing: 3, held: 1 },
        oldestDueAt: '2026-11-22T08:00:00.000Z',
      },
    ],
    database: { kind: 'embedded', answeredInMs: 4, waitingCalls: 0, connections: null, statements: [] },
    processes: [process],
    hasMoreProcesses: false,
  }
  vi.stubGlobal('fetch', network)
  network.mockImplementation(async (path, init) => {
    if (init?.method !== 'POST') return Response.json(state)
    stopped.push(String(path))
    state = { ...state, runs: [] }
    return new Response(null, { status: 204 })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  network.mockReset()
})

const show = () =>
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ProcessesPanel />
    </QueryClientProvider>,
  )

test('Administrators see what goes on now: runs, jobs by queue, slow statements and who holds what, processes; never a text, nor a name of a prompt or chain.', async () => {
  show()
  const runs = await screen.findByRole('list', { name: 'Runs' })
  expect(runs.textContent).toContain('Chain run 41')
  expect(runs.textContent).toContain('Ada · scheduled')
  expect(runs.textContent).toContain('1 of 3 steps')
  const jobs = screen.getByRole('list', { name: 'Jobs' })
  expect(jobs.textContent).toContain('1 running · 10,000 or more due · 2 later')
  expect(jobs.textContent).toContain('3 failing')
  expect(screen.getByText('Kind').nextSibling?.textContent).toBe('embedded')
})

test('a run is stopped once that is confirmed', async () => {
  show()
  await userEvent.click(await screen.findByRole('button', { name: 'Stop run 41' }))
  expect(stopped).toEqual([])
  await userEvent.click(await screen.findByRole('button', { name: 'Stop' }))
  expect(await screen.findByText('No run is running or waiting.')).toBeTruthy()
  expect(stopped).toEqual(['/api/admin/processes/runs/41/stop'])
  expect(toastStore.getSnapshot()).toMatchObject([{ title: 'Run stopped' }])
})

test('statements of a server are shown with what they wait for', async () => {
  const statement = {
    ...{ pid: 7, since: '2026-11-22T08:00:00.000Z', isIdle: false, text: 'update prompts set content = $1' },
    ...{ waitsFor: 'Lock: transactionid', blockedBy: [9] },
  }
  const connections = { used: 79, allowed: 97 }
  state = {
    ...state,
    runs: [],
    queues: [],
    database: { kind: 'server', answeredInMs: 4, waitingCalls: 2, connections, statements: [statement] },
  }
  show()
  const statements = await screen.findByRole('list', { name: 'Slow statements' })
  expect(statements.textContent).toContain('waiting for Lock: transactionid · blocked by session 9')
  expect(screen.getByText('Connections in use').nextSibling?.textContent).toBe('79 of 97')
  expect(screen.getByText(/Connections are running out/)).toBeTruthy()
  expect(screen.getByText('No jobs are waiting.')).toBeTruthy()
})

test('Each process shows its role, version, machine and what goes on there; one without a sign for 20 seconds is shown as silent, and one that stops is gone.', async () => {
  const silent = { ...process, id: 'b', role: 'worker' as const, host: 'attic', isLive: false }
  state = { ...state, processes: [process, silent], hasMoreProcesses: true }
  show()
  const list = await screen.findByRole('list', { name: 'Processes' })
  const rows = [...list.children].map(({ textContent }) => textContent)
  expect(rows[0]).toMatch(
    /^cellarWeb and worker3 runs · 1 job · seen .+ · version 0\.1\.0 · up to 10 connections$/,
  )
  expect(rows[1]).toMatch(/^atticWorkerSilentseen /)
  expect(screen.getByText('Only 2 are shown.')).toBeTruthy()
})

test('a failure says why, and what was shown before stays', async () => {
  network.mockImplementation(async () => Response.json({ error: 'It rests' }, { status: 403 }))
  show()
  expect((await screen.findByRole('alert')).textContent).toContain('It rests')
})
