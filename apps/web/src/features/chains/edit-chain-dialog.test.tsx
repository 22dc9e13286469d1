import type { Chain } from '@catenary/contracts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeChain } from '../../testing/make-chain.ts'
import EditChainDialog from './edit-chain-dialog.tsx'
import { show } from './testing/show.tsx'
import { stubChainApi, writesOf } from './testing/stub-chain-api.ts'

const onClose = vi.fn()

beforeEach(() => {
  localStorage.clear()
  // What jsdom lacks of a browser and the kit's select asks for.
  Element.prototype.hasPointerCapture = () => false
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

async function openDialog(chain: Chain = makeChain()) {
  show(<EditChainDialog chain={chain} userId={1} onClose={onClose} />)
  return within(await screen.findByRole('dialog', { name: 'Edit Chain' }))
}

const sharedBefore = {
  'GET /api/chains/12/shares': () => Response.json([{ username: 'dan', role: 'viewer' }]),
  'GET /api/groups': () => Response.json([]),
}
const saves = {
  'PATCH /api/chains/12': () => Response.json(makeChain({ revision: 5 })),
  'PUT /api/chains/12/shares': () => Response.json([]),
}
const save = (dialog: Awaited<ReturnType<typeof openDialog>>) =>
  userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))

test('The owner alone sets visibility and people with their roles (D33).', async () => {
  const sent = stubChainApi({
    ...sharedBefore,
    ...saves,
    'GET /api/chain-tags': () => Response.json([{ id: 9, name: 'typed' }]),
    'GET /api/users/search?name=ca': () =>
      Response.json([
        { id: 5, username: 'carol' },
        { id: 1, username: 'ada' },
      ]),
  })
  const dialog = await openDialog()
  await userEvent.click(dialog.getByRole('radio', { name: 'Shared: specific users' }))
  await userEvent.type(dialog.getByPlaceholderText('Username or group'), 'ca')
  await userEvent.click(await dialog.findByRole('option', { name: 'carol' }))
  expect(dialog.queryByRole('option', { name: 'ada' })).toBeNull()
  await userEvent.click(dialog.getByRole('combobox', { name: 'Role of carol' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Editor' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Remove dan' }))
  await userEvent.type(dialog.getByLabelText('Example requests'), ' Who left?{Enter}{Enter}What doubles? ')
  await userEvent.type(dialog.getByLabelText('Tags'), 'typed')
  await userEvent.click(dialog.getByRole('switch', { name: 'Agents ask before they run it' }))
  await save(dialog)
  expect(await screen.findByText('Chain updated')).toBeTruthy()
  expect(writesOf(sent)).toEqual([
    {
      key: 'PATCH /api/chains/12',
      body: {
        name: 'Monday digest',
        description: 'What customers told us.',
        exampleRequests: ['Who left?', 'What doubles?'],
        sharedLevel: 'shared',
        stopsWithoutValue: 'unwatched',
        stopsWhenCut: 'unwatched',
        runsVisibleTo: 'editors',
        asksFirst: true,
        tagIds: [3, 9],
        revision: 4,
      },
    },
    { key: 'PUT /api/chains/12/shares', body: [{ username: 'carol', role: 'editor' }] },
  ])
  expect(onClose).toHaveBeenCalledOnce()
})

test('an editor changes neither who sees the chain nor with whom it is shared', async () => {
  const sent = stubChainApi(saves)
  const dialog = await openDialog(makeChain({ owner: 'bob', sharedLevel: 'shared' }))
  expect(dialog.queryByRole('radiogroup', { name: 'Visibility' })).toBeNull()
  expect(dialog.queryByPlaceholderText('Username or group')).toBeNull()
  await save(dialog)
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(writesOf(sent).map(({ key }) => key)).toEqual(['PATCH /api/chains/12'])
  expect(writesOf(sent)[0]?.body).not.toHaveProperty('sharedLevel')
})

test('which runs stop without a value is chosen, and shown as a conflict if someone else saved first', async () => {
  const theirs = makeChain({ revision: 8, stopsWithoutValue: 'never' })
  const sent = stubChainApi({
    ...sharedBefore,
    'PATCH /api/chains/12': () => Response.json({ error: 'Changed', details: theirs }, { status: 409 }),
  })
  const dialog = await openDialog()
  const choice = dialog.getByRole('combobox', { name: 'Stop when a value is unavailable' })
  expect(choice.textContent).toBe('In scheduled runs and API calls')
  await userEvent.click(choice)
  await userEvent.click(await screen.findByRole('option', { name: 'In every run' }))
  await save(dialog)
  const saved = await dialog.findByLabelText('Stop when a value is unavailable: Saved now')
  expect(saved).toHaveProperty('value', 'Never: send the reference as written')
  expect(writesOf(sent)).toMatchObject([{ body: { stopsWithoutValue: 'always' } }])
})

