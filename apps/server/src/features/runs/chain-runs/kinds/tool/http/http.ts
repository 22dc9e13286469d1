import type { HttpTool } from '@catenary/contracts'
import type { HttpCall } from '@catenary/domain'
import type { ToolReply } from '../../../../../../platform/outbound/tool-calls.ts'
import type { TypeInRun } from '../type-in-run.ts'

/** Characters of a refusal that are told of. */
const TOLD_MAX = 300
const KEY = 'Idempotency-Key'
const BUSY = new Set([408, 425, 429, 500, 502, 503, 504])

export const HTTP_IN_RUN: TypeInRun<HttpTool, HttpCall> = {
  async send(ctx, { call: { type: _, headers, ...call }, key, signal }) {
    const reply = await ctx.toolCalls.call({ ...call, headers: { ...headers, [KEY]: key }, signal })
    const { status, text, retryAfterMs } = reply
    if (status >= 200 && status <= 299) return { text }
    return { refusal: refusalOf(reply), isBusy: BUSY.has(status), retryAfterMs }
  },
  shown({ method, url, query, headers }) {
    const values = query.map(({ name, value }) => `${name}=${value}`)
    const join = url.includes('?') ? '&' : '?'
    const address = values.length === 0 ? url : `${url}${join}${values.join('&')}`
    return { kind: 'http', method, address, headers: headers.map(({ name }) => name) }
  },
}

function refusalOf({ status, text }: ToolReply): string {
  const said = text.trim().replace(/\s+/g, ' ').slice(0, TOLD_MAX)
  const what =
    status >= 300 && status < 400
      ? 'sent the call on to another address, which is not followed'
      : 'refused the call'
  return `The service ${what} (status ${status})${said === '' ? '' : `: ${said}`}`
}
