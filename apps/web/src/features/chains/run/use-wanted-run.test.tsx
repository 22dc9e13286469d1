import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { RUN_CHAIN, useWantedRun } from './use-wanted-run.ts'

afterEach(() => {
  cleanup()
  window.history.replaceState(null, '', '/')
})

function Page({ ask }: { ask: () => void }) {
  useWantedRun(ask)
  return null
}

test('a person who came to run the chain runs it once; an address alone runs nothing', () => {
  const ask = vi.fn()
  window.history.replaceState(RUN_CHAIN, '', '/chains/12')
  render(<Page ask={ask} />)
  expect(ask).toHaveBeenCalledOnce()
  expect(window.history.state).toBeNull()
  cleanup()
  window.history.replaceState(null, '', '/chains/12?run=new')
  render(<Page ask={ask} />)
  expect(ask).toHaveBeenCalledOnce()
})
