import { expect, test, vi } from 'vitest'

/** Longer than each of these waits is told to last. */
const ON_ITS_WAY_MS = 1_500

const soon = () => {
  const from = performance.now()
  return () => performance.now() - from >= ON_ITS_WAY_MS
}

test('a wait ends by what it waits for, however short its own limit', async () => {
  const [first, second, third, fourth] = [soon(), soon(), soon(), soon()]
  await Promise.all([
    vi.waitFor(() => expect(first()).toBe(true)),
    vi.waitFor(() => expect(second()).toBe(true), 10),
    expect.poll(third).toBe(true),
    expect.poll(fourth, { timeout: 10, interval: 10 }).toBe(true),
  ])
})
