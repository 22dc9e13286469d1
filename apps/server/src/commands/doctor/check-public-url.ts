import { addressOf, STREAM_CHECK_GAP_MS, type StreamCheckEvent, streamCheckEvent } from '@catenary/contracts'
import { askOwnAddress, type OwnAddressReply } from '../../platform/outbound/ask-own-address.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { type Finding, ok, problem, warning } from './finding.ts'
import { explainFailure, explainReply } from './unreached.ts'

const TIMEOUT_MS = 10_000
/** The size of the test upload: a little less than the largest that is accepted. */
const UPLOAD_BYTES = 4_000_000
/** By then a forwarded event has arrived, even over a slow line. */
const TOGETHER_MS = STREAM_CHECK_GAP_MS / 2

export interface CheckedPublicUrl {
  findings: Finding[]
  aheadMs?: number
}

export async function checkPublicUrl(
  { publicUrl, host, trustProxy }: Pick<Settings, 'publicUrl' | 'host' | 'trustProxy'>,
  { isRunning }: { isRunning: boolean },
): Promise<CheckedPublicUrl> {
  const url = new URL(addressOf('GET /api/stream-check', {}), publicUrl)
  const ahead = [...checkAddress({ url, host })]
  let reply: OwnAddressReply
  try {
    reply = await askOwnAddress({ url, headers: { authorization: 'Bearer doctor' }, timeoutMs: TIMEOUT_MS })
  } catch (error) {
    return { findings: [...ahead, explainFailure(error, { url, isRunning })] }
  }
  const events = readEvents(reply)
  if (reply.status !== 200 || events === undefined)
    return { findings: [...ahead, explainReply(reply, { url, isRunning })] }
  const [, arrived] = events
  const findings = [
    ...ahead,
    ok(`Catenary answers at ${url.origin}`),
    checkGap(events),
    checkForwarding({ event: arrived.event, trustProxy }),
    arrived.event.authorization
      ? ok('The Authorization header, which programs use, arrives')
      : problem(
          'The Authorization header, which programs use, does not arrive',
          'Let the proxy pass on the Authorization header.',
        ),
    await checkUpload(publicUrl),
  ]
  const aheadMs = readClock(reply)
  return aheadMs === undefined ? { findings } : { findings, aheadMs }
}

function* checkAddress({ url, host }: { url: URL; host: string }): Generator<Finding> {
  const isHere = url.hostname === 'localhost' || url.hostname.startsWith('127.')
  if (isHere && (host === '0.0.0.0' || host === '::'))
    yield warning(
      `HOST is open to the network, but PUBLIC_URL is ${url.hostname}`,
      'Set PUBLIC_URL to the address that people type, such as https://catenary.example.org.',
    )
  if (!isHere && url.protocol === 'http:')
    yield warning(
      `${url.origin} is not encrypted, so passwords can be read in transit; deploy/proxy shows how to add TLS`,
    )
}

interface Arrived {
  event: StreamCheckEvent
  at: number
}

/** Both events, each with the arrival time of the chunk that completed it; undefined for any other reply. */
function readEvents({ pieces }: OwnAddressReply): [Arrived, Arrived] | undefined {
  let text = ''
  const arrived: Arrived[] = []
  for (const piece of pieces) {
    text += piece.text
    const whole = [...text.matchAll(/^event: (?:first|second)\ndata: (.*)\n\n/gm)].slice(arrived.length)
    for (const [, data = ''] of whole) {
      const event = parseEvent(data)
      if (event !== undefined) arrived.push({ event, at: piece.at })
    }
  }
  const [first, second] = arrived
  return first === undefined || second === undefined ? undefined : [first, second]
}

function parseEvent(data: string): StreamCheckEvent | undefined {
  try {
    return streamCheckEvent.parse(JSON.parse(data))
  } catch {
    return undefined
  }
}

function checkGap([first, second]: [Arrived, Arrived]): Finding {
  const gap = Math.round(second.at - first.at)
  if (gap >= TOGETHER_MS) return ok(`Streams arrive as they are written: two events came ${gap} ms apart`)
  return problem(
    `Something on the way holds streams back: two events written ${STREAM_CHECK_GAP_MS} ms apart arrived together, ` +
      'so answers appear only once they are complete',
    'Let the proxy pass on streams as they come (nginx: proxy_buffering off; and no proxy_ignore_headers X-Accel-Buffering): see deploy/proxy.',
  )
}

function checkForwarding({
  event: { forwarded, believed },
  trustProxy,
}: {
  event: StreamCheckEvent
  trustProxy: Settings['trustProxy']
}): Finding {
  const trusts = trustProxy !== 0
  if (forwarded === 0 && !trusts) return ok('No proxy sends visitors’ addresses, and none is trusted')
  if (forwarded === 0)
    return warning(
      'TRUST_PROXY trusts X-Forwarded-For, but none came this way: anyone who reaches the port could send one',
      'Let the proxy set X-Forwarded-For, or set TRUST_PROXY=off if there is no proxy.',
    )
  if (forwarded === believed) return ok('The proxy sends visitors’ addresses, and TRUST_PROXY trusts it')
  const setting = forwarded === 1 ? 'on' : String(forwarded)
  return warning(
    `${forwarded} proxies send visitors’ addresses, but TRUST_PROXY trusts ${believed}: all visitors share the limits of one`,
    `Set TRUST_PROXY=${setting}, or to the networks of the proxies.`,
  )
}

/** A stranger's upload is refused by Catenary with 401, once it has arrived. */
async function checkUpload(publicUrl: string): Promise<Finding> {
  const url = new URL(addressOf('POST /api/upload', {}), publicUrl)
  const body = JSON.stringify({ fileName: 'doctor.txt', content: 'x'.repeat(UPLOAD_BYTES) })
  const reply = await askOwnAddress({ url, body, timeoutMs: TIMEOUT_MS }).catch(() => undefined)
  const isOurs = String(reply?.headers['content-type']).startsWith('application/json')
  if (isOurs && reply?.status !== 413) return ok('The largest upload gets through')
  return problem(
    `An upload of ${UPLOAD_BYTES / 1e6} MB does not get through (${reply === undefined ? 'the connection was cut' : reply.status})`,
    'Let the proxy pass 5 MB (nginx: client_max_body_size 5m): see deploy/proxy.',
  )
}

/** The header has whole seconds, cut off. */
function readClock({ headers, pieces }: OwnAddressReply): number | undefined {
  const date = Date.parse(String(headers.date))
  if (Number.isNaN(date)) return undefined
  const sinceAnswerMs = (pieces.at(-1)?.at ?? 0) - (pieces[0]?.at ?? 0)
  return date + 500 - (Date.now() - Math.max(sinceAnswerMs, STREAM_CHECK_GAP_MS))
}
