import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makePrompt } from '../../../testing/make-prompt.ts'
import { makeReadToken, makeTokenRun } from '../testing/make-token.ts'
import { openTokens } from '../testing/open-tokens.tsx'
import { PromptApiAccess, type PromptApiAccessProps } from './prompt-api-access.tsx'
import { ReadTokenDialog } from './read-token-dialog.tsx'

const LIST = 'GET /api/read-tokens'
const VALUE = 'ctr_4Lmnaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
const complaint = makePrompt({
  id: 21,
  slug: 'answer-a-complaint',
  title: 'Answer a complaint',
  owner: 'ada',
})
const prompts = [complaint, makePrompt({ id: 22, title: 'Weekly digest' })]
const aliasesOf = (...aliases: string[]) =>
  Response.json(aliases.map((alias) => ({ alias, createdAt: '2026-11-01T10:00:00.000Z' })))

beforeEach(() => {
  localStorage.clear()
  window.history.replaceState(null, '', '/api-access')
  Element.prototype.hasPointerCapture = () => false
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open(answers: Parameters<typeof openTokens>[1], props: Partial<PromptApiAccessProps> = {}) {
  return openTokens(
    <PromptApiAccess
      prompt={null}
      onChoose={() => undefined}
      viewer="ada"
      renderForm={({ token, ...slot }) => (
        <ReadTokenDialog
          {...slot}
          token={token}
          known={token?.prompts ?? []}
          prompts={prompts}
          onSearch={() => undefined}
          userId={1}
        />
      )}
      {...props}
    />,
    { 'GET /api/prompts/21/aliases': () => aliasesOf(), ...answers },
  )
}

const seen = (text: string | RegExp) => screen.findByText(text)

test('without tokens it says what they are for; a list that fails to load says so', async () => {
  open({ [LIST]: [() => Response.json({ error: 'Down' }, { status: 500 }), () => Response.json([])] })
  expect(await seen('Failed to load API tokens')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await seen('No read tokens created yet.')).toBeTruthy()
  expect(screen.getByText('Create a token to fetch prompts from code, by their labels.')).toBeTruthy()
})

test('a row shows its prompts and what it may; without any left it says so', async () => {
  const runs = makeReadToken({ id: 7, name: 'Shop', mayRun: true, prompts: [] })
  open({ [LIST]: () => Response.json([makeReadToken(), runs]) })
  await screen.findByRole('button', { name: 'Billing service' })
  const row = (name: string) => within(screen.getByRole('button', { name }).closest('tr') as HTMLElement)
  const shows = (name: string, text: string) => expect(row(name).getAllByText(text)).not.toHaveLength(0)
  shows('Billing service', 'Answer a complaint')
  shows('Billing service', 'Fetch')
  shows('Shop', 'None left')
  shows('Shop', 'reaches no prompt')
  shows('Shop', 'Fetch and run')
})

test('a new token reads the chosen prompts, and runs them where that is switched on', async () => {
  const written = open({
    [LIST]: () => Response.json([]),
    'POST /api/read-tokens': () => Response.json({ ...makeReadToken(), token: VALUE }, { status: 201 }),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Create Token' }))
  const form = within(await screen.findByRole('dialog', { name: 'Create Read Token' }))
  await userEvent.type(form.getByLabelText('Token Name'), ' Billing ')
  const submit = form.getByRole('button', { name: /^Create Token/ })
  expect(form.getByText('Please select at least one prompt.')).toBeTruthy()
  expect(submit).toHaveProperty('disabled', true)
  await userEvent.type(form.getByLabelText('Search prompts'), 'digest')
  expect(form.queryByRole('checkbox', { name: 'Answer a complaint' })).toBeNull()
  await userEvent.click(form.getByRole('checkbox', { name: 'Weekly digest' }))
  expect(form.getByText('1 chosen')).toBeTruthy()
  await userEvent.click(form.getByRole('switch', { name: 'May run' }))
  await userEvent.click(submit)
  expect(await screen.findByLabelText(/^Value of/)).toHaveProperty('value', VALUE)
  expect(written).toMatchObject([
    { key: 'POST /api/read-tokens', body: { name: 'Billing', promptIds: [22], mayRun: true } },
  ])
  expect(written[0]?.body).not.toHaveProperty('answersHelperJobs')
})

test('a token whose prompts stay as they are is saved without them', async () => {
  const written = open({
    [LIST]: () => Response.json([makeReadToken()]),
    'PATCH /api/read-tokens/6': () => Response.json(makeReadToken()),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Billing service' }))
  const form = within(await screen.findByRole('dialog', { name: 'Edit Read Token' }))
  expect(form.getByRole('checkbox', { name: 'Answer a complaint' })).toHaveProperty('checked', true)
  await userEvent.type(form.getByLabelText('Token Name'), ' 2')
  await userEvent.click(form.getByRole('button', { name: /Save Changes/ }))
  await waitFor(() => expect(written).toHaveLength(1))
  expect(written[0]?.body).toMatchObject({ name: 'Billing service 2', mayRun: false })
  expect(written[0]?.body).not.toHaveProperty('promptIds')
})

test('a deleted token is gone by its own call; one that runs opens its runs', async () => {
  const written = open({
    [LIST]: [() => Response.json([makeReadToken({ mayRun: true })]), () => Response.json([])],
    'GET /api/tokens/6/executions?limit=20': () =>
      Response.json([makeTokenRun({ chainId: null, promptId: 21, chainName: 'Answer a complaint' })]),
    'DELETE /api/read-tokens/6': () => new Response(null, { status: 204 }),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Billing service' }))
  const run = await screen.findByRole('link', { name: 'Answer a complaint' })
  expect(run.getAttribute('href')).toBe('/execute/21?history=open')
  await userEvent.click(screen.getByRole('button', { name: 'Delete Billing service' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
  expect(await seen('Token deleted')).toBeTruthy()
  expect(written.map(({ key }) => key)).toEqual(['DELETE /api/read-tokens/6'])
})

test('a prompt shows its names and examples with its own variables', async () => {
  const prompt = { ...complaint, content: 'Dear $<customer>' }
  open(
    { [LIST]: () => Response.json([]), 'GET /api/prompts/21/aliases': () => aliasesOf('pmpt_1') },
    { prompt },
  )
  const names = within(await screen.findByRole('list', { name: 'Names of Answer a complaint' }))
  expect(names.getByText('answer-a-complaint')).toBeTruthy()
  expect(names.getByText('21')).toBeTruthy()
  expect(await names.findByText('pmpt_1')).toBeTruthy()
  const examples = document.querySelector('[data-example="langfuse-typescript"]')
  await waitFor(() => expect(examples?.textContent).toContain("prompt.compile({ customer: '…' })"))
})

test('its owner gives and takes aliases; another’s prompt has no such field', async () => {
  const written = open(
    {
      [LIST]: () => Response.json([]),
      'PUT /api/prompts/21/aliases/pmpt_1': () => aliasesOf('pmpt_1'),
      'DELETE /api/prompts/21/aliases/pmpt_1': () => aliasesOf(),
    },
    { prompt: complaint },
  )
  await userEvent.type(await screen.findByLabelText('Alias'), 'prompt-1{Enter}')
  expect(screen.getByText('An alias is pmpt_ and letters, digits, _ or -.')).toBeTruthy()
  expect(written).toEqual([])
  await userEvent.clear(screen.getByLabelText('Alias'))
  await userEvent.type(screen.getByLabelText('Alias'), 'pmpt_1{Enter}')
  await userEvent.click(await screen.findByRole('button', { name: 'Remove pmpt_1' }))
  await waitFor(() => expect(screen.queryByText('pmpt_1')).toBeNull())
  expect(written.map(({ key }) => key)).toEqual([
    'PUT /api/prompts/21/aliases/pmpt_1',
    'DELETE /api/prompts/21/aliases/pmpt_1',
  ])
  cleanup()
  open({ [LIST]: () => Response.json([]) }, { prompt: { ...complaint, canEdit: false }, viewer: 'grace' })
  await screen.findByRole('list', { name: 'Names of Answer a complaint' })
  expect(screen.queryByLabelText('Alias')).toBeNull()
})
