import type { BulkPromptsRequest, ListedPrompt } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TooltipProvider } from '../../components/ui/tooltip.tsx'
import { createQueryClient } from '../../lib/query-client.ts'
import { toastStore } from '../../lib/toast.ts'
import { makePrompt } from '../../testing/make-prompt.ts'
import PromptSelectionBar from './prompt-selection-bar.tsx'

const LAUNCH = { id: 7, name: 'launch' }
const one = makePrompt({ id: 1, title: 'One', categoryId: 1, tags: [LAUNCH] })
const two = makePrompt({ id: 2, title: 'Two', categoryId: 2, tags: [], isActive: false })
const others = makePrompt({
  id: 3,
  title: 'Ada’s',
  categoryId: 1,
  tags: [],
  canEdit: false,
  canDelete: false,
})

let sent: BulkPromptsRequest[]
const onClear = vi.fn()

beforeEach(() => {
  sent = []
  onClear.mockReset()
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    if (path.startsWith('/api/tags')) return Response.json([LAUNCH])
    if (path.startsWith('/api/categories')) {
      return Response.json(
        ['General', 'Writing', 'Coding'].map((name, id) => ({ id: id + 1, name, count: 1 })),
      )
    }
    const request = JSON.parse(String(init?.body)) as BulkPromptsRequest
    sent.push(request)
    const isOthers = (id: number) => id === others.id || request.action === 'deactivate'
    return Response.json({
      done: request.ids.filter((id) => !isOthers(id)),
      failed: request.ids.filter(isOthers).map((id) => ({ id, error: 'You can’t change this prompt' })),
    })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function show(...selected: ListedPrompt[]) {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <TooltipProvider>
        <PromptSelectionBar selected={selected} onClear={onClear} />
      </TooltipProvider>
    </QueryClientProvider>,
  )
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const latest = () => toastStore.getSnapshot()[0]
async function undo(count: number) {
  await waitFor(() => expect(latest()?.action?.label).toBe('Undo'))
  latest()?.action?.onPress()
  await waitFor(() => expect(sent).toHaveLength(count))
}

test('A tag is given to those that lack it, and Undo takes it off these alone.', async () => {
  show(one, two)
  await press('Tags')
  await userEvent.click(await screen.findByText('launch'))
  await waitFor(() => expect(latest()).toMatchObject({ description: '1 prompt tagged “launch”.' }))
  await undo(2)
  expect(sent).toEqual([
    { action: 'tag', tagId: 7, ids: [2] },
    { action: 'untag', tagId: 7, ids: [2] },
  ])
})

test('A tag that all have is taken off.', async () => {
  show(one)
  await press('Tags')
  await userEvent.click(await screen.findByText('launch'))
  await waitFor(() => expect(sent).toEqual([{ action: 'untag', tagId: 7, ids: [1] }]))
})

test('Prompts are moved together, and Undo puts each where it was.', async () => {
  show(one, two)
  await press('Move')
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Coding' }))
  await undo(3)
  expect(sent).toEqual([
    { action: 'move', categoryId: 3, ids: [1, 2] },
    { action: 'move', categoryId: 1, ids: [1] },
    { action: 'move', categoryId: 2, ids: [2] },
  ])
})

test('Those that are off are switched on; what may not be changed is said.', async () => {
  show(two, { ...others, isActive: false })
  expect(screen.queryByRole('button', { name: 'Deactivate' })).toBeNull()
  await press('Activate')
  await waitFor(() =>
    expect(latest()).toMatchObject({
      description: '1 prompt activated.',
      detail: '1 prompt not changed: You can’t change this prompt.',
    }),
  )
  await undo(2)
  expect(sent.at(-1)).toEqual({ action: 'deactivate', ids: [2] })
  // The fake lets nobody deactivate: an undo that was refused says so too.
  await waitFor(() =>
    expect(latest()).toMatchObject({
      title: 'Undone',
      description: '1 prompt not changed: You can’t change this prompt.',
    }),
  )
})

test('Deleting asks once with the count, leaves what may not be deleted, and offers no Undo.', async () => {
  show(one, two, others)
  await press('Delete')
  const question = await screen.findByRole('alertdialog', { name: 'Delete 2 prompts?' })
  expect(question.textContent).toContain('1 prompt will stay: you can’t delete')
  await userEvent.click(within(question).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(onClear).toHaveBeenCalledOnce())
  expect(sent).toEqual([{ ids: [1, 2], action: 'delete' }])
  expect(latest()).toMatchObject({ title: 'Prompts deleted', description: '2 prompts deleted.' })
  expect(latest()?.action).toBeUndefined()
})

test('Escape clears the selection.', async () => {
  show(one)
  await userEvent.keyboard('{Escape}')
  expect(onClear).toHaveBeenCalledOnce()
})
