import { createOutbound, OutboundError } from '../../platform/outbound/outbound.ts'
import { HOSTILE_URLS, ORDINARY_URLS, toRedirect } from './hostile-hosts.ts'
import { createHostileNames, toNamedUrl } from './hostile-names.ts'
import { startListener, type Tries } from './listener.ts'

/** The results of the tries with and without the guard. */
export type FetchTextTries = Record<'unguarded' | 'guarded' | 'named' | 'redirected' | 'ordinary', Tries>

const listener = await startListener()
const outbound = createOutbound({
  allowHosts: ['10.0.0.5', '10.0.0.6:8080', 'wiki.internal'],
  resolve: createHostileNames(),
})

const unguarded = async (url: string) => (await fetch(url, { signal: AbortSignal.timeout(2000) })).text()
const guarded = (url: string) =>
  outbound.fetchText({ url }).then(
    ({ text }) => text,
    (error: unknown) => (error instanceof OutboundError ? error.code : String(error)),
  )

const secure = HOSTILE_URLS.map((url) => url.replace('http:', 'https:'))
const tries: FetchTextTries = {
  unguarded: await listener.tryEach(HOSTILE_URLS, unguarded),
  guarded: await listener.tryEach([...HOSTILE_URLS, ...secure], guarded),
  named: await listener.tryEach(HOSTILE_URLS.map(toNamedUrl), guarded),
  redirected: await listener.tryEach(HOSTILE_URLS.map(toRedirect), guarded),
  ordinary: await listener.tryEach(ORDINARY_URLS, guarded),
}
process.stdout.write(JSON.stringify(tries))
