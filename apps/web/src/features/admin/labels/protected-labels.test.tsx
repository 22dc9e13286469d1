import type { ProtectedLabel } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query-client.ts'
import { ProtectedLabels } from './protected-labels.tsx'

const PATH = '/api/admin/protected-labels'
const network = vi.fn<(path: string, init?: RequestInit) => Promise<Response>>()
let stored: ProtectedLabel[]
const support = {
  ...{ id: 3, name: 'Support', isBuiltIn: false, memberCount: 1, members: ['ana'], leaders: ['ana'] },
  ...{ shareCount: 0, canEdit: true },
}

beforeEach(() => {
  // What jsdom lacks of a browser and the kit's select asks for.
  Element.prototype.hasPointerCapture = () => false
  stored = []
  vi.stubGlobal('fetch', network)
  network.mockImplementation(async (path, init) => {
    if (path === '/api/groups') return Response.json([support])
    const label = path.split('/').at(-1) ?? ''
    const others = stored.filter((one) => one.label !== label)
    if (init?.method === 'DELETE') stored = others
    if (init?.method === 'PUT') stored = [...others, { label, ...JSON.parse(String(init.body)) }]
    return init?.method === 'DELETE' ? new Response(null, { status: 204 }) : Response.json(stored)
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
      <ProtectedLabels />
    </QueryClientProvider>,
  )

test('Administrators say in Settings → Tags and labels who may move a label.', async () => {
  show()
  await screen.findByText(/^No label is protected/)
  const name = screen.getByLabelText('Protect another label')
  await userEvent.type(name, 'latest{Enter}')
  expect((await screen.findByRole('alert')).textContent).toMatch(/always the newest/)
  await userEvent.clear(name)
  await userEvent.type(name, 'production{Enter}')
  const row = within(await screen.findByRole('listitem'))
  expect(row.getByText('production')).toBeTruthy()
  await userEvent.click(row.getByRole('combobox', { name: 'Who can move production' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Admins only' }))
  await userEvent.click(row.getByRole('switch', { name: 'Requires a passed test suite to move production' }))
  await userEvent.click(row.getByRole('button', { name: 'Groups that can move production too' }))
  await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Support' }))
  await row.findByText('Editors in Support can move it too.')
  await vi.waitFor(() =>
    expect(stored).toEqual([
      { label: 'production', whoMayMove: 'admins', groups: ['Support'], needsSuite: true },
    ]),
  )
  await userEvent.type(name, 'production{Enter}')
  expect((await screen.findByRole('alert')).textContent).toBe('This label is already protected')
  await userEvent.click(row.getByRole('button', { name: 'Remove protection from production' }))
  await screen.findByText(/^No label is protected/)
  expect(network.mock.calls.map(([path]) => path)).toContain(`${PATH}/production`)
})
