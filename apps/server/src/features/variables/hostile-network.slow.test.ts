import { beforeAll, describe, expect, test } from 'vitest'
import { createDataDirectory } from '../../testing/database.ts'
import { HOSTILE_URLS } from '../../testing/hostile-network/hostile-hosts.ts'
import { PUBLIC_ADDRESS } from '../../testing/hostile-network/hostile-names.ts'
import { REACHED } from '../../testing/hostile-network/listener.ts'
import { runInPrivateNetwork } from '../../testing/hostile-network/private-network.ts'
import type { ProductTries } from '../../testing/hostile-network/product.program.ts'

const PROGRAM = new URL('../../testing/hostile-network/product.program.ts', import.meta.url)
const TIMEOUT_MS = 240_000
const PUBLIC = `${PUBLIC_ADDRESS} 80`
const REFUSAL = 'This address is not allowed: it is not on the public internet'
const refused = (error: string, hits: string[] = []) => ({ outcome: error, hits })

describe('where every address there is leads to this machine', () => {
  let tries: ProductTries
  beforeAll(async () => {
    tries = (await runInPrivateNetwork(PROGRAM, [await createDataDirectory()])) as ProductTries
  }, TIMEOUT_MS)

  test.each(HOSTILE_URLS)(
    'an API variable of %s is refused by proxy, trial, content and preview, and not reached',
    (url) => {
      expect(tries.proxy[url]).toEqual(refused(`400 ${JSON.stringify({ error: REFUSAL })}`))
      expect(tries.trial[url]).toEqual(refused(`400 ${JSON.stringify({ error: REFUSAL })}`))
      expect(tries.content[url]).toEqual(refused(`200 ${JSON.stringify({ error: REFUSAL })}`))
      const preview = `Error loading content: ${REFUSAL}`
      expect(tries.preview[url]).toEqual(refused(`200 ${JSON.stringify({ preview, error: REFUSAL })}`))
    },
  )

  test.each(['prompt', 'chain'] as const)(
    'a %s that refers to all of them runs with an error for each',
    (run) => {
      const { errors, hits, text } = tries[run]
      expect(errors).toEqual(Object.fromEntries(HOSTILE_URLS.map((url) => [url, REFUSAL])))
      expect(text).not.toContain(REFUSAL)
      expect(text).not.toContain(REACHED)
      expect(hits).toEqual([])
    },
  )

  test('names with such addresses are refused, and redirects to them', () => {
    expect(Object.keys(tries.named).length).toBeGreaterThan(60)
    expect(Object.keys(tries.redirected)).toHaveLength(HOSTILE_URLS.length)
    const error = `400 ${JSON.stringify({ error: REFUSAL })}`
    for (const [url, tried] of Object.entries(tries.named)) expect(tried, url).toEqual(refused(error))
    for (const [url, tried] of Object.entries(tries.redirected)) {
      expect(tried, url).toEqual(refused(error, [PUBLIC]))
    }
  })

  test('a name that turns private after its first use is refused then', () => {
    const reached = Object.entries(tries.ordinary).filter(([url]) => url.includes('rebinding.test'))
    expect(reached.map(([, { outcome, hits }]) => [outcome.slice(0, 3), hits])).toEqual([
      ['400', [PUBLIC]],
      ['400', []],
    ])
  })

  test('public addresses and exactly the hosts of FETCH_ALLOW_HOSTS are fetched', () => {
    const ordinary = Object.entries(tries.ordinary).filter(([url]) => !url.includes('rebinding.test'))
    const fetched = ordinary.filter(
      ([, { outcome }]) => outcome.startsWith('200') && outcome.includes(REACHED),
    )
    expect(fetched.map(([url]) => url)).toEqual([
      ...[`http://${PUBLIC_ADDRESS}/`, 'http://[2606:4700::1111]/'],
      `http://${PUBLIC_ADDRESS}/?to=http%3A%2F%2F198.51.99.1%2F`,
      ...['http://10.0.0.5/', 'http://10.0.0.6:8080/', 'http://wiki.internal/'],
    ])
    const others = ordinary.filter((one) => !fetched.includes(one))
    expect(others).toHaveLength(4)
    for (const [url, tried] of others) {
      expect(tried, url).toEqual(refused(`400 ${JSON.stringify({ error: REFUSAL })}`))
    }
  })
})
