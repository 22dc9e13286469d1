import type { TaxonomyEntry } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query-client.ts'
import { toastStore } from '../../../lib/toast.ts'
import OrganisePanel from './organise-panel.tsx'

const network = vi.fn<(path: string, init?: RequestInit) => Promise<Response>>()
const labels: TaxonomyEntry[] = [
  { id: 1, name: 'Writing', uses: 1_204 },
  { id: 2, name: 'Analysis', uses: 1 },
]
let answer: () => Response

beforeEach(() => {
  answer = () => Response.json(labels[1])
  vi.stubGlobal('fetch', network)
  network.mockImplementation(async (path, init) => {
    if (path.endsWith('/protected-labels')) return Response.json([])
    return init?.method === undefined || init.method === 'GET' ? Response.json(labels) : answer()
  })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <OrganisePanel />
    </QueryClientProvider>,
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  network.mockReset()
})

const writes = () =>
  network.mock.calls.flatMap(([path, init]) =>
    init?.method === undefined || init.method === 'GET'
      ? []
      : [[init.method, path, init.body ? JSON.parse(String(init.body)) : undefined]],
  )
const choose = async (name: string, action: string) => {
  await userEvent.click(await screen.findByRole('button', { name: `More: ${name}` }))
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
}

test('they are listed by name, each with what uses it, and each kind apart', async () => {
  const rows = within(await screen.findByRole('list', { name: 'Categories' })).getAllByRole('listitem')
  expect(rows.map((row) => row.textContent)).toEqual(['Analysis1 prompt', 'Writing1,204 prompts'])
  await userEvent.type(screen.getByLabelText('Search categories'), 'WRIT')
  expect(screen.getByText('1 category')).toBeTruthy()
  expect(screen.queryByText('Analysis')).toBeNull()
  await userEvent.click(screen.getByRole('radio', { name: 'Chain tags' }))
  expect(await screen.findByText('1,204 chains')).toBeTruthy()
  expect(network.mock.calls.map(([path]) => path.split('?')[0])).toContain('/api/admin/labels/chain')
})

test('Administrators see at the younger of two names that look the same which it is like.', async () => {
  network.mockImplementation(async (path) =>
    Response.json(
      path.endsWith('/protected-labels')
        ? []
        : [...labels, { id: 3, name: 'Writing', uses: 0, sameAs: { id: 1, name: 'Writing' } }],
    ),
  )
  await userEvent.click(await screen.findByRole('radio', { name: 'Chain tags' }))
  expect(await screen.findByText(/Looks the same as the older “Writing”/)).toBeTruthy()
})

test('one is renamed; a name that is taken says so in the form', async () => {
  await choose('Writing', 'Rename')
  const name = await screen.findByLabelText('Name')
  await userEvent.clear(name)
  await userEvent.click(screen.getByRole('button', { name: /^Rename/ }))
  expect((await screen.findByRole('alert')).textContent).toBe('Name is required')
  await userEvent.type(name, 'Analysis')
  answer = () => Response.json({ error: 'Category exists' }, { status: 409 })
  await userEvent.click(screen.getByRole('button', { name: /^Rename/ }))
  await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Category exists'))
  answer = () => Response.json({ id: 1, name: 'Essays', uses: 1_204 })
  await userEvent.clear(name)
  await userEvent.type(name, 'Essays')
  await userEvent.click(screen.getByRole('button', { name: /^Rename/ }))
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(writes().at(-1)).toEqual(['PATCH', '/api/admin/labels/category/1', { name: 'Essays' }])
  expect(toastStore.getSnapshot()).toMatchObject([{ description: '“Writing” is now “Essays”.' }])
})

test('one is merged into another that is chosen', async () => {
  await choose('Writing', 'Merge into another')
  const merge = await screen.findByRole<HTMLButtonElement>('button', { name: /^Merge/ })
  expect(merge.disabled).toBe(true)
  await userEvent.click(screen.getByLabelText('Into'))
  expect(screen.queryByRole('option', { name: /Writing/ })).toBeNull()
  await userEvent.click(await screen.findByRole('option', { name: /Analysis/ }))
  await userEvent.click(merge)
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(writes()).toEqual([['POST', '/api/admin/labels/category/1/merge', { into: 2 }]])
  expect(toastStore.getSnapshot()).toMatchObject([{ description: '“Writing” is now part of “Analysis”.' }])
})

test('one is deleted after a confirmation, or the refusal is shown', async () => {
  await choose('Writing', 'Delete')
  const error = 'This category has 1,204 prompts. Merge it into another one instead.'
  answer = () => Response.json({ error }, { status: 409 })
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
  await vi.waitFor(() =>
    expect(toastStore.getSnapshot()).toMatchObject([
      { title: 'Failed to delete the category', description: error, variant: 'destructive' },
    ]),
  )
  expect(writes()).toEqual([['DELETE', '/api/admin/labels/category/1', undefined]])
})
