import type { RouteOptions } from 'fastify'

const FIELD = /^:/

/**
 * What generated clients call an operation: its method and path, such as `getPromptsByIdTests`. It stays as long as they
 * do.
 */
export function operationIdOf({ method, url }: Pick<RouteOptions, 'method' | 'url'>): string {
  const words = url
    .split('/')
    .filter((part) => part !== '' && part !== 'api')
    .flatMap((part) => (FIELD.test(part) ? ['by', part.slice(1)] : part.split(/[^A-Za-z0-9]+/)))
  const [first = ''] = [method].flat()
  return first.toLowerCase() + words.map(capitalize).join('')
}

const capitalize = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)
