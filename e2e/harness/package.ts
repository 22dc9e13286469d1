import { delimiter, dirname, join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

/** The environment in which `node` is that one, also for npm and npx. */
export function withNode(node: string): NodeJS.ProcessEnv {
  return { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) }
}
