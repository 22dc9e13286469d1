import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeChain } from '../../testing/make-chain.ts'
import { ChainLoader } from './chain-loader.tsx'
import { ChainPage } from './chain-page.tsx'
import { show } from './testing/show.tsx'
import { stubChainApi } from './testing/stub-chain-api.ts'

beforeEach(() => {
  window.history.replaceState(null, '', '/chains/12')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('the names of a chain and its steps have the direction of their writing, read or edited', async () => {
  const chain = makeChain({ name: 'סיכום שבועי', canEdit: false })
  stubChainApi({ 'GET /api/chains/12': () => Response.json(chain) })
  show(
    <ChainLoader
      id={12}
      render={(shown) => (
        <ChainPage
          chain={shown}
          renderApiAccess={() => null}
          onDeleted={() => undefined}
          onDuplicated={() => undefined}
        />
      )}
    />,
  )
  const directionOf = (element: HTMLElement) =>
    (element.querySelector('[dir]') ?? element.closest('[dir]'))?.getAttribute('dir')
  expect(directionOf(await screen.findByRole('heading', { name: 'סיכום שבועי', level: 1 }))).toBe('auto')
  const steps = await screen.findAllByRole('heading', { level: 2 })
  expect(steps.map(directionOf)).toEqual(['auto', 'auto', 'auto'])
  await userEvent.click(screen.getByRole('button', { name: 'Collect' }))
  expect(directionOf(await screen.findByRole('heading', { name: 'Collect' }))).toBe('auto')
})