test('which runs stop at an answer that is cut off is a choice of the chain', async () => {
  const sent = stubChainApi({ ...sharedBefore, 'PATCH /api/chains/12': () => Response.json(makeChain({})) })
  const dialog = await openDialog()
  const choice = dialog.getByRole('combobox', { name: 'Stop when an answer is cut off' })
  expect(choice.textContent).toBe('In scheduled runs and API calls')
  await userEvent.click(choice)
  await userEvent.click(await screen.findByRole('option', { name: 'Never: continue with what has arrived' }))
  await save(dialog)
  expect(writesOf(sent)).toMatchObject([{ body: { stopsWhenCut: 'never' } }])
})

test('Edit Chain says ‘Name is required’, ‘Chain updated’ or ‘Failed to update chain’.', async () => {
  const sent = stubChainApi(sharedBefore)
  const dialog = await openDialog()
  await userEvent.clear(dialog.getByLabelText('Name'))
  await save(dialog)
  expect(await dialog.findByText('Name is required')).toBeTruthy()
  expect(document.activeElement).toBe(dialog.getByLabelText('Name'))
  expect(writesOf(sent)).toEqual([])
})

test('A chain takes example requests: at most ten lines of 300 characters (D45).', async () => {
  const sent = stubChainApi(sharedBefore)
  const dialog = await openDialog(makeChain({ exampleRequests: ['Who left?'] }))
  const examples = dialog.getByLabelText('Example requests')
  expect(examples).toHaveProperty('value', 'Who left?')
  for (const [text, refusal] of [
    ['line\n'.repeat(11), 'A chain can have at most 10 example requests'],
    ['x'.repeat(301), 'An example request can have at most 300 characters'],
  ] as const) {
    await userEvent.clear(examples)
    await userEvent.click(examples)
    await userEvent.paste(text)
    await save(dialog)
    expect(await dialog.findByText(refusal)).toBeTruthy()
  }
  expect(writesOf(sent)).toEqual([])
})

test('when the second save fails, that is reported, and the next try knows of the first', async () => {
  const sent = stubChainApi({
    ...sharedBefore,
    ...saves,
    'PUT /api/chains/12/shares': [
      () => Response.json({ error: 'No such person' }, { status: 400 }),
      () => Response.json([]),
    ],
  })
  const dialog = await openDialog(makeChain({ sharedLevel: 'shared' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Remove dan' }))
  await save(dialog)
  expect(await screen.findByText('Failed to update chain')).toBeTruthy()
  expect(screen.getByText('400: No such person')).toBeTruthy()
  await save(dialog)
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(writesOf(sent).map(({ body }) => body)).toMatchObject([{ revision: 4 }, [], { revision: 5 }, []])
})

test('When someone else saved a chain first, both states are shown (D16).', async () => {
  const theirs = makeChain({ name: 'Theirs', revision: 8, sharedLevel: 'public' })
  stubChainApi({
    ...sharedBefore,
    'PATCH /api/chains/12': () => Response.json({ error: 'Changed', details: theirs }, { status: 409 }),
  })
  const dialog = await openDialog()
  await userEvent.type(dialog.getByLabelText('Name'), ' of mine')
  await save(dialog)
  expect(await dialog.findByLabelText('Name: Yours')).toHaveProperty('value', 'Monday digest of mine')
  expect(dialog.getByLabelText('Name: Saved now')).toHaveProperty('value', 'Theirs')
  expect(dialog.getByLabelText('Visibility: Saved now')).toHaveProperty('value', 'Public')
  await userEvent.click(dialog.getByRole('button', { name: 'Use what is saved' }))
  expect(dialog.getByLabelText('Name')).toHaveProperty('value', 'Theirs')
})

test('The Edit dialog of a chain takes a note with a save.', async () => {
  const sent = stubChainApi({ ...sharedBefore, ...saves })
  const dialog = await openDialog()
  expect(dialog.queryByLabelText('Note')).toBeNull()
  await userEvent.type(dialog.getByLabelText('Name'), ' 2')
  await userEvent.type(await dialog.findByLabelText('Note'), 'told apart')
  await userEvent.click(dialog.getByRole('button', { name: 'Advanced' }))
  await userEvent.type(dialog.getByLabelText('Slug'), '-2')
  await save(dialog)
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(writesOf(sent)[0]?.body).toMatchObject({ note: 'told apart', slug: 'monday-digest-2' })
})
