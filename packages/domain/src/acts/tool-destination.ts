import type { StepTool, ToolPart } from '@catenary/contracts'

/**
 * Where a call goes, as its step writes it: method, address with path and query, and headers (D89). Any change is another
 * destination. The body is no part of it.
 */
export function destinationOfTool({ method, url, query, headers }: StepTool): string {
  const say = ({ name, value }: ToolPart) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`
  return [
    `${method} ${url}`,
    ...query.map((part) => `query ${say(part)}`),
    ...headers.map((part) => `header ${say(part)}`),
  ].join('\n')
}
