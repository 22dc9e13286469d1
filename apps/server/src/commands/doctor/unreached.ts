import type { OwnAddressReply } from '../../platform/outbound/ask-own-address.ts'
import { type Finding, notAsked, problem } from './finding.ts'

const TLS = /CERT|ISSUER|SELF_SIGNED|ERR_TLS|ERR_SSL|EPROTO/
const NO_ANSWER_BEHIND = new Set([502, 503, 504])

interface Asked {
  url: URL
  isRunning: boolean
}

export function explainFailure(error: unknown, { url, isRunning }: Asked): Finding {
  const { code = '', name = '' } = (error instanceof Error ? error : {}) as { code?: string; name?: string }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return problem(
      `The name ${url.hostname} can’t be found`,
      'Add the name to your DNS, or correct PUBLIC_URL.',
    )
  if (TLS.test(code))
    return problem(
      `The certificate of ${url.origin} is not trusted, or it does not use TLS (${code})`,
      'Let the proxy send a complete certificate chain for this name. If you use your own authority, name its file in NODE_EXTRA_CA_CERTS for this command.',
    )
  if (!isRunning) return notAsked(`${url.origin} was not reached: start Catenary, then check again`)
  const how =
    name === 'TimeoutError' ? 'does not answer in time' : `can’t be reached from here (${code || name})`
  return problem(`${url.origin} ${how}`, 'Start the proxy, open the firewall to it, or correct PUBLIC_URL.')
}

export function explainReply(reply: OwnAddressReply, { url, isRunning }: Asked): Finding {
  const { status, headers, text } = reply
  const location = [headers.location ?? []].flat()[0]
  if (status >= 300 && status < 400 && location !== undefined) return explainRedirect({ url, location })
  if (status === 421)
    return problem(
      `Catenary is called by a different name there. ${text.split('\n', 1)[0]}`,
      'Let the proxy pass on the Host header (nginx: proxy_set_header Host $host), or add the name to ALLOWED_HOSTS.',
    )
  if (status === 429) return notAsked('Catenary had too many requests this minute: try again in the next')
  if (status === 401 || status === 403)
    return problem(
      `${url.origin} has its own sign-in (${status})`,
      'Let the proxy leave sign-in to Catenary, or keep it, in which case programs can’t call Catenary.',
    )
  if (NO_ANSWER_BEHIND.has(status) && !isRunning)
    return notAsked(
      `The proxy at ${url.origin} answers, but Catenary is not running: start it, then check again`,
    )
  if (NO_ANSWER_BEHIND.has(status))
    return problem(
      `The proxy at ${url.origin} does not reach Catenary (${status})`,
      'Let the proxy pass calls to Catenary’s HOST and PORT.',
    )
  return problem(
    `Something other than this Catenary answers at ${url.origin} (${status}, ${String(headers['content-type'] ?? 'no content type')})`,
    'Correct PUBLIC_URL, or the address that the proxy passes calls to.',
  )
}

function explainRedirect({ url, location }: { url: URL; location: string }): Finding {
  const target = URL.canParse(location, url) ? new URL(location, url) : undefined
  const isSecured =
    target?.protocol === 'https:' && url.protocol === 'http:' && target.hostname === url.hostname
  if (isSecured)
    return problem(
      `${url.origin} redirects to ${target.origin}: cookies and origins follow PUBLIC_URL, so sign-in fails`,
      `Set PUBLIC_URL=${target.origin}`,
    )
  return problem(
    `${url.origin} redirects to ${target?.origin ?? location}`,
    'Set PUBLIC_URL to the address at which Catenary itself answers.',
  )
}
