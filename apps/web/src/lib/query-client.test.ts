import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from './query-client.ts'

afterEach(() => vi.useRealTimers())

test('Reads do not retry, refetch on focus, poll or go stale, nor do shared writes retry. The history polls while a run goes on (deliberate).', async () => {
  vi.useFakeTimers()
  const client = createQueryClient()
  const fail = vi.fn(() => Promise.reject(new Error('boom')))
  const read = vi.fn(() => Promise.resolve('answer'))
  const stops = [
    new QueryObserver(client, { queryKey: ['fails'], queryFn: fail }).subscribe(() => undefined),
    new QueryObserver(client, { queryKey: ['answers'], queryFn: read }).subscribe(() => undefined),
  ]
  client.mount()
  await vi.advanceTimersByTimeAsync(86_400_000)
  window.dispatchEvent(new Event('visibilitychange'))
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(1000)
  expect([fail.mock.calls.length, read.mock.calls.length]).toEqual([1, 1])
  expect(
    client
      .getQueryCache()
      .find({ queryKey: ['answers'] })
      ?.isStale(),
  ).toBe(false)

  const write = vi.fn(() => Promise.reject(new Error('boom')))
  const mutation = client.getMutationCache().build(client, { mutationFn: write, meta: { failure: false } })
  await expect(mutation.execute(undefined)).rejects.toThrow('boom')
  expect(write).toHaveBeenCalledTimes(1)
  for (const stop of stops) stop()
  client.unmount()
})

test.each([true, false])(
  'What is asked for the first time while it changes is asked again. (shown: %s)',
  async (isShown) => {
    const client = createQueryClient()
    const replies = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
    const asked = vi.fn(() => replies[asked.mock.calls.length - 1]?.promise ?? 'too often')
    const options = { queryKey: ['run', 1], queryFn: asked }
    const stop = isShown ? new QueryObserver(client, options).subscribe(() => undefined) : undefined
    const ahead = isShown ? Promise.resolve('it has ended') : client.fetchQuery(options)
    const settled = client.invalidateQueries({ queryKey: ['run'] })
    replies[1]?.resolve('it has ended')
    replies[0]?.resolve('it is running')
    await settled
    await vi.waitFor(() => expect(client.getQueryData(['run', 1])).toBe('it has ended'))
    expect(await ahead).toBe('it has ended')
    expect(asked).toHaveBeenCalledTimes(2)
    stop?.()
  },
)
