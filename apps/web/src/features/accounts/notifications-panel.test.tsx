import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../lib/query-client.ts'
import NotificationsPanel from './notifications-panel.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const both = { page: true, mail: true }
const account = {
  theme: 'system',
  timeZone: null,
  defaultModel: null,
  notifications: { asks: both, failures: { mail: true }, budgets: both },
}

test('Each kind of message reaches one on the page, by email, or not; a switch counts at once.', async () => {
  const bodies: unknown[] = []
  let stored = account
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    if (path === '/api/mail') return Response.json({ error: 'Away' }, { status: 500 })
    if (init?.method === 'PATCH') {
      const body = JSON.parse(String(init.body))
      bodies.push(body)
      stored = { ...stored, ...body }
    }
    return Response.json(stored)
  })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <NotificationsPanel />
    </QueryClientProvider>,
  )
  const mail = await screen.findByRole('switch', { name: 'Questions: Email' })
  expect(screen.getAllByRole('switch')).toHaveLength(5)
  await userEvent.click(mail)
  await waitFor(() => expect(bodies).toHaveLength(1))
  expect(bodies[0]).toEqual({
    notifications: { ...account.notifications, asks: { page: true, mail: false } },
  })
  expect(screen.getByRole('switch', { name: 'Questions: Email' }).getAttribute('aria-checked')).toBe('false')
  expect(screen.getByRole('switch', { name: 'Failures: Email' }).getAttribute('aria-checked')).toBe('true')
})
