import { fastify } from 'fastify'

/** Listens for a moment, as the program would. Fails where it could not either. */
export async function tryListen(at: { host: string; port: number }): Promise<void> {
  const server = fastify()
  try {
    await server.listen(at)
  } finally {
    await server.close()
  }
}
