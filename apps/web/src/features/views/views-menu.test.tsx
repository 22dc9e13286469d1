import type { View } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TooltipProvider } from '../../components/ui/tooltip.tsx'
import { createQueryClient } from '../../lib/query-client.ts'
import { toastStore } from '../../lib/toast.ts'
import { ViewsMenu } from './views-menu.tsx'

const WEEKLY: View = { id: 1, name: 'Weekly', page: 'prompts', query: 'search=week&sort=title' }
const PUBLIC: View = { id: 2, name: 'Public', page: 'chains', query: 'visibility=public' }

let views: View[]
let sent: string[]
let isGuest: boolean

beforeEach(() => {
  window.history.replaceState(null, '', '/')
  views = [WEEKLY, PUBLIC]
  sent = []
  isGuest = false
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    const method = init?.method ?? 'GET'
    sent.push(`${method} ${path}`)
    if (path === '/api/user') {
      return isGuest
        ? Response.json({ error: 'Please log in' }, { status: 401 })
        : Response.json({ id: 1, username: 'ada', email: 'ada@example.org', role: 'user' })
    }
    if (method === 'DELETE') {
      views = views.filter(({ id }) => !path.endsWith(`/${id}`))
      return new Response(null, { status: 204 })
    }
    if (method === 'POST') {
      const created = { id: 10 + views.length, ...(JSON.parse(String(init?.body)) as Omit<View, 'id'>) }
      views = [...views, created]
      return Response.json(created, { status: 201 })
    }
    return Response.json(views)
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function Toolbar() {
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <TooltipProvider>
        <ViewsMenu page="prompts" />
      </TooltipProvider>
    </QueryClientProvider>
  )
}

async function openMenu(address = '/'): Promise<HTMLElement> {
  window.history.replaceState(null, '', address)
  render(<Toolbar />)
  await userEvent.click(await screen.findByRole('button', { name: /^Saved views/ }))
  const menu = await screen.findByRole('dialog', { name: 'Saved views' })
  await within(menu).findByRole('listitem')
  return menu
}

const listed = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent)

test('A saved view is a link to its filters.', async () => {
  const menu = await openMenu('/?tags=3')
  expect(listed()).toEqual(['Weekly'])
  await userEvent.click(within(menu).getByRole('link', { name: 'Weekly' }))
  expect(window.location.search).toBe('?search=week&sort=title')
  expect(await screen.findByRole('button', { name: 'Saved views: Weekly' })).not.toBeNull()
})

test('Filters, search, order and form of a list are kept under a name as a saved view.', async () => {
  const menu = await openMenu('/?sort=title&search=boats&prompt=7')
  await userEvent.type(within(menu).getByLabelText('Name of the view'), ' Boats {Enter}')
  await screen.findByRole('button', { name: 'Saved views: Boats' })
  expect(views.at(-1)).toEqual({ id: 12, name: 'Boats', page: 'prompts', query: 'search=boats&sort=title' })
  expect(screen.queryByLabelText('Name of the view')).toBeNull()
  expect(toastStore.getSnapshot()[0]).toMatchObject({ title: 'View saved' })
})

test('a name that is taken is said, and nothing is sent', async () => {
  const menu = await openMenu('/?search=boats')
  await userEvent.type(within(menu).getByLabelText('Name of the view'), 'WEEKLY{Enter}')
  expect(toastStore.getSnapshot()[0]).toMatchObject({ title: 'View exists' })
  expect(sent.filter((call) => call.startsWith('POST'))).toEqual([])
})

test('without filters there is nothing to save, and the list says so', async () => {
  const menu = await openMenu()
  expect(within(menu).queryByLabelText('Name of the view')).toBeNull()
  expect(menu.textContent).toContain('Search, filter or sort, then save it here')
})

test('A saved view is deleted at once, with Undo.', async () => {
  const menu = await openMenu('/?search=week&sort=title')
  await userEvent.click(within(menu).getByRole('button', { name: 'Delete view Weekly' }))
  await waitFor(() => expect(views).toEqual([PUBLIC]))
  await waitFor(() => expect(menu.contains(document.activeElement)).toBe(true))
  const undo = toastStore.getSnapshot()[0]?.action
  expect(undo?.label).toBe('Undo')
  undo?.onPress()
  await waitFor(() => expect(listed()).toEqual(['Weekly']))
  expect(views.at(-1)).toMatchObject({ name: 'Weekly', query: WEEKLY.query })
})

test('a guest keeps none, and nothing is asked for', async () => {
  isGuest = true
  window.history.replaceState(null, '', '/?search=week')
  render(<Toolbar />)
  await waitFor(() => expect(sent).toEqual(['GET /api/user']))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(screen.queryByRole('button', { name: /^Saved views/ })).toBeNull()
  expect(sent).toEqual(['GET /api/user'])
})
