import type { ChainStep, HttpTool, SealedStep, StepTool } from '@catenary/contracts'
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { makeChain } from '../../../../testing/make-chain.ts'
import { makeToolStep } from '../../testing/make-tool-step.ts'
import { show } from '../../testing/show.tsx'
import { stubChainApi, writesOf } from '../../testing/stub-chain-api.ts'
import { ActsAsBadge, SealedState } from './sealed-state.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const toolOf = (fields: object): StepTool => ({
  ...(makeToolStep().tool as HttpTool),
  headers: [{ name: 'Authorization', sealed: true }],
  ...fields,
})
const step: ChainStep = makeToolStep({ tool: toolOf({ url: 'https://shop.example.org/v1/thief' }) })
const SET_AT = '2026-11-30T10:00:00.000Z'
const sealed = (fields: Partial<SealedStep>): SealedStep => ({
  owner: 'ada',
  parts: [{ kind: 'header', name: 'Authorization', setAt: SET_AT }],
  rests: false,
  allowed: null,
  ...fields,
})
const PATH = '/api/chains/12/steps/2'

function showState(state: SealedStep, answers: Parameters<typeof stubChainApi>[0] = {}) {
  const sent = stubChainApi({ [`GET ${PATH}/sealed`]: () => Response.json(state), ...answers })
  const chain = makeChain({ owner: state.owner })
  show(
    <>
      <ActsAsBadge chain={chain} step={step} />
      <SealedState chain={chain} step={step} />
    </>,
  )
  return sent
}

test('The owner sees what somebody else changed of a call with a sealed part, and allows it as it was seen.', async () => {
  const allowed = { tool: toolOf({ url: 'https://shop.example.org/v1/orders' }), forEach: null }
  const sent = showState(sealed({ rests: true, allowed }), {
    [`POST ${PATH}/allow`]: () => Response.json(sealed({})),
  })
  await screen.findByRole('region', { name: 'Changed call' })
  expect(screen.getByText('https://shop.example.org/v1/orders').tagName).toBe('DEL')
  expect(screen.getByText('https://shop.example.org/v1/thief').tagName).toBe('INS')
  await userEvent.click(screen.getByRole('button', { name: 'Allow the call' }))
  expect(await screen.findByText('Call allowed')).toBeTruthy()
  expect(writesOf(sent)).toEqual([{ key: `POST ${PATH}/allow`, body: { revision: 4 } }])
})

test('Others are told whose credential acts and for whom a changed call waits, and may allow nothing.', async () => {
  showState(sealed({ owner: 'zoe', rests: true }))
  expect(await screen.findByText(/until zoe allows it/)).toBeTruthy()
  expect(screen.getByText('Acts with zoe’s credential')).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})

test('A sealed part without a value is named on the card.', async () => {
  showState(sealed({ parts: [{ kind: 'header', name: 'Authorization', setAt: null }] }))
  expect(await screen.findByText(/^Header Authorization has no value/)).toBeTruthy()
})
