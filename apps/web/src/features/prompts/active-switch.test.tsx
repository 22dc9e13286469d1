import type { Prompt } from '@catenary/contracts'
import { QueryClientProvider, useInfiniteQuery } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Toaster } from '../../components/toaster.tsx'
import { createQueryClient } from '../../lib/query-client.ts'
import { makePrompt } from '../../testing/make-prompt.ts'
import { AccountDialogsContext } from '../accounts/account-dialogs-provider.tsx'
import { ActiveSwitch } from './active-switch.tsx'
import { promptsQuery } from './prompts.queries.ts'
import { signedInUser, stubApi } from './testing/stub-api.ts'

let answerToggle: (response: Response) => void
let stored: Prompt
let toggled: Promise<Response>

beforeEach(() => {
  // What jsdom lacks of a browser and a toast asks for.
  Element.prototype.hasPointerCapture = () => false
  stored = makePrompt({ isActive: true })
  toggled = new Promise<Response>((resolve) => {
    answerToggle = resolve
  })
  stubApi({
    'GET /api/user': () => Response.json(signedInUser),
    'GET /api/prompts': () => Response.json([stored]),
    'PATCH /api/prompts/7/toggle': () => toggled,
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function List() {
  const { data } = useInfiniteQuery(promptsQuery())
  return data?.items.map((prompt) => <ActiveSwitch key={prompt.id} prompt={prompt} />)
}

async function openList(onRequired = () => undefined): Promise<HTMLElement> {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <AccountDialogsContext value={{ open: onRequired }}>
        <List />
      </AccountDialogsContext>
      <Toaster />
    </QueryClientProvider>,
  )
  return screen.findByRole('switch', { name: 'Active: Tone check' })
}

function isOn(): boolean {
  return screen.getByRole('switch').getAttribute('aria-checked') === 'true'
}

test('The active switch moves at once and is disabled while its request runs; the list is fetched again after it.', async () => {
  await userEvent.click(await openList())
  await waitFor(() => expect(isOn()).toBe(false))
  expect(screen.getByRole('switch')).toHaveProperty('disabled', true)
  stored = { ...stored, isActive: false }
  answerToggle(Response.json(stored))
  expect(await screen.findByText('Status updated')).toBeTruthy()
  expect(screen.getByText('Prompt has been deactivated')).toBeTruthy()
  await waitFor(() => expect(screen.getByRole('switch')).toHaveProperty('disabled', false))
  expect(isOn()).toBe(false)
})

test('Undo in the toast reverts an activation (D54).', async () => {
  const sent = stubApi({
    'GET /api/user': () => Response.json(signedInUser),
    'GET /api/prompts': () => Response.json([stored]),
    'PATCH /api/prompts/7/toggle': () => {
      stored = { ...stored, isActive: !stored.isActive }
      return Response.json(stored)
    },
  })
  await userEvent.click(await openList())
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Prompt has been activated')).toBeTruthy()
  await waitFor(() => expect(isOn()).toBe(true))
  expect(sent.map(({ body }) => body)).toEqual([{ isActive: false }, { isActive: true }])
})

test('A change shows at once, and is reverted if it is refused.', async () => {
  let reads = 0
  stubApi({
    'GET /api/user': () => Response.json(signedInUser),
    'GET /api/prompts': () => {
      reads += 1
      return reads === 1 ? Response.json([stored]) : new Promise<Response>(() => undefined)
    },
    'PATCH /api/prompts/7/toggle': () => toggled,
  })
  await userEvent.click(await openList())
  await waitFor(() => expect(isOn()).toBe(false))
  answerToggle(Response.json({ error: 'You can’t change this prompt' }, { status: 403 }))
  const reason = 'Failed to update prompt status: 403: You can’t change this prompt'
  expect(await screen.findByText(reason)).toBeTruthy()
  await waitFor(() => expect(isOn()).toBe(true))
})

test('For guests the switch is read-only: it asks them to log in.', async () => {
  const onRequired = vi.fn()
  stubApi({
    'GET /api/user': () => Response.json({ error: 'Not signed in' }, { status: 401 }),
    'GET /api/prompts': () => Response.json([{ ...stored, canEdit: false }]),
  })
  const element = await openList(onRequired)
  await waitFor(() => expect(element.getAttribute('aria-readonly')).toBe('true'))
  await userEvent.click(element)
  expect(onRequired).toHaveBeenCalledOnce()
  expect(isOn()).toBe(true)
})

test('Without the right to edit, the switch is disabled.', async () => {
  stored = { ...stored, canEdit: false }
  const element = await openList()
  await waitFor(() => expect(element).toHaveProperty('disabled', true))
})
