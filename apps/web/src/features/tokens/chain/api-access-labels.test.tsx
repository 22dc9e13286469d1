import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeChain, makeListedChain } from '../../../testing/make-chain.ts'
import { chainDetails, makeChainToken } from '../testing/make-token.ts'
import { openTokens, stubClipboard } from '../testing/open-tokens.tsx'
import ApiAccess from './api-access.tsx'

const LIST = 'GET /api/tokens?chainId=12'
const labels = [{ label: 'production', version: 4 }]

beforeEach(() => {
  localStorage.clear()
  window.history.replaceState(null, '', '/chains/12')
  // What jsdom lacks of a browser and the kit's select asks for.
  Element.prototype.hasPointerCapture = () => false
  Element.prototype.scrollIntoView = () => undefined
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open(answers: Parameters<typeof openTokens>[1]) {
  const chain = makeChain({ labels, version: 7, slug: 'monday-digest' })
  return openTokens(<ApiAccess chain={chain} takesInput />, {
    'GET /api/chains': () => Response.json([makeListedChain({ id: 12 })]),
    'GET /api/chains/12': () => Response.json(chain),
    ...answers,
  })
}

test('Tokens choose what runs, and their rows say it.', async () => {
  const labelled = makeChainToken({ chainLabel: 'production' })
  const written = open({
    [LIST]: () => Response.json([labelled]),
    'GET /api/own-tokens/5': () => Response.json(chainDetails({ chainLabel: 'production' })),
    'PATCH /api/own-tokens/5': () => Response.json(chainDetails()),
  })
  expect((await screen.findByText(/^ctc_9fKq/)).closest('p')?.textContent).toBe('ctc_9fKq… · runs production')
  await userEvent.click(screen.getByRole('button', { name: 'Helpdesk' }))
  expect(screen.getByText('Runs', { selector: 'dt' }).nextSibling?.textContent).toBe('production')
  await userEvent.click(screen.getByRole('button', { name: 'Edit Helpdesk' }))
  const form = within(await screen.findByRole('dialog', { name: 'Edit Token' }))
  await waitFor(() => expect(form.getByLabelText('Runs').textContent).toBe('production · version 4'))
  await userEvent.click(form.getByLabelText('Runs'))
  await userEvent.click(await screen.findByRole('option', { name: 'latest · version 7' }))
  await userEvent.click(form.getByRole('button', { name: /Save Changes/ }))
  expect(await screen.findByText('Token updated')).toBeTruthy()
  expect(written.at(-1)?.body).toMatchObject({ chainLabel: null })
})

test('Usage examples call a chain by any of its names.', async () => {
  open({ [LIST]: () => Response.json([]) })
  const examples = within(await screen.findByRole('region', { name: 'Usage examples' }))
  await userEvent.click(examples.getByRole('combobox', { name: 'Model' }))
  const names = (await screen.findAllByRole('option')).map(({ textContent }) => textContent)
  expect(names).toEqual(['chain-12', 'monday-digest', 'chain-12@production', 'monday-digest@production'])
  await userEvent.click(screen.getByRole('option', { name: 'monday-digest@production' }))
  const taken = stubClipboard()
  await userEvent.click(examples.getByRole('button', { name: 'Copy: curl, Claude style' }))
  await waitFor(() => expect(taken[0]).toContain('"model":"monday-digest@production"'))
})

const ASKED = { kind: 'chain', id: 12, name: 'openai_key', title: 'Monday digest', by: 'olga' } as const
const HELD = { kind: 'chain', id: 12, name: 'openai_key' }

test('The forms of tokens and schedules say in one line what they fill in, and take off what another brought in.', async () => {
  const written = open({
    [LIST]: () => Response.json([]),
    'POST /api/private-names': () => Response.json({ fills: [ASKED], own: ['client'] }),
    'POST /api/own-tokens': () =>
      Response.json(
        { ...chainDetails(), token: 'ctc_9fKqaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' },
        { status: 201 },
      ),
  })
  await userEvent.click(await screen.findByRole('button', { name: /Create/ }))
  const form = within(await screen.findByRole('dialog', { name: 'Create Token' }))
  const line = within(await form.findByRole('region', { name: 'Private values' }))
  expect(line.getByText(/^Fills/).textContent).toBe('Fills in your private variables client, openai_key')
  await userEvent.click(line.getByRole('checkbox', { name: /^openai_key in “Monday digest”/ }))
  expect(line.getByText(/^Fills/).textContent).toBe('Fills in your private variable client')
  await userEvent.click(line.getByRole('checkbox', { name: /^openai_key/ }))
  await userEvent.type(form.getByLabelText(/Name/), 'CI')
  await userEvent.click(form.getByRole('button', { name: /Create Token/ }))
  await waitFor(() => expect(written).toMatchObject([{ body: { name: 'CI', fills: [HELD] } }]))
})

test('What a token came to fill in later stands beside it with ‘Allow’.', async () => {
  const written = open({
    [LIST]: () => Response.json([makeChainToken({ asksToFill: [ASKED] })]),
    'PATCH /api/own-tokens/5': () => Response.json(chainDetails({ fills: [ASKED] })),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Helpdesk' }))
  const note = await screen.findByRole('note', { name: 'Private values' })
  expect(note.textContent).toContain('Not filled in: openai_key in “Monday digest”, brought in by olga.')
  await userEvent.click(within(note).getByRole('button', { name: /^Allow / }))
  await waitFor(() => expect(written).toEqual([{ key: 'PATCH /api/own-tokens/5', body: { fills: [HELD] } }]))
})
