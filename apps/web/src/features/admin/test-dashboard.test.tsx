import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearLog, logEvent } from '../../lib/diagnostics.ts'
import { createQueryClient } from '../../lib/query-client.ts'
import { TestDashboard } from './test-dashboard.tsx'

const CHECKS = [
  { name: 'database', title: 'Database' },
  { name: 'queue', title: 'Job queue' },
  { name: 'model-claude', title: 'Model: Claude' },
]
const RESULTS: Record<string, object> = {
  database: { name: 'database', status: 'ok', message: 'It answers', ms: 12 },
  'model-claude': { name: 'model-claude', status: 'off', message: 'Not set up', ms: 0 },
}
const network = vi.fn<(path: string) => Promise<Response>>()
let running = 0
let mostRunning = 0

beforeEach(() => {
  clearLog()
  vi.stubGlobal('fetch', network)
  network.mockImplementation(async (path) => {
    if (path === '/api/admin/checks') return Response.json(CHECKS)
    if (!path.startsWith('/api/admin/checks/')) return Response.json({ error: 'boom' }, { status: 500 })
    running += 1
    mostRunning = Math.max(mostRunning, running)
    await new Promise((resolve) => setTimeout(resolve, 5))
    running -= 1
    const result = RESULTS[path.replace('/api/admin/checks/', '')]
    return result ? Response.json(result) : Response.json({ error: 'boom' }, { status: 500 })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  network.mockReset()
})

function show() {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <TestDashboard />
    </QueryClientProvider>,
  )
}

test('the checks run one after the other and each says how it went', async () => {
  show()
  expect(await screen.findByText('4 checks: 2 ok, 1 failed, 1 not set up')).toBeTruthy()
  const rows = within(screen.getByRole('list', { name: 'Checks' })).getAllByRole('listitem')
  const texts = rows.map(({ textContent }) => textContent)
  expect(texts[0]).toBe('DatabaseOK: It answers12 ms')
  expect(texts[1]).toMatch(/^Job queueFailed: 500: boom(<1|\d+) ms$/)
  expect(texts[2]).toBe('Model: ClaudeNot set up<1 ms')
  expect(texts[3]).toContain('Browser storageOK: ')
  expect(mostRunning).toBe(1)
  network.mockClear()
  await userEvent.click(screen.getByRole('button', { name: 'Run again' }))
  await vi.waitFor(() => expect(network).toHaveBeenCalledTimes(3))
})

test('what the browser noted is listed, the latest first, and can be narrowed to trouble', async () => {
  logEvent('click', { 'data-prompt-id': '7' }, 'debug')
  logEvent('reply', { path: '/api/x', status: 500 }, 'error')
  show()
  const entries = () =>
    within(screen.getByRole('list', { name: 'Entries' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent?.replace(/^.*(AM|PM)/, ''))
  await screen.findByText(/4 checks/)
  const all = entries()
  expect(all.at(-1)).toContain('debugclickdata-prompt-id=7')
  expect(all.at(-2)).toContain('errorreplypath=/api/x status=500')
  await userEvent.click(screen.getByRole('radio', { name: 'Warnings and errors' }))
  expect(entries().every((text) => /^(error|warn)/.test(text ?? ''))).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: 'Clear' }))
  expect(screen.getByText('No entries')).toBeTruthy()
})
