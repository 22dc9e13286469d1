import { expect, test } from 'vitest'
import { ApiError, ConnectionError, RequestTimeoutError } from '../../lib/errors.ts'
import { ConnectionLostError, failureOf, RunFailedError } from './run-failure.ts'

test.each([
  ['The quota or rate limit of Claude is used up (402).', 'API Quota Exceeded'],
  ['Your budget of $2.00 a month is spent.', 'Budget spent'],
  ['Too many requests: 429', 'API Quota Exceeded'],
  ['API key not configured for openai. Set OPENAI_API_KEY.', 'API Key Error'],
  ['Upstream said 401', 'API Key Error'],
  ['Claude is not available at the moment (503).', 'Error executing prompt'],
])(
  'A failed run is called ‘API Quota Exceeded’ for quota or 429, ‘API Key Error’ for an API key or 401, else ‘Error executing prompt’. (%s, %s)',
  (text, title) => {
    expect(failureOf(new RunFailedError(text))).toMatchObject({ title, reason: text })
  },
)

test('A quota failure says to check the plan or try later.', () => {
  expect(failureOf(new RunFailedError('429')).advice).toMatch(
    /^The service quota is exceeded\. Check your plan or retry later/,
  )
})

test('a refused request is named by its status too, and explained in the server’s words', () => {
  expect(failureOf(new ApiError({ status: 429, text: 'Slow down' }))).toMatchObject({
    title: 'API Quota Exceeded',
    reason: 'Slow down',
  })
})

test('The session’s own 401 says Authentication Required (deliberate).', () => {
  expect(failureOf(new ApiError({ status: 401, text: 'Not signed in' })).title).toBe(
    'Authentication Required',
  )
})

test.each([new ConnectionLostError(), new ConnectionError('cut')])(
  'a lost connection says so: %s',
  (error) => {
    expect(failureOf(error)).toMatchObject({
      title: 'Error executing prompt',
      reason: 'The connection was lost before the answer was complete.',
    })
  },
)

test('a silence of 20 seconds says so', () => {
  expect(failureOf(new RequestTimeoutError(20_000)).reason).toBe(
    'Request timeout: no answer within 20 seconds',
  )
})

test('a private name that nobody was shown is named, with what to do', () => {
  const body = {
    error: 'Allow it',
    code: 'private_values',
    details: [{ name: 'client' }, { name: 'client' }],
  }
  const failure = failureOf(new ApiError({ status: 409, text: 'Allow it', body }))
  expect(failure).toMatchObject({ title: 'Yours, private: client', reason: 'Allow it' })
  expect(failure.advice).toMatch(/^Reload the page/)
})
