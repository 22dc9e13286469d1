import { DEPTH_HEADER, type HttpTool, IDEMPOTENCY_HEADER, isSealed } from '@catenary/contracts'
import { type HttpCall, SEALED_MARK, strikeSealed } from '@catenary/domain'
import type { ToolReply } from '../../../../../../platform/outbound/tool-calls.ts'
import type { TypeInRun } from '../type-in-run.ts'

/** Characters of a refusal that are told of. */
const TOLD_MAX = 300
const BUSY = new Set([408, 425, 429, 500, 502, 503, 504])

export const HTTP_IN_RUN: TypeInRun<HttpTool, HttpCall> = {
  async send(ctx, { call: { type: _, headers, ...call }, key, depth, sealed, signal }) {
    const reply = await ctx.toolCalls.call({
      ...call,
      headers: { ...headers, [IDEMPOTENCY_HEADER]: key, [DEPTH_HEADER]: `${depth}` },
      signal,
    })
    const { status, text, retryAfterMs } = reply
    if (status >= 200 && status <= 299) return { text }
    return { refusal: refusalOf(reply, sealed), isBusy: BUSY.has(status), retryAfterMs }
  },
  shown({ method, url, query, headers }) {
    const values = query.map((part) => `${part.name}=${isSealed(part) ? SEALED_MARK : part.value}`)
    const shown = isSealed(url) ? `${url.origin}/${SEALED_MARK}` : url
    const join = shown.includes('?') ? '&' : '?'
    const address = values.length === 0 ? shown : `${shown}${join}${values.join('&')}`
    return { kind: 'http', method, address, headers: headers.map(({ name }) => name) }
  },
}

function refusalOf({ status, text }: ToolReply, sealed: ReadonlyMap<string, string>): string {
  const said = strikeSealed(text, sealed.values()).trim().replace(/\s+/g, ' ').slice(0, TOLD_MAX)
  const what =
    status >= 300 && status < 400
      ? 'sent the call on to another address, which is not followed'
      : 'refused the call'
  return `The service ${what} (status ${status})${said === '' ? '' : `: ${said}`}`
}
