import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TooltipProvider } from '../../../components/ui/tooltip.tsx'
import { createQueryClient } from '../../../lib/query-client.ts'
import { toastStore } from '../../../lib/toast.ts'
import { AccountDialogsContext } from '../../accounts/account-dialogs-provider.tsx'
import { CategoryList } from './category-list.tsx'

const ADA = { id: 1, username: 'ada', email: 'ada@example.org', role: 'user' }

let user: typeof ADA | null
let created: unknown[]
let refusal: string | null
const onRequired = vi.fn()

beforeEach(() => {
  user = ADA
  created = []
  refusal = null
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    if (path === '/api/user') {
      return user === null ? Response.json({ error: 'Please log in' }, { status: 401 }) : Response.json(user)
    }
    if (init?.method !== 'POST') return Response.json([{ id: 1, name: 'General', count: 3 }])
    created.push(JSON.parse(String(init.body)))
    if (refusal) return Response.json({ error: refusal }, { status: 400 })
    return Response.json({ id: 9, name: 'Legal', count: 0 }, { status: 201 })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  onRequired.mockReset()
})

function Sidebar() {
  const [queryClient] = useState(createQueryClient)
  const [selectedId, setSelectedId] = useState<number | null>(null)
  return (
    <QueryClientProvider client={queryClient}>
      <TooltipProvider>
        <AccountDialogsContext value={{ open: onRequired }}>
          <CategoryList selectedId={selectedId} onSelect={setSelectedId} />
          <output>{selectedId}</output>
        </AccountDialogsContext>
      </TooltipProvider>
    </QueryClientProvider>
  )
}

async function openSidebar(): Promise<HTMLElement> {
  render(<Sidebar />)
  return screen.findByRole('button', { name: 'General 3' })
}

async function openInput(): Promise<HTMLElement> {
  await openSidebar()
  await userEvent.click(screen.getByRole('button', { name: 'Add Category' }))
  return screen.findByLabelText('New category')
}

function selected(): string | null {
  return screen.getByRole('status').textContent
}

test('A click selects a category, a second click deselects it.', async () => {
  const general = await openSidebar()
  await userEvent.click(general)
  expect(selected()).toBe('1')
  expect(general.getAttribute('aria-pressed')).toBe('true')
  await userEvent.click(general)
  expect(selected()).toBe('')
})

test('Enter creates a category under its trimmed name and chooses it', async () => {
  await userEvent.type(await openInput(), '  Legal {Enter}')
  await waitFor(() => expect(selected()).toBe('9'))
  expect(created).toEqual([{ name: 'Legal' }])
  expect(toastStore.getSnapshot()[0]?.title).toBe('Category created')
  expect(screen.queryByLabelText('New category')).toBeNull()
})

test('A category’s name is trimmed, and a blank one ignored. An existing name selects that category, ‘Category exists’.', async () => {
  await userEvent.type(await openInput(), 'GENERAL{Enter}')
  expect(selected()).toBe('1')
  expect(created).toEqual([])
  expect(toastStore.getSnapshot()[0]?.title).toBe('Category exists')
})

test('‘Add Category’ opens an input in place: Enter submits, Escape closes and clears.', async () => {
  const input = await openInput()
  await userEvent.type(input, '   {Enter}')
  expect(created).toEqual([])
  await userEvent.type(input, 'Draft{Escape}')
  expect(screen.queryByLabelText('New category')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Add Category' }))
  expect(screen.getByLabelText<HTMLInputElement>('New category').value).toBe('')
})

test('Errors are destructive toasts: a refused name of a category says why, and stays in the line.', async () => {
  refusal = 'Name is taken'
  const input = await openInput()
  await userEvent.type(input, 'Legal{Enter}')
  await waitFor(() =>
    expect(toastStore.getSnapshot()[0]).toMatchObject({
      title: 'Error',
      description: 'Failed to create category: Name is taken',
      variant: 'destructive',
    }),
  )
  expect(screen.getByLabelText<HTMLInputElement>('New category').value).toBe('Legal')
})

test('a guest is asked to log in instead', async () => {
  user = null
  await openSidebar()
  await userEvent.click(screen.getByRole('button', { name: 'Add Category' }))
  await waitFor(() => expect(onRequired).toHaveBeenCalledOnce())
  expect(screen.queryByLabelText('New category')).toBeNull()
})
