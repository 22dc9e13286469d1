import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { ApiError, ConnectionError, RequestTimeoutError } from '../lib/errors.ts'
import { MissingPartError } from '../lib/parts.ts'
import { ErrorState } from './error-state.tsx'

afterEach(cleanup)

const help = () => screen.queryByRole('link')?.getAttribute('href') ?? null
const NO_ANSWER = '/docs/when-something-goes-wrong#the-server-does-not-answer'

test('Help for a server that does not answer is offered where one did not, and not for a fault of the page.', () => {
  render(<ErrorState error={new TypeError('crypto.randomUUID is not a function')} isThrown />)
  expect(screen.getByText('crypto.randomUUID is not a function')).toBeTruthy()
  expect(help()).toBeNull()
})

test.each([
  new MissingPartError(new Error('gone')),
  new RequestTimeoutError(1),
  new ApiError({ status: 502, text: 'away', body: undefined }),
])('what a page could not fetch while it was drawn is: %s', (error) => {
  render(<ErrorState error={error} isThrown />)
  expect(help()).toBe(NO_ANSWER)
})

test('so is a call of a list that was cut', () => {
  render(<ErrorState error={new ConnectionError('cut')} />)
  expect(help()).toBe(NO_ANSWER)
})
