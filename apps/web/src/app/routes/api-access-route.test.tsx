import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import ApiAccessRoute from './api-access-route.tsx'

afterEach(cleanup)

test.each([
  ['/api-access', '/connect'],
  ['/api-access?prompt=21', '/connect?prompt=21'],
  ['/api-access?token=new', '/connect?token=new&of=read'],
  ['/api-access?token=931', '/connect?token=931'],
])('The addresses of the page before lead here, with what they asked for. (%s, %s)', (before, after) => {
  window.history.replaceState(null, '', before)
  render(<ApiAccessRoute />)
  expect(window.location.pathname + window.location.search).toBe(after)
})
