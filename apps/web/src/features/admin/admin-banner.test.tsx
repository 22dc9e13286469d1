import type { AdminNotices, User } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../lib/query-client.ts'
import { sessionQuery } from '../../lib/session/session.tsx'
import { AdminBanner } from './admin-banner.tsx'

const network = vi.fn<(path: string, init?: RequestInit) => Promise<Response>>()
const openBackups = vi.fn<() => void>()
function show(notices: AdminNotices, { role = 'admin' as User['role'] } = {}) {
  vi.stubGlobal('fetch', network)
  network.mockImplementation(async (path, init) => {
    if (init?.method === 'POST') return new Response(null, { status: 204 })
    return path === '/api/admin/notices' ? Response.json(notices) : Response.json(null)
  })
  const client = createQueryClient()
  client.setQueryData(sessionQuery.queryKey, {
    id: 1,
    username: 'ada',
    email: 'ada@example.org',
    role,
  } as User)
  render(
    <QueryClientProvider client={client}>
      <AdminBanner onOpenBackups={openBackups} />
    </QueryClientProvider>,
  )
}
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  network.mockReset()
  openBackups.mockReset()
})

const at = '2026-11-24T02:12:00.000Z'

test('a restored copy says what waits, and its work is resumed', async () => {
  const pending = { schedules: 12, mails: 3, jobs: 1_040, runs: 1 }
  show({ quiet: { since: at, pending }, awaitsStart: false, backup: null })
  expect((await screen.findByRole('complementary', { name: 'Restored copy' })).textContent).toContain(
    '12 schedules, 3 mails, 1,040 jobs and 1 run wait',
  )
  await userEvent.click(screen.getByRole('button', { name: 'Resume work' }))
  expect(network).toHaveBeenCalledWith('/api/admin/resume-work', expect.objectContaining({ method: 'POST' }))
})

test.each([
  { what: 'drill' as const, says: /^The last backup failed its test restore/ },
  { what: 'copy' as const, says: /^The last backup failed/ },
  { what: 'late' as const, says: /^No backup has been proven for two days, since/ },
])('of $what an administrator is told, and gets to the backups', async ({ what, says }) => {
  show({ quiet: null, awaitsStart: false, backup: { what, at, problem: 'Why' } })
  expect((await screen.findByRole('alert')).textContent).toMatch(says)
  await userEvent.click(screen.getByRole('button', { name: 'Backups' }))
  expect(openBackups).toHaveBeenCalledOnce()
})

test('nobody else is told or asks', () => {
  show({ quiet: null, awaitsStart: false, backup: { what: 'drill', at, problem: 'Why' } }, { role: 'user' })
  expect(screen.queryByRole('alert')).toBeNull()
  expect(network).not.toHaveBeenCalled()
})
