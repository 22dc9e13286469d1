import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeChain, makeListedChain } from '../../../testing/make-chain.ts'
import { makeRun } from '../../chains/testing/make-run.ts'
import ApiAccess from '../chain/api-access.tsx'
import {
  hookDetails,
  makeChainToken,
  makeDelivery,
  makeOwnToken,
  makeTokenRun,
} from '../testing/make-token.ts'
import { openTokens, stubClipboard } from '../testing/open-tokens.tsx'
import { hookCurl } from './hook-texts.ts'
import { inputFields } from './input-fields.ts'

const VALUE = 'cth_8Kd2aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
const HOOKS = 'GET /api/own-tokens?tokenType=hook'
const hook = makeOwnToken({
  id: 9,
  name: 'GitHub, portal',
  token: 'cth_8Kd2',
  tokenType: 'hook',
  chainId: 12,
})

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
  const chain = makeChain()
  return openTokens(<ApiAccess chain={chain} takesInput />, {
    'GET /api/tokens?chainId=12': () => Response.json([makeChainToken({ id: 9, tokenType: 'hook' })]),
    'GET /api/chains': () => Response.json([makeListedChain({ id: 12 })]),
    'GET /api/chains/12': () => Response.json(chain),
    'GET /api/own-tokens/9': () => Response.json(hookDetails()),
    'GET /api/own-tokens/9/deliveries': () => Response.json([]),
    'GET /api/tokens/9/executions': () => Response.json([]),
    ...answers,
  })
}

const address = () => within(screen.getByRole('region', { name: 'Own address' }))

test('A chain’s page makes an address of its own, which is shown once, and lists no secret.', async () => {
  const taken = stubClipboard()
  const written = open({
    [HOOKS]: [() => Response.json([]), () => Response.json([hook])],
    'POST /api/own-tokens': () => Response.json({ ...hookDetails(), token: VALUE }, { status: 201 }),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'New address' }))
  const form = within(await screen.findByRole('dialog', { name: 'Create Token' }))
  await userEvent.clear(form.getByLabelText('Token Name'))
  await userEvent.type(form.getByLabelText('Token Name'), 'GitHub, portal')
  expect(form.queryByLabelText('Secret')).toBeNull()
  await userEvent.click(form.getByRole('radio', { name: 'GitHub' }))
  await userEvent.type(form.getByLabelText('Secret'), 'hush')
  await userEvent.click(form.getByRole('button', { name: /^Create Token/ }))
  const shown = within(await screen.findByRole('dialog', { name: 'Your new token' }))
  expect(shown.getByText('This token will only be shown once. Copy it now!')).toBeTruthy()
  await userEvent.click(shown.getByRole('button', { name: 'Copy to Clipboard' }))
  await waitFor(() => expect(taken).toEqual([`${window.location.origin}/hooks/${VALUE}`]))
  await userEvent.click(shown.getByRole('button', { name: 'Done' }))
  expect(written).toMatchObject([
    {
      key: 'POST /api/own-tokens',
      body: {
        scopes: ['chain:12', 'hook'],
        signature: { form: 'github', secret: 'hush' },
        deliveryHeader: null,
        chainLabel: null,
      },
    },
  ])
  expect(await address().findByText('GitHub, portal')).toBeTruthy()
  expect(document.body.textContent).not.toContain(VALUE)
  expect(Object.values(localStorage).join()).not.toContain('hush')
})

test('An address shows how it is called, and a change keeps the secret that is set.', async () => {
  const taken = stubClipboard()
  const written = open({
    [HOOKS]: () => Response.json([hook, makeOwnToken({ id: 10, tokenType: 'hook', chainId: 13 })]),
    'GET /api/tokens/9/value': () => Response.json({ token: VALUE }),
    'PATCH /api/own-tokens/9': () => Response.json(hookDetails()),
  })
  expect(await screen.findByText(/^set by ada/)).toBeTruthy()
  expect(address().getByText(/openssl dgst/).textContent).toBe(hookCurl(hookDetails()))
  await userEvent.click(address().getAllByRole('button', { name: 'Copy' })[0] as HTMLElement)
  await waitFor(() => expect(taken).toEqual([`${window.location.origin}/hooks/${VALUE}`]))
  await userEvent.click(address().getByRole('button', { name: 'Change' }))
  const form = within(await screen.findByRole('dialog', { name: 'Edit Token' }))
  await userEvent.type(form.getByLabelText('Header of the delivery’s id'), 'X-Ticket')
  await userEvent.click(form.getByRole('button', { name: /Save Changes/ }))
  await waitFor(() =>
    expect(written).toMatchObject([
      { key: 'PATCH /api/own-tokens/9', body: { signature: { form: 'github' }, deliveryHeader: 'X-Ticket' } },
    ]),
  )
  expect(written[0]?.body).not.toHaveProperty('signature.secret')
})

test('Deliveries are listed with their runs, repeats and refusals, and open to what came in.', async () => {
  const input = '{"action": "opened", "issue": {"number": 1482, "labels": ["bug"], "of it": 1}}'
  open({
    [HOOKS]: () => Response.json([hook]),
    'GET /api/own-tokens/9/deliveries': () =>
      Response.json([
        makeDelivery(),
        makeDelivery({ id: 50, executionId: 411, repeats: 2 }),
        makeDelivery({
          id: 49,
          status: 401,
          reason: 'The signature is wrong',
          executionId: null,
          deliveryId: null,
        }),
      ]),
    'GET /api/tokens/9/executions': () =>
      Response.json([makeTokenRun({ id: 412, status: 'running' }), makeTokenRun({ id: 411 })]),
    'GET /api/executions/412': () => Response.json({ ...makeRun(), id: 412, input }),
  })
  const list = within(await screen.findByRole('region', { name: 'Deliveries' }))
  expect(await list.findByText('401, The signature is wrong')).toBeTruthy()
  expect(list.getByText(/same delivery × 2, not run again/)).toBeTruthy()
  expect(list.getByText('none')).toBeTruthy()
  expect(await list.findByText('running')).toBeTruthy()
  await userEvent.click(list.getByRole('button', { name: 'What came with run 412' }))
  expect(await list.findByText('{{input.issue.number}}')).toBeTruthy()
  expect(list.getByText('1482')).toBeTruthy()
  expect(list.getByText('{{input.issue.labels.0}}')).toBeTruthy()
  expect(list.getByText(/^JSON, \d+ bytes, 3 fields$/)).toBeTruthy()
})

test('what can’t be read says so, and is read again', async () => {
  open({ [HOOKS]: [() => Response.json({ error: 'Down' }, { status: 500 }), () => Response.json([])] })
  expect(await screen.findByText('The addresses could not be loaded')).toBeTruthy()
  await userEvent.click(address().getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText(/starts this chain by a POST/)).toBeTruthy()
})

test('fields of an input are those that references can take', () => {
  expect(inputFields('{"a": {"b": [1.5, null]}, "not one": 1, "c": "x"}')).toEqual([
    { path: '.a.b.0', value: '1.5' },
    { path: '.a.b.1', value: 'null' },
    { path: '.c', value: 'x' },
  ])
  expect([inputFields('text'), inputFields('42')]).toEqual([undefined, undefined])
})
