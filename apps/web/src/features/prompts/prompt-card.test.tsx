import type { Prompt } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../lib/query-client.ts'
import { makePrompt } from '../../testing/make-prompt.ts'
import { PromptCard } from './prompt-card.tsx'
import { PromptRow } from './prompt-row.tsx'
import { signedInUser, stubApi } from './testing/stub-api.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const actions = {
  open: vi.fn(),
  edit: vi.fn(),
  remove: vi.fn(),
  duplicate: vi.fn(),
  share: vi.fn(),
  serve: vi.fn(),
  execute: vi.fn(),
  select: vi.fn(),
}

function show(Item: typeof PromptCard | typeof PromptRow, fields: Partial<Prompt> = {}) {
  stubApi({ 'GET /api/user': () => Response.json(signedInUser) })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Item prompt={makePrompt({ title: 'Digest', ...fields })} actions={actions} compact={false} />
    </QueryClientProvider>,
  )
}

const ITEMS: [string, typeof PromptCard | typeof PromptRow][] = [
  ['card', PromptCard],
  ['row', PromptRow],
]

test.each(ITEMS)('A card’s actions can be reached without hovering. (%s)', async (_, Item) => {
  show(Item)
  const copy = screen.getByRole('button', { name: 'Copy' })
  const more = screen.getByRole('button', { name: 'More: Digest' })
  for (const button of [copy, more]) expect(button.className).not.toMatch(/opacity-0|(^| )w-0/)
  await userEvent.click(more)
  const items = await screen.findAllByRole('menuitem')
  expect(items.map(({ textContent }) => textContent)).toEqual([
    'Copy',
    'Edit',
    'Tests',
    'Duplicate',
    'Share',
    'Hand over…',
    'Skill',
    'Connect',
    'Select',
    'Delete',
  ])
  await userEvent.keyboard('{Escape}')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'More: Digest' }))
})

test.each(ITEMS)('A card never cuts its author or date. (%s)', (_, Item) => {
  show(Item)
  expect(screen.getByText('ada')).toBeTruthy()
  const date = screen.getByText('Updated', { exact: false })
  expect(date.closest('p')?.className).toContain('whitespace-nowrap')
})

test('Edit shows only with canEdit, Delete only with canDelete.', async () => {
  show(PromptCard, { owner: 'olga', isShared: true, canEdit: false, canDelete: false })
  expect(screen.getByText(', shared with people or groups')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'More: Digest' }))
  const items = await screen.findAllByRole('menuitem')
  expect(items.map(({ textContent }) => textContent)).toEqual([
    'Copy',
    'Tests',
    'Duplicate',
    'Connect',
    'Select',
  ])
})

test.each(ITEMS)(
  'the title of a %s is a link: opened here by a click, elsewhere with Ctrl',
  async (_, Item) => {
    show(Item)
    actions.open.mockClear()
    const link = screen.getByRole('link', { name: 'Digest' })
    expect(link.getAttribute('href')).toBe('/?prompt=7')
    // Not prevented: the browser opens it.
    expect(fireEvent.click(link, { ctrlKey: true })).toBe(true)
    expect(actions.open).not.toHaveBeenCalled()
    expect(fireEvent.click(link)).toBe(false)
    expect(actions.open).toHaveBeenCalledTimes(1)
  },
)
