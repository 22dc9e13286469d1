import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { TooltipProvider } from '../../../components/ui/tooltip.tsx'
import { createQueryClient } from '../../../lib/query-client.ts'
import { toastStore } from '../../../lib/toast.ts'
import { TagFilter } from './tag-filter.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('‘Add Tag’ says so when the name exists.', async () => {
  const sent: string[] = []
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    sent.push(`${init?.method ?? 'GET'} ${path}`)
    if (path === '/api/user') return Response.json({ id: 1, username: 'ada', email: 'a@b.c', role: 'user' })
    return Response.json([{ id: 1, name: 'Launch' }])
  })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <TooltipProvider>
        <TagFilter kind="prompt" selectedIds={[]} onToggle={() => undefined} />
      </TooltipProvider>
    </QueryClientProvider>,
  )
  await screen.findByText('Launch')
  await userEvent.click(screen.getByRole('button', { name: 'Add Tag' }))
  await userEvent.type(await screen.findByLabelText('New tag'), ' launch {Enter}')
  expect(toastStore.getSnapshot()[0]).toMatchObject({
    title: 'Tag exists',
    description: '“Launch” already exists.',
  })
  expect(screen.queryByLabelText('New tag')).toBeNull()
  expect(sent.filter((call) => call.startsWith('POST'))).toEqual([])
})
