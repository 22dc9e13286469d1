import type { FolderToken } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { TooltipProvider } from '../../components/ui/tooltip.tsx'
import { createQueryClient } from '../../lib/query-client.ts'
import ExportDialog from './export-dialog.tsx'

const TOKEN: FolderToken = {
  ...{
    id: 3,
    name: 'CI',
    token: 'ctf_4Lmn',
    tokenType: 'folder',
    createdBy: 'ada',
    mayWrite: true,
    mayEvaluate: false,
  },
  ...{ createdAt: '2026-11-20T08:00:00.000Z', expiresAt: null, requestsPerMinute: null, callsAtOnce: null },
  ...{ monthlyBudgetUsd: null, lastUsed: null, calls: 0, savedCalls: 0, inputTokens: 0, outputTokens: 0 },
  ...{ costUsd: 0, monthCostUsd: 0, lastError: null, previousUntil: null },
  ...{ canReveal: false, canEdit: true, canDelete: true },
}
const VALUE = 'ctf_4Lmnaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** Opens the dialog against a server with these tokens; gives what was sent. */
function open({ tokens = [TOKEN], refuses = false } = {}) {
  const sent: { key: string; body: unknown }[] = []
  vi.stubGlobal('fetch', async (input: string | URL, init: RequestInit = {}) => {
    const path = new URL(String(input), 'http://localhost').pathname
    const { method = 'GET' } = init
    if (method === 'GET') return Response.json(tokens)
    sent.push({
      key: `${method} ${path}`,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    })
    if (refuses) return Response.json({ error: 'Too many requests' }, { status: 429 })
    return method === 'DELETE'
      ? new Response(null, { status: 204 })
      : Response.json({ ...TOKEN, id: 4, token: VALUE }, { status: 201 })
  })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <TooltipProvider>
        <ExportDialog onClose={vi.fn()} />
      </TooltipProvider>
    </QueryClientProvider>,
  )
  return sent
}

const address = () => screen.getByRole('link', { name: 'Download' }).getAttribute('href')

test('form and extent are in what is downloaded', async () => {
  open()
  expect(address()).toBe('/api/export?format=folder&ownership=mine')
  await userEvent.click(screen.getByRole('radio', { name: 'All that I see' }))
  await userEvent.click(screen.getByRole('radio', { name: /^Langfuse/ }))
  expect(address()).toBe('/api/export?format=langfuse&ownership=all')
  expect(screen.getByText('Langfuse, as it looks')).toBeTruthy()
  expect(screen.queryByText('Keep it in Git')).toBeNull()
})

test('a token is made with what it may, and shown once', async () => {
  const sent = open({ tokens: [] })
  expect(await screen.findByText('No folder tokens created yet.')).toBeTruthy()
  const create = screen.getByRole('button', { name: 'Create token' })
  expect(create).toHaveProperty('disabled', true)
  await userEvent.type(screen.getByLabelText('A token for it'), ' CI ')
  await userEvent.click(screen.getByRole('switch', { name: 'May write' }))
  await userEvent.click(create)
  expect(await screen.findByText(VALUE)).toBeTruthy()
  expect(sent).toEqual([
    { key: 'POST /api/folder-tokens', body: { name: 'CI', mayWrite: true, mayEvaluate: false } },
  ])
  await userEvent.click(screen.getByRole('button', { name: 'Done' }))
  expect(screen.queryByText(VALUE)).toBeNull()
})

test('a token is ended; what the server refuses is said', async () => {
  const sent = open()
  expect(await screen.findByText('reads, writes')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'End CI' }))
  await waitFor(() => expect(sent.map(({ key }) => key)).toEqual(['DELETE /api/folder-tokens/3']))
  cleanup()
  open({ refuses: true })
  await userEvent.click(await screen.findByRole('button', { name: 'End CI' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Too many requests')
})
