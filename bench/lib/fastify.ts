import { createRequire } from 'node:module'

// Fastify belongs to the server's packages; the floor is the same library without anything of ours.
export const { fastify } = createRequire(new URL('../../apps/server/package.json', import.meta.url))(
  'fastify',
) as {
  fastify: () => Floor
}
interface Floor {
  get(path: string, handler: (request: { params: { id: string } }, reply: FloorReply) => unknown): void
  listen(options: { host: string; port: number }): Promise<string>
  close(): Promise<void>
}
interface FloorReply {
  header(name: string, value: string): FloorReply
  send(body: unknown): FloorReply
}
