import type { RouteOptions } from 'fastify'

const FIELD = /^:/

/** Made of method and path, such as `getPromptsByIdTests`, and stable as long as they are. */
export function operationIdOf({ method, url }: Pick<RouteOptions, 'method' | 'url'>): string {
  const words = url
    .split('/')
    .filter((part) => part !== '' && part !== 'api')
    .flatMap((part) => (FIELD.test(part) ? ['by', part.slice(1)] : part.split(/[^A-Za-z0-9]+/)))
  const [first = ''] = [method].flat()
  return first.toLowerCase() + words.map(capitalize).join('')
}

const capitalize = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)
