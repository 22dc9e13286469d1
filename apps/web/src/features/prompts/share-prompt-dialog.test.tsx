import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Toaster } from '../../components/toaster.tsx'
import { TooltipProvider } from '../../components/ui/tooltip.tsx'
import { createQueryClient } from '../../lib/query-client.ts'
import { makePrompt } from '../../testing/make-prompt.ts'
import SharePromptDialog from './share-prompt-dialog.tsx'
import { signedInUser, stubApi } from './testing/stub-api.ts'

const onClose = vi.fn()

beforeEach(() => {
  onClose.mockReset()
  // What jsdom lacks of a browser and the kit's select asks for.
  Element.prototype.hasPointerCapture = () => false
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function openDialog(fields = {}) {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <TooltipProvider>
        <SharePromptDialog prompt={makePrompt(fields)} onClose={onClose} />
      </TooltipProvider>
      <Toaster />
    </QueryClientProvider>,
  )
  return within(await screen.findByRole('dialog', { name: 'Share Prompt' }))
}

const support = {
  ...{
    id: 3,
    name: 'Support',
    isBuiltIn: false,
    memberCount: 2,
    members: ['ana', 'carol'],
    leaders: ['ana'],
  },
  ...{ shareCount: 0, canEdit: true },
}

const known = {
  'GET /api/user': () => Response.json(signedInUser),
  'GET /api/groups': () => Response.json([support]),
  'GET /api/prompts/7/shares': () => Response.json([{ username: 'dan', role: 'viewer' }]),
  'GET /api/users/search?name=sup': () => Response.json([]),
  'GET /api/users/search?name=ca': () => Response.json([{ id: 5, username: 'carol' }]),
}

test('people are found by name, given a role, and saved as one list', async () => {
  const sent = stubApi({ ...known, 'PUT /api/prompts/7/shares': () => Response.json([]) })
  const dialog = await openDialog()
  expect(dialog.getByText('“Tone check” is private: only you and these people can see it.')).toBeTruthy()
  await userEvent.type(await dialog.findByPlaceholderText('Username or group'), 'ca')
  await dialog.findByRole('option', { name: 'carol' })
  await userEvent.keyboard('{Enter}')
  await userEvent.click(dialog.getByRole('combobox', { name: 'Role of carol' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Editor' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Remove dan' }))
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  expect(await screen.findByText('“Tone check” is shared with 1 person by name.')).toBeTruthy()
  expect(sent).toEqual([{ key: 'PUT /api/prompts/7/shares', body: [{ username: 'carol', role: 'editor' }] }])
  expect(onClose).toHaveBeenCalledOnce()
})

test('Groups are found beside people, and saved with a role; the dialog says how many people can open it.', async () => {
  const sent = stubApi({ ...known, 'PUT /api/prompts/7/shares': () => Response.json([]) })
  const dialog = await openDialog()
  await userEvent.type(await dialog.findByPlaceholderText('Username or group'), 'sup')
  await userEvent.click(await dialog.findByRole('option', { name: 'Support group, 2 people' }))
  // The owner, dan, ana and carol.
  expect(await dialog.findByText('4 people can open it.')).toBeTruthy()
  await userEvent.click(dialog.getByRole('combobox', { name: 'Role of Support' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Editor' }))
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  expect(await screen.findByText('“Tone check” is shared with 1 person by name and 1 group.')).toBeTruthy()
  const body = [
    { username: 'dan', role: 'viewer' },
    { group: 'Support', role: 'editor' },
  ]
  expect(sent).toEqual([{ key: 'PUT /api/prompts/7/shares', body }])
})

test('a refusal is shown in the dialog, and the choices stay', async () => {
  const error = 'There is no account named dan'
  stubApi({ ...known, 'PUT /api/prompts/7/shares': () => Response.json({ error }, { status: 400 }) })
  const dialog = await openDialog({ isPublic: true })
  expect(dialog.getByText('Everyone can see “Tone check”. Editors can also change it.')).toBeTruthy()
  await dialog.findByText('dan')
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  expect((await dialog.findByRole('alert')).textContent).toContain(error)
  expect(dialog.getByText('dan')).toBeTruthy()
  expect(onClose).not.toHaveBeenCalled()
})
