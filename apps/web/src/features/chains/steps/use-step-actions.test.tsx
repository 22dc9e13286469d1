import type { Chain } from '@catenary/contracts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeChain } from '../../../testing/make-chain.ts'
import { ChainLoader } from '../chain-loader.tsx'
import { show } from '../testing/show.tsx'
import { stubChainApi, writesOf } from '../testing/stub-chain-api.ts'
import { useStepActions } from './use-step-actions.ts'

beforeEach(() => {
  // What jsdom lacks of a browser and a toast asks for.
  Element.prototype.hasPointerCapture = () => false
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function Line({ chain }: { chain: Chain }) {
  const { actions } = useStepActions({
    chain,
    show: () => undefined,
    showElse: () => undefined,
    showPreview: () => undefined,
  })
  const [first] = chain.steps
  return (
    <>
      <output>{chain.steps.map(({ title }) => title).join(', ')}</output>
      <button type="button" onClick={() => first && actions.move(first, 1)}>
        Move the first
      </button>
    </>
  )
}

function inOrder(ids: number[], revision: number): Response {
  const { steps, ...chain } = makeChain({ revision })
  return Response.json({ ...chain, steps: ids.flatMap((id) => steps.filter((step) => step.id === id)) })
}

test('Undo in the toast reverts an order of steps (D54).', async () => {
  const sent = stubChainApi({
    'GET /api/chains/12': [
      () => inOrder([1, 2, 3], 4),
      () => inOrder([2, 1, 3], 5),
      () => inOrder([1, 2, 3], 6),
    ],
    'POST /api/chains/12/reorder-steps': [() => inOrder([2, 1, 3], 5), () => inOrder([1, 2, 3], 6)],
  })
  show(<ChainLoader id={12} render={(chain) => <Line chain={chain} />} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Move the first' }))
  await waitFor(() => expect(screen.getByText('Count, Collect, Write')).toBeTruthy())
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('The earlier order is back.')).toBeTruthy()
  await waitFor(() => expect(screen.getByText('Collect, Count, Write')).toBeTruthy())
  expect(writesOf(sent).map(({ body }) => body)).toEqual([
    { stepIds: [2, 1, 3], revision: 4 },
    { stepIds: [1, 2, 3], revision: 5 },
  ])
})
