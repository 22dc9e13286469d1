import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../lib/query-client.ts'
import { ShareOwnRuns } from './share-own-runs.tsx'

const network = vi.fn<(path: string, init?: RequestInit) => Promise<Response>>()
let share: { isShared: boolean; names: string[]; privateNames: string[] }

beforeEach(() => {
  share = { isShared: false, names: [], privateNames: ['client'] }
  vi.stubGlobal('fetch', network)
  network.mockImplementation(async (_path, init) => {
    if (init?.method === 'DELETE') {
      share = { ...share, isShared: false, names: [] }
      return new Response(null, { status: 204 })
    }
    if (init?.method === 'PUT') {
      share = { ...share, isShared: true, names: JSON.parse(String(init.body)).names }
    }
    return Response.json(share)
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
      <ShareOwnRuns record={{ kind: 'chain', id: 7 }} />
    </QueryClientProvider>,
  )
}

test('the yes names what it covers before it is said and after, and is taken back', async () => {
  show()
  expect(await screen.findByText(/with the values of your private variables client/)).toBeTruthy()
  await userEvent.click(screen.getByRole('switch', { name: 'Share my runs' }))
  expect(await screen.findByText(/Covers your private variables client;/)).toBeTruthy()
  await userEvent.click(screen.getByRole('switch', { name: 'Share my runs' }))
  expect(await screen.findByText(/with the values of your private variables client/)).toBeTruthy()
})

test('A name that appears later is not covered by a runner’s yes until it is added.', async () => {
  share = { isShared: true, names: ['client'], privateNames: ['client', 'code'] }
  show()
  expect(await screen.findByText('Not shared: runs that use code.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Add to what is shared' }))
  expect(await screen.findByText(/Covers your private variables client, code;/)).toBeTruthy()
  expect(screen.queryByText(/Not shared: runs/)).toBeNull()
})
