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
      `The certificate of ${url.origin} is not trusted, or no TLS is spoken there (${code})`,
      'Have the proxy show a whole chain of a certificate for this name; one of your own authority: NODE_EXTRA_CA_CERTS names its file for this command.',
    )
  if (!isRunning) return notAsked(`${url.origin} was not reached: start Catenary, and ask again`)
  const how =
    name === 'TimeoutError' ? 'does not answer in time' : `can’t be reached from here (${code || name})`
  return problem(`${url.origin} ${how}`, 'Start the proxy, open the way to it, or correct PUBLIC_URL.')
}

export function explainReply(reply: OwnAddressReply, { url, isRunning }: Asked): Finding {
  const { status, headers, text } = reply
  const location = [headers.location ?? []].flat()[0]
  if (status >= 300 && status < 400 && location !== undefined) return explainRedirect({ url, location })
  if (status === 421)
    return problem(
      `Catenary is asked by another name there. ${text.split('\n', 1)[0]}`,
      'Have the proxy pass the Host header on (nginx: proxy_set_header Host $host), or name it in ALLOWED_HOSTS.',
    )
  if (status === 429) return notAsked('Catenary was asked too often in this minute: ask again in the next')
  if (status === 401 || status === 403)
    return problem(
      `${url.origin} asks for a sign-in of its own (${status})`,
      'Let the proxy leave sign-in to Catenary, or keep it and expect that programs can not call.',
    )
  if (NO_ANSWER_BEHIND.has(status) && !isRunning)
    return notAsked(`The proxy at ${url.origin} answers, and Catenary does not run: start it, and ask again`)
  if (NO_ANSWER_BEHIND.has(status))
    return problem(
      `The proxy at ${url.origin} does not reach Catenary (${status})`,
      'Have the proxy pass calls to HOST and PORT of Catenary.',
    )
  return problem(
    `What answers at ${url.origin} is not this Catenary (${status}, ${String(headers['content-type'] ?? 'no content type')})`,
    'Correct PUBLIC_URL, or where the proxy passes calls to.',
  )
}

function explainRedirect({ url, location }: { url: URL; location: string }): Finding {
  const target = URL.canParse(location, url) ? new URL(location, url) : undefined
  const isSecured =
    target?.protocol === 'https:' && url.protocol === 'http:' && target.hostname === url.hostname
  if (isSecured)
    return problem(
      `${url.origin} sends everyone on to ${target.origin}: cookies and origins follow PUBLIC_URL, so sign-in fails`,
      `Set PUBLIC_URL=${target.origin}`,
    )
  return problem(
    `${url.origin} sends everyone on to ${target?.origin ?? location}`,
    'Set PUBLIC_URL to the address at which Catenary itself answers.',
  )
}
