import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { bestDetails, makeBestToken, makeOffer, makeSelection } from '../testing/make-token.ts'
import { openTokens } from '../testing/open-tokens.tsx'
import BestChainSection from './best-chain-section.tsx'

const LIST = 'GET /api/best-tokens'
const OFFERS = 'GET /api/chain-offers'
const ACCEPT = 'POST /api/chain-acceptances'

beforeEach(() => {
  localStorage.clear()
  window.history.replaceState(null, '', '/chains')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const json = (body: unknown, status = 200) => Response.json(body, { status })
const done = () => new Response(null, { status: 204 })
const mine = makeOffer({
  chainId: 52,
  chainName: 'Travel plan',
  via: 'share',
  owner: 'root',
  ownerIsAdmin: true,
})
const acceptedAt = '2026-11-21T09:00:00.000Z'

function open(answers: Parameters<typeof openTokens>[1]) {
  return openTokens(<BestChainSection />, {
    [LIST]: () => json([makeBestToken()]),
    'GET /api/own-tokens/8': () => json(bestDetails()),
    'GET /api/best-selections?limit=20': () => json([]),
    ...answers,
  })
}

const edit = async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Front desk' }))
  return within(await screen.findByRole('dialog', { name: 'Edit Best Chain API Token' }))
}

test('The form of a token offers others’ chains with whose they are; one press accepts, another removes (D60).', async () => {
  const asked = { kind: 'prompt' as const, id: 7, name: 'client' }
  const offered = [makeOffer({ asksToFill: [{ ...asked, title: 'House style', by: 'ines' }] }), mine]
  const accepted = [makeOffer({ acceptedAt }), mine]
  const written = open({
    [OFFERS]: [() => json(offered), () => json(accepted), () => json(offered)],
    [ACCEPT]: [() => json({ error: 'Busy' }, 500), done],
    'DELETE /api/chain-acceptances/51': done,
  })
  const form = await edit()
  expect(await form.findByText('2 chains offered')).toBeTruthy()
  expect(form.queryByText('ines, public')).toBeNull()
  await userEvent.click(form.getByRole('button', { name: '2 chains offered' }))
  expect(form.getByText('ines, public')).toBeTruthy()
  expect(form.getByText('root (administrator), shared with you')).toBeTruthy()
  const press = (name: string) => userEvent.click(form.getByRole('button', { name }))
  await press('Accept Contract check')
  expect(await screen.findByText('Error changing chains')).toBeTruthy()
  await press('Accept Contract check')
  expect(await form.findByText('1 chain offered, 1 accepted')).toBeTruthy()
  await press('Remove Contract check')
  expect(await form.findByText('2 chains offered')).toBeTruthy()
  expect(written.map(({ key, body }) => [key, body])).toEqual([
    [ACCEPT, { chainIds: [51], fills: [asked] }],
    [ACCEPT, { chainIds: [51], fills: [asked] }],
    ['DELETE /api/chain-acceptances/51', undefined],
  ])
})

test('an accepted chain says at which step its runs stop; one press allows it, and accepting alone does not', async () => {
  const ask = {
    ...{ destination: 'ask: ana#7', chainId: 51, position: 2, title: 'Approve', kind: 'ask' as const },
    ...{ people: ['ana'], groups: [], role: null },
  }
  const offered = makeOffer({ asksToSend: [ask] })
  const accepted = { ...offered, acceptedAt, fills: [], sends: [] }
  const written = open({
    [OFFERS]: [() => json([offered]), () => json([accepted]), () => json([{ ...accepted, asksToSend: [] }])],
    [ACCEPT]: done,
  })
  const form = await edit()
  await userEvent.click(await form.findByRole('button', { name: '1 chain offered' }))
  await userEvent.click(form.getByRole('button', { name: 'Accept Contract check' }))
  const row = (await form.findByText('accepted')).closest('li')
  expect(row?.textContent).toContain('Stops at “Approve”: it would show your private values to ana')
  await userEvent.click(form.getByRole('button', { name: 'Allow private values in Contract check' }))
  const sends = [{ chainId: 51, destination: ask.destination }]
  await vi.waitFor(() =>
    expect(written.map(({ body }) => body)).toEqual([
      { chainIds: [51], fills: [] },
      { chainIds: [51], fills: [], sends },
    ]),
  )
})

test('many are searched by their names and people; chosen chains need no offers', async () => {
  const many = Array.from({ length: 9 }, (_, index) =>
    makeOffer({ chainId: 60 + index, chainName: `Chain ${index}`, owner: index === 4 ? 'oskar' : 'ines' }),
  )
  open({ [OFFERS]: () => json(many) })
  const form = await edit()
  await userEvent.click(await form.findByRole('button', { name: '9 chains offered' }))
  await userEvent.type(form.getByLabelText('Search chains of others'), 'oskar')
  const list = within(form.getByRole('region', { name: 'Chains of others' }))
  expect(list.getAllByRole('listitem')).toHaveLength(1)
  await userEvent.type(form.getByLabelText('Search chains of others'), 'x')
  expect(list.getByText('No chain or person has that name.')).toBeTruthy()
  await userEvent.click(form.getByRole('checkbox', { name: 'Include all my accessible chains' }))
  expect(form.queryByRole('region', { name: 'Chains of others' })).toBeNull()
})

test('a failed load is retried; an empty list says so', async () => {
  open({ [OFFERS]: [() => json({ error: 'Down' }, 500), () => json([])] })
  const form = await edit()
  expect(await form.findByText(/^Others’ chains could not be loaded/)).toBeTruthy()
  await userEvent.click(form.getByRole('button', { name: 'Try again' }))
  expect(await form.findByText('Nobody shares a chain with you yet.')).toBeTruthy()
})

test('choices outlive their token, under its name', async () => {
  open({
    [LIST]: () => json([]),
    [OFFERS]: () => json([]),
    'GET /api/best-selections?limit=20': () =>
      json([makeSelection({ tokenId: null, tokenName: 'Old desk' })]),
  })
  expect(await screen.findByText('Old desk (deleted)')).toBeTruthy()
})
