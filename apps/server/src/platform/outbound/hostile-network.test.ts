import { beforeAll, describe, expect, test } from 'vitest'
import type { FetchTextTries } from '../../testing/hostile-network/fetch-text.program.ts'
import { HOSTILE_URLS, UNREACHABLE_URLS } from '../../testing/hostile-network/hostile-hosts.ts'
import { PUBLIC_ADDRESS } from '../../testing/hostile-network/hostile-names.ts'
import { REACHED } from '../../testing/hostile-network/listener.ts'
import { runInPrivateNetwork } from '../../testing/hostile-network/private-network.ts'

const PUBLIC = `${PUBLIC_ADDRESS} 80`
const PROGRAM = new URL('../../testing/hostile-network/fetch-text.program.ts', import.meta.url)

describe('where every address there is leads to this machine', () => {
  let tries: FetchTextTries
  beforeAll(async () => {
    tries = (await runInPrivateNetwork(PROGRAM)) as FetchTextTries
  })

  const reached = HOSTILE_URLS.filter((url) => !UNREACHABLE_URLS.has(url))

  test.each(reached)('without the guard %s is reached', (url) => {
    expect(tries.unguarded[url]).toEqual({ outcome: REACHED, hits: [expect.stringMatching(/ 80$/)] })
  })

  test.each(HOSTILE_URLS)(
    'More than 60 hostile addresses reach nothing by fetch, proxy, content, preview, prompt or chain, where each of them would answer. (%s)',
    (url) => {
      expect(tries.guarded[url]).toEqual({ outcome: 'blocked', hits: [] })
      expect(tries.guarded[url.replace('http:', 'https:')]).toEqual({ outcome: 'blocked', hits: [] })
    },
  )

  test('nor by a name with such an address', () => {
    expect(Object.keys(tries.named).length).toBeGreaterThan(60)
    for (const [url, tried] of Object.entries(tries.named)) {
      expect(tried, url).toEqual({ outcome: 'blocked', hits: [] })
    }
  })

  test('nor by a redirect from a public address', () => {
    expect(Object.keys(tries.redirected)).toHaveLength(HOSTILE_URLS.length)
    for (const [url, tried] of Object.entries(tries.redirected)) {
      expect(tried, url).toEqual({ outcome: 'blocked', hits: [PUBLIC] })
    }
  })

  test('nor by a name that turns private after its first use', () => {
    const { ordinary } = tries
    expect(ordinary['http://rebinding.test/?to=http://rebinding.test/inner']).toEqual({
      outcome: 'blocked',
      hits: [PUBLIC],
    })
    expect(ordinary['http://rebinding.test/']).toEqual({ outcome: 'blocked', hits: [] })
  })

  test('public addresses and exactly the allowed hosts are reached', () => {
    const hits = Object.entries(tries.ordinary).filter(([url]) => !url.includes('rebinding'))
    expect(Object.fromEntries(hits.map(([url, tried]) => [url, tried.hits]))).toEqual({
      [`http://${PUBLIC_ADDRESS}/`]: [PUBLIC],
      'http://[2606:4700::1111]/': ['2606:4700::1111 80'],
      [`http://${PUBLIC_ADDRESS}/?to=http%3A%2F%2F198.51.99.1%2F`]: [PUBLIC, '198.51.99.1 80'],
      'http://10.0.0.5/': ['10.0.0.5 80'],
      'http://10.0.0.5:8080/': [],
      'http://10.0.0.6/': [],
      'http://10.0.0.6:8080/': ['10.0.0.6 8080'],
      'http://10.0.0.7/': [],
      'http://wiki.internal/': ['10.0.0.7 80'],
      'http://wiki.internal:8080/': [],
    })
    for (const [url, tried] of hits)
      expect(tried.outcome, url).toBe(tried.hits.length > 0 ? REACHED : 'blocked')
  })
})
