import type { FastifyRequest } from 'fastify'

const NAME_MAX = 100
/** `name/1.2.3`, the first product of a User-Agent; OpenAI's and Anthropic's SDKs have their language there, and then the version. */
const PRODUCT = /^([^\s/()]{1,60})(?:\/([^\s/()]{1,30}))?(?: (\d[^\s/()]{0,29}))?/

export function clientOf({ headers }: Pick<FastifyRequest, 'headers'>): string {
  // Langfuse's SDKs name themselves here; their User-Agent is their HTTP library's.
  const { 'x-langfuse-sdk-name': sdk, 'x-langfuse-sdk-version': release } = headers
  if (typeof sdk === 'string' && sdk !== '') {
    return toClientName({ name: `Langfuse ${sdk}`, version: typeof release === 'string' ? release : '' })
  }
  const [, name = '', version = '', later = ''] = PRODUCT.exec(headers['user-agent'] ?? '') ?? []
  return toClientName({ name, version: `${version} ${later}` })
}

export function toClientName({ name, version }: { name: string; version: string }): string {
  const text = `${name} ${version}`.slice(0, 4 * NAME_MAX).replace(/[^\p{L}\p{N}\p{P}\p{S}]+/gu, ' ')
  return text.trim().slice(0, NAME_MAX).toWellFormed()
}
