import type { SchedulerState } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../lib/query-client.ts'
import { toastStore } from '../../lib/toast.ts'
import SchedulesPanel from './schedules-panel.tsx'
import { SchedulerPanel } from './test-dashboard.tsx'

const network = vi.fn<(path: string, init?: RequestInit) => Promise<Response>>()
const MAIL_TEST = '/api/admin/mail/test'
let state: SchedulerState

beforeEach(() => {
  state = {
    paused: false,
    active: 1204,
    nextDueAt: '2026-11-23T08:00:00.000Z',
    overdue: 0,
    lastLatenessMs: 6.2,
    mailIsSetUp: true,
    mailsWaiting: 3,
    mailsFailed: 1,
  }
  vi.stubGlobal('fetch', network)
  network.mockImplementation(async (_path, init) => {
    if (init?.method === 'POST') state = { ...state, ...JSON.parse(String(init.body)) }
    return Response.json(state)
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  network.mockReset()
})

function show(Panel: () => ReactNode) {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Panel />
    </QueryClientProvider>,
  )
}
const figure = (name: string) => screen.getByText(name).nextSibling?.textContent
const answerTest = (reply: () => Response) =>
  network.mockImplementation(async (path) => (path === MAIL_TEST ? reply() : Response.json(state)))

test('An administrator’s switch pauses and resumes all schedules.', async () => {
  show(SchedulesPanel)
  const pause = await screen.findByRole('switch', { name: 'Pause all schedules' })
  expect(screen.queryByText(/^All schedules are paused/)).toBeNull()
  await userEvent.click(pause)
  expect(await screen.findByText(/^All schedules are paused/)).toBeTruthy()
  expect(toastStore.getSnapshot()).toMatchObject([{ title: 'Schedules paused' }])
  await userEvent.click(pause)
  await waitFor(() => expect(screen.queryByText(/^All schedules are paused/)).toBeNull())
  expect(toastStore.getSnapshot()).toMatchObject([{ title: 'Schedules resumed' }])
  network.mockImplementation(async () => Response.json({ error: 'It rests' }, { status: 500 }))
  await userEvent.click(pause)
  await waitFor(() =>
    expect(toastStore.getSnapshot()).toMatchObject([
      { title: 'Error', description: 'Failed to pause the schedules: It rests' },
    ]),
  )
  expect(pause.getAttribute('aria-checked')).toBe('false')
})

test.each([
  [
    () => Response.json({ ok: true, to: 'ada@example.org', ms: 41.6, error: null }),
    'The mail server accepted the email to ada@example.org in 42 ms',
  ],
  [
    () => Response.json({ ok: false, to: 'ada@example.org', ms: 3, error: 'Wrong user or password' }),
    'Wrong user or password',
  ],
  [() => Response.json({ error: 'Not today' }, { status: 403 }), 'Not today'],
])('An administrator’s test mail says how it went.', async (reply, text) => {
  answerTest(reply)
  show(SchedulesPanel)
  await userEvent.click(await screen.findByRole('button', { name: 'Send test email' }))
  expect(await screen.findByText(text)).toBeTruthy()
})

test('without mail it says what to set, and offers no test', async () => {
  state = { ...state, mailIsSetUp: false }
  show(SchedulesPanel)
  expect(await screen.findByText('SMTP_URL')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Send test email' })).toHaveProperty('disabled', true)
})

test('The test dashboard shows the state of schedules and mail.', async () => {
  state = { ...state, paused: true, nextDueAt: null }
  show(SchedulerPanel)
  expect(await screen.findByText('All schedules are paused in the settings.')).toBeTruthy()
  const names = ['Active schedules', 'Next due', 'Due, not started', 'Last delay', 'Emails waiting']
  expect(names.map(figure)).toEqual(['1,204', 'none', '0', '6 ms', '3'])
})
