import { type HttpTool, isSealed, type ToolPart } from '@catenary/contracts'

/** Method, address with path and query, and headers; the body is no part of it. */
export function destinationOfHttp({ method, url, query, headers }: HttpTool): string {
  const say = (part: ToolPart) =>
    `${JSON.stringify(part.name)}: ${isSealed(part) ? 'sealed' : JSON.stringify(part.value)}`
  return [
    `${method} ${isSealed(url) ? `${url.origin} sealed` : url}`,
    ...query.map((part) => `query ${say(part)}`),
    ...headers.map((part) => `header ${say(part)}`),
  ].join('\n')
}
