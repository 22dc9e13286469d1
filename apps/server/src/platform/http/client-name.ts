import type { FastifyRequest } from 'fastify'

const NAME_MAX = 100
/** `name/1.2.3`, the first product of a User-Agent. */
const PRODUCT = /^([^\s/()]{1,60})(?:\/([^\s/()]{1,30}))?/

/** Name and version of the program that calls, as it says; empty where it says none. */
export function clientOf({ headers }: FastifyRequest): string {
  const [, name = '', version = ''] = PRODUCT.exec(headers['user-agent'] ?? '') ?? []
  return toClientName({ name, version })
}

/** On one line, and no longer than what is kept. */
export function toClientName({ name, version }: { name: string; version: string }): string {
  const text = `${name} ${version}`.slice(0, 4 * NAME_MAX).replace(/[^\p{L}\p{N}\p{P}\p{S}]+/gu, ' ')
  return text.trim().slice(0, NAME_MAX).toWellFormed()
}
