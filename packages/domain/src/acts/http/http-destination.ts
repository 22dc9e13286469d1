import type { HttpTool, ToolPart } from '@catenary/contracts'

/** Method, address with path and query, and headers; the body is no part of it. */
export function destinationOfHttp({ method, url, query, headers }: HttpTool): string {
  const say = ({ name, value }: ToolPart) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`
  return [
    `${method} ${url}`,
    ...query.map((part) => `query ${say(part)}`),
    ...headers.map((part) => `header ${say(part)}`),
  ].join('\n')
}
