import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
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

const actions = { open: vi.fn(), edit: vi.fn(), remove: vi.fn(), execute: vi.fn() }

function show(Item: typeof PromptCard | typeof PromptRow) {
  stubApi({ 'GET /api/user': () => Response.json(signedInUser) })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Item prompt={makePrompt({ title: 'Digest' })} actions={actions} compact={false} />
    </QueryClientProvider>,
  )
}

test.each([
  ['card', PromptCard],
  ['row', PromptRow],
])('the quiet actions of a %s are there before pointer or focus come near', async (_, Item) => {
  show(Item)
  actions.edit.mockClear()
  const quiet = ['Copy', 'Edit', 'Delete'].map((name) => screen.getByRole('button', { name }))
  expect(quiet.map(({ title }) => title)).toEqual(['Copy', 'Edit', 'Delete'])
  // As assistive technology presses them: without a pointer, without the focus.
  quiet[1]?.click()
  expect(actions.edit).toHaveBeenCalledTimes(1)
  await userEvent.tab({ shift: true })
  await userEvent.tab({ shift: true })
  expect(document.activeElement).toBe(quiet[2])
})
